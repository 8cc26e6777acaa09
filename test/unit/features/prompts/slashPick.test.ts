/** Which line of *Run Prompt…* has the focus where no running server offers a prompt. */
import * as assert from 'node:assert/strict';
import { pickPrompt } from '../../../../src/features/prompts/slashPick.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { screen } from '../../../support/quickPickDouble.js';

describe('choosing a prompt', () => {
	afterEach(() => {
		closeHeldInput();
		screen.onShow = () => undefined;
	});

	/** The lines, and the one with the focus. */
	async function shown(states: Readonly<Record<string, string>>): Promise<readonly [string[], string | undefined]> {
		const servers = Object.entries(states).map(([name, kind]) => ({ definition: { id: name }, state: { kind } }));
		const registry = {
			configured: Promise.resolve(),
			servers,
			label: ({ definition }: { definition: { id: string } }) => definition.id,
			onDidChange: () => ({ dispose: () => undefined }),
		};
		let seen: readonly [string[], string | undefined] = [[], undefined];
		screen.onShow = pick => {
			seen = [pick.items.map(it => it.label), pick.activeItems[0]?.label];
			pick.hide();
		};
		await pickPrompt(registry as unknown as ServerRegistry);
		return seen;
	}

	it('has the focus on the first server to start', async () => {
		const none = 'No running server offers prompts';
		assert.deepEqual(await shown({ a: 'stopped', b: 'stopped' }), [
			[none, 'Not running', 'Start "a"', 'Start "b"'],
			'Start "a"',
		]);
		assert.deepEqual(await shown({ a: 'running' }), [[none], none]);
	});
});
