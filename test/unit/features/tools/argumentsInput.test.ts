/** The form for the arguments of a call that waits for approval. */
import * as assert from 'node:assert/strict';
import { ArgumentsInput } from '../../../../src/features/tools/argumentsInput.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';

const tool: Tool = { name: 'write', inputSchema: { type: 'object', properties: { title: { type: 'string' } } } };
const withPath = { title: 'Shopping', path: '/home/me/.ssh/authorized_keys' };

describe('changing the arguments of a call', () => {
	let shown: unknown[];
	let plays: ((pick: QuickPickDouble) => void)[];

	beforeEach(() => {
		[shown, plays] = [[], []];
		screen.onShow = pick => (plays.shift() ?? (it => it.accept('Use These Arguments')))(pick);
	});
	afterEach(() => {
		closeHeldInput();
		screen.onShow = () => undefined;
	});

	function edit(args: JsonObject): Promise<JsonObject | undefined> {
		const documents = { showJson: async (_: string, value: unknown) => void shown.push(value) };
		const input = new ArgumentsInput(documents as never);
		return input.edit('notes', tool, args, new AbortController().signal);
	}

	it('keeps arguments without a field, and shows all arguments in full', async () => {
		plays = [pick => pick.accept('Show in Full')];
		assert.deepEqual(await edit(withPath), withPath);
		assert.deepEqual(shown, [withPath]);
	});

	it('does not submit earlier arguments when text is typed before a field is selected', async () => {
		const seen: (string | undefined)[] = [];
		const enter =
			(text: string) =>
			(pick: QuickPickDouble): void => {
				seen.push(pick.value, pick.activeItems[0]?.label);
				pick.type(text);
				seen.push(pick.activeItems[0]?.description ?? pick.activeItems[0]?.label);
				pick.accept();
			};
		const note = 'Typing only filters this list. To change a value, select it.';
		plays = ['Milk', 'un', '5', 'use these arguments'].map(enter);
		await edit({ title: 'Shopping' });
		const again = [note, '', 'title'];
		assert.deepEqual(seen, ['', 'Use These Arguments', ...again, ...again, ...again, 'Use These Arguments']);
	});
});
