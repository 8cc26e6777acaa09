import * as assert from 'node:assert/strict';
import { type Completion, type Completions, type CompletionSubject } from '../../../../src/core/search/completions.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { type ArgumentsRequest, ArgumentInputs } from '../../../../src/editor/forms/argumentInputs.js';
import { describeMore } from '../../../../src/editor/forms/suggestedStep.js';
import type { TextEditing } from '../../../../src/editor/documents/textEditing.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';

describe('arguments that the server completes', () => {
	let plays: ((pick: QuickPickDouble) => void)[];
	/** The subjects and texts that the server was asked to complete. */
	let asked: unknown[];
	let shown: string[];
	let inputs: ArgumentInputs;

	beforeEach(() => {
		[plays, asked, shown] = [[], [], []];
		const completions = {
			complete: async ({ argument, values }: CompletionSubject, value: string): Promise<Completion> => {
				asked.push([argument, values, value]);
				return { kind: 'values', values: ['Lyon', 'Paris'], total: undefined, hasMore: false };
			},
		} as unknown as Completions;
		const editing = { edit: async (_name: string, text: string) => `${text}\nat night` } as unknown as TextEditing;
		inputs = new ArgumentInputs(completions, editing);
		screen.onShow = pick => {
			shown.push(pick.value);
			plays.shift()?.(pick);
		};
	});
	afterEach(() => {
		closeHeldInput();
		screen.onShow = () => undefined;
	});

	const request: ArgumentsRequest = {
		server: { definition: { id: 'a' }, onDidChange: () => ({ dispose: () => undefined }) } as unknown as Server,
		ref: { type: 'ref/prompt', name: 'weather' },
		title: 'weather',
		serverLabel: 'garden',
		arguments: [{ name: 'unit' }, { name: 'city', required: true }, { name: 'day' }],
	};

	const choose =
		(label: string) =>
		(pick: QuickPickDouble): void =>
			pick.accept(label);

	it('are asked one after the other, with the values before them, and those that are given are not', async () => {
		plays = [choose('Paris'), choose('Leave Out')];
		const values = { unit: 'C', city: 'Paris' };
		assert.deepEqual(await inputs.ask({ ...request, given: { unit: 'C' } }), { kind: 'given', values });
		assert.deepEqual(asked, [
			['city', { unit: 'C' }, ''],
			['day', values, ''],
		]);
		const all = { unit: 'C', city: 'Rome', day: '1' };
		assert.deepEqual(await inputs.ask({ ...request, given: all }), { kind: 'given', values: all });
	});

	it('are not sent for suggestions before the person has typed, because another extension can give them', async () => {
		const only = { ...request, arguments: [{ name: 'city' }], first: { city: 'secret' } };
		plays = [choose('secret')];
		assert.deepEqual(await inputs.ask(only), { kind: 'given', values: { city: 'secret' } });
		assert.deepEqual([shown, asked], [['secret'], [['city', {}, '']]]);
	});

	it('keep their texts when the input disappears', async () => {
		const leave = (pick: QuickPickDouble): void => {
			pick.type('Ro');
			pick.hide();
		};
		plays = [choose('Lyon'), leave];
		assert.deepEqual(await inputs.ask(request), { kind: 'left' });
		assert.deepEqual(shown, ['', '']);
		plays = [pick => pick.accept('Lyon'), pick => pick.hide()];
		assert.deepEqual(await inputs.ask(request), { kind: 'left' });
		assert.deepEqual(shown.slice(2), ['Lyon', 'Ro']);
	});

	it('take a text of several lines from a text editor, as a line of the list', async () => {
		const only = { ...request, arguments: [{ name: 'city' }] };
		plays = [
			pick => {
				pick.value = 'Rome';
				pick.press('Write in Editor');
			},
			pick => {
				const line = pick.items.find(it => it.description === '2 lines, 13 characters');
				pick.accept(line?.label);
			},
		];
		assert.deepEqual(await inputs.ask(only), { kind: 'given', values: { city: 'Rome\nat night' } });
	});

	it('say that the server has more of them, unless none matches the text', () => {
		const words = [['Lyon'], []].map(values => describeMore({ kind: 'values', values, total: 5, hasMore: true }));
		assert.deepEqual(words, ['1 of 5 shown. Type to see others.', undefined]);
	});

	it('take no value that the form refuses, which goes into the input to be corrected', async () => {
		let seen = '';
		plays = [
			pick => {
				pick.accept('Lyon');
				seen = pick.value;
				pick.type('Paris');
				pick.accept();
			},
		];
		const check: ArgumentsRequest['check'] = (_name, value) => (value === 'Lyon' ? 'No' : undefined);
		const only = { ...request, arguments: [{ name: 'city' }] };
		assert.deepEqual(await inputs.ask({ ...only, check }), { kind: 'given', values: { city: 'Paris' } });
		assert.equal(seen, 'Lyon');
	});
});
