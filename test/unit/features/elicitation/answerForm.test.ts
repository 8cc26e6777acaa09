/** What the form in form mode shows, and what it submits. */
import * as assert from 'node:assert/strict';
import { AnswerForm, type AnswerFormDeps } from '../../../../src/features/elicitation/answerForm.js';
import type { JsonObject } from '../../../../src/mcp/index.js';
import type { Elicitation, ElicitationAnswer } from '../../../../src/core/requests/elicitations.js';
import type { FormDraft } from '../../../../src/editor/forms/formPick.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';
import { releaseTime, stopTime } from '../../../support/stoppedClock.js';

const schema: JsonObject = {
	type: 'object',
	properties: { iban: { type: 'string', default: 'DE00' }, pin: { type: 'string', format: 'password' } },
};

describe('AnswerForm', () => {
	leakCheck();
	let form: AnswerForm;
	let elicitation: Elicitation;
	/** The rows of each quick pick that was shown, in order. */
	let seen: string[][];
	let plays: ((pick: QuickPickDouble) => void)[];

	beforeEach(() => {
		stopTime();
		seen = [];
		plays = [];
		screen.onShow = pick => {
			seen.push(pick.lines);
			(plays.shift() ?? assert.fail(`nothing to press: ${pick.lines.join('\n')}`))(pick);
		};
		const request = { mode: 'form', message: 'Where to?', requestedSchema: schema };
		elicitation = { id: 1, definition: { name: 'bank' }, request } as unknown as Elicitation;
		form = new AnswerForm({
			documents: { show: async () => undefined },
			validator: { check: async () => ({ kind: 'valid' }) },
		} as unknown as AnswerFormDeps);
	});
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = () => undefined;
	});

	const ask = (signal = new AbortController().signal): Promise<ElicitationAnswer | undefined> =>
		form.ask(elicitation, 'bank', schema, signal);

	it('submits nothing with Enter alone, which shows the question', async () => {
		plays = [pick => pick.accept(), pick => pick.accept('Submit')];
		assert.deepEqual(await ask(), { action: 'accept', content: { iban: 'DE00' } });
	});

	it('has the question, Submit and Decline above the values', async () => {
		plays = [pick => pick.accept('Decline')];
		assert.deepEqual(await ask(), { action: 'decline' });
		assert.deepEqual(seen, [
			[
				'bank asks: "Where to?"',
				'',
				'Submit | Sends the values below, including 1 default from the server',
				'Decline | Tells the server that you declined',
				'Cancel Request | Tells the server that you canceled',
				'',
				'iban | "DE00"',
				'pin | Left out',
				'',
				'Show in Full',
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
		const { drafts } = form as unknown as { readonly drafts: WeakMap<Elicitation, FormDraft> };
		const given = [undefined, { a: 1, b: ['y'], c: 'z' }, { a: 2, b: ['x'] }, { a: 2, c: 'x' }, {}];
		for (const content of given) {
			if (content) {
				drafts.set(elicitation, { values: content, texts: {} });
			}
			plays = [pick => pick.accept('Answer Later')];
			await form.ask(elicitation, 'bank', { type: 'object', properties }, signal);
		}
		assert.deepEqual(
			seen.map(lines => lines.find(it => it.startsWith('Submit'))?.replace('Submit | Sends the ', '')),
			[
				'values below, including 2 defaults from the server',
				'values below, including 1 default from the server',
				'values below, including 1 default from the server',
				'values below',
				'Submit | Sends no values',
			],
		);
	});

	it('says that submitting agrees if there is nothing to fill in', async () => {
		plays = [pick => pick.accept('Submit')];
		await form.ask(elicitation, 'bank', { type: 'object', properties: {} }, new AbortController().signal);
		assert.ok(seen[0]?.includes('Submit | Tells the server that you accepted'));
	});

	it('can be declined before the required fields are filled in', async () => {
		const properties = { color: { type: 'string', enum: ['red', 'blue'] } };
		plays = [pick => pick.press('Review'), pick => pick.accept('Decline')];
		const { signal } = new AbortController();
		assert.deepEqual(await form.ask(elicitation, 'bank', { type: 'object', properties, required: ['color'] }, signal), {
			action: 'decline',
		});
		assert.ok(seen[1]?.includes('Submit | Fix "color" first'));
	});

	it('is not ended by text that matches only a part of a label', async () => {
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
});
