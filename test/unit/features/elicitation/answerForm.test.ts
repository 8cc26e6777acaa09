/** What a form submits after a document, which other extensions can write, has filled it in. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AnswerForm, type AnswerFormDeps } from '../../../../src/features/elicitation/answerForm.js';
import type { JsonObject } from '../../../../src/mcp/index.js';
import type { Elicitation, ElicitationAnswer } from '../../../../src/core/requests/elicitations.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';

const schema: JsonObject = {
	type: 'object',
	properties: { iban: { type: 'string', default: 'DE00' }, pin: { type: 'string', format: 'password' } },
};

describe('AnswerForm', () => {
	const { own } = leakCheck();
	let form: AnswerForm;
	let elicitation: Elicitation;
	/** Lines of each pick that was shown, in order. */
	let seen: string[][];
	let opened: string[];
	let plays: ((pick: QuickPickDouble) => void)[];

	beforeEach(() => {
		mock.timers.enable({ apis: ['setTimeout'] });
		seen = [];
		opened = [];
		plays = [];
		screen.onShow = pick => {
			seen.push(pick.lines);
			(plays.shift() ?? assert.fail(`nothing to press: ${pick.lines.join('\n')}`))(pick);
		};
		const request = { mode: 'form', message: 'Where to?', requestedSchema: schema };
		elicitation = { id: 1, definition: { name: 'bank' }, request } as unknown as Elicitation;
		form = own(
			new AnswerForm({
				documents: { show: async (_: string, text: string) => void opened.push(text) },
				validator: { check: async () => ({ kind: 'valid' }) },
				waiting: () => [elicitation],
				label: () => 'bank',
			} as unknown as AnswerFormDeps),
		);
	});
	afterEach(() => {
		closeHeldInput();
		mock.timers.reset();
		screen.onShow = () => undefined;
	});

	const ask = (signal = new AbortController().signal): Promise<ElicitationAnswer | undefined> =>
		form.ask(elicitation, schema, signal);

	it('submits with Enter what the person has filled in', async () => {
		plays = [pick => pick.accept()];
		assert.deepEqual(await ask(), { action: 'accept', content: { iban: 'DE00' } });
	});

	it('has the question, Submit and Decline above the values', async () => {
		plays = [pick => pick.accept('Decline')];
		assert.deepEqual(await ask(), { action: 'decline' });
		assert.deepEqual(seen, [
			[
				'bank asks: "Where to?"',
				'',
				'Submit | the server gets the values below, 1 of them its own default',
				'Decline | the server is told that you said no',
				'Cancel Request | the server is told that you did not choose',
				'',
				'iban | "DE00"',
				'pin | left out',
				'',
				'Edit as JSON…',
				'Answer Later',
			],
		]);
	});

	it('says how many of the values are defaults of the server', async () => {
		const properties = {
			a: { type: 'integer', default: 1 },
			b: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['x'] },
			c: { type: 'string' },
		};
		const { signal } = new AbortController();
		const given = [undefined, { a: 1, b: ['y'], c: 'z' }, { a: 2, b: ['x'] }, { a: 2, c: 'x' }, {}];
		for (const content of given) {
			if (content) {
				form.remember(elicitation, content);
			}
			plays = [pick => pick.accept('Answer Later')];
			await form.ask(elicitation, { type: 'object', properties }, signal);
		}
		assert.deepEqual(
			seen.map(lines => lines.find(it => it.startsWith('Submit'))?.replace('Submit | the server gets the ', '')),
			[
				'values below, 2 of them its own defaults',
				'values below, 1 of them its own default',
				'values below, 1 of them its own default',
				'values below',
				'values below',
			],
		);
	});

	it('ends with no text that is not the whole label of a line', async () => {
		const enter =
			(text: string) =>
			(pick: QuickPickDouble): void => {
				pick.type(text);
				pick.accept();
			};
		plays = ['DE', 'S', 'submit it', 'cancel', 'decline'].map(enter);
		assert.deepEqual(await ask(), { action: 'decline' });
		assert.equal(plays.length, 0);
		plays = [enter('Submit')];
		assert.deepEqual(await ask(), { action: 'accept', content: { iban: 'DE00' } });
	});

	it('submits nothing of a document before all of it was shown exactly', async () => {
		const theirs = { iban: `DE00 ${'0'.repeat(400)} EVIL`, pin: '1234' };
		form.remember(elicitation, theirs);
		plays = [
			// Enter in the form leads to the review, and Enter there sends nothing.
			pick => pick.accept(),
			pick => pick.accept(),
			pick => pick.accept('Back'),
			pick => pick.accept('Submit'),
			pick => pick.accept('Submit'),
			pick => pick.accept('Submit'),
		];
		assert.deepEqual(await ask(), { action: 'accept', content: theirs });
		assert.equal(plays.length, 0);
		const [, review = []] = seen;
		assert.ok(review.includes('pin | "1234"'), review.join('\n'));
		assert.ok(review.includes('Submit | Opens the full view first'));
		assert.match(opened.join('\n'), /EVIL/);
	});

	it('reviews a document also after it was put aside, and closes the review with the question', async () => {
		form.remember(elicitation, { iban: 'DE66' });
		plays = [pick => pick.accept('Answer Later')];
		assert.equal(await ask(), undefined);
		const ended = new AbortController();
		plays = [pick => pick.accept(), () => ended.abort()];
		assert.equal(await ask(ended.signal), undefined);
		assert.ok(seen[2]?.includes('iban | "DE66"'), seen[2]?.join('\n'));
	});
});
