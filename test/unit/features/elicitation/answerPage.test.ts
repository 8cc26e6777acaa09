/** The choices of the sheet in URL mode and their descriptions. */
import * as assert from 'node:assert/strict';
import { type AnswerPageDeps, askPage } from '../../../../src/features/elicitation/register.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import type { ElicitationAnswer } from '../../../../src/core/requests/elicitations.js';
import type { PageRequest, ServerQuestion } from '../../../../src/core/requests/questions.js';
import { screen } from '../../../support/quickPickDouble.js';
import { releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('the sheet of a page', () => {
	let choices: string[];
	let focus: string | undefined;
	/** The row of the host and the rows of the URL. */
	let address: string[];

	beforeEach(() => stopTime());
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = () => undefined;
	});

	function ask(
		state: Pick<ServerQuestion, 'stage' | 'isAnswered'>,
		label: string,
		url = 'https://x.test/',
	): Promise<ElicitationAnswer | undefined> {
		screen.onShow = pick => {
			choices = pick.lines.slice(pick.lines.indexOf('') + 1).map(it => it.replace(/ \| $/, ''));
			focus = pick.activeItems[0]?.label;
			address = pick.lines.slice(
				0,
				pick.lines.findIndex(it => it.startsWith('Server says')),
			);
			pick.accept(label);
		};
		const request = { mode: 'url', message: 'Sign in.', url: new URL(url) };
		const definition = { launch: { kind: 'http', url: 'https://x.test/' } };
		const question = { ...state, request, definition } as unknown as ServerQuestion<PageRequest>;
		const deps = { questions: { isWaiting: () => true } } as unknown as AnswerPageDeps;
		return askPage(question, 'bank', new AbortController().signal, deps);
	}

	it('says what the server is told', async () => {
		const answer = await ask({ stage: 'asked', isAnswered: false }, 'Cancel Request');
		assert.deepEqual(answer, { action: 'cancel' });
		assert.deepEqual(choices, [
			'Open in Browser',
			'Copy URL',
			'Decline | Tells the server that you declined',
			'Cancel Request | Tells the server that you canceled',
			'Answer Later',
		]);
	});

	it('says that a call continues where the page that it needs is open', async () => {
		const answer = await ask({ stage: 'underway', isAnswered: false }, 'Finish');
		assert.deepEqual(answer, { action: 'accept' });
		assert.deepEqual(choices, [
			'Finish | Continues the waiting request',
			'Open Again',
			'Copy URL',
			'Cancel Request | Tells the server that you canceled',
			'Answer Later',
		]);
	});

	it('has the focus on the host first, and on the end of the request once the page was opened', async () => {
		await ask({ stage: 'asked', isAnswered: false }, 'Cancel Request');
		assert.equal(focus, 'Host');
		for (const isAnswered of [false, true]) {
			await ask({ stage: 'underway', isAnswered }, 'Finish');
			assert.equal(focus, 'Finish');
		}
	});

	it('breaks the address only where a line is full', async () => {
		const query = 'client_id=4711&redirect_uri=https%3A%2F%2Fx.test&state=af0ifjsldkj';
		await ask({ stage: 'asked', isAnswered: false }, 'Cancel Request', `https://x.test/oauth/authorize?${query}`);
		assert.deepEqual(address, [
			'Host | x.test',
			'URL | https://x.test/oauth/authorize?client_id=4711&redirect_uri=https%3A%',
			'… | 2F%2Fx.test&state=af0ifjsldkj',
		]);
	});

	it('promises no answer where the server has one', async () => {
		assert.equal(await ask({ stage: 'underway', isAnswered: true }, 'Close'), undefined);
		assert.deepEqual(choices, [
			'Finish | Removes the request without telling the server',
			'Open Again',
			'Copy URL',
			'Close | Keeps the request in the list',
		]);
	});
});
