/** What happens to a server that the person has just added: it starts, and its first tool is selected. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerState } from '../../../../src/core/servers/serverState.js';
import { startAdded } from '../../../../src/features/servers/demo.js';

describe('a server that was just added', () => {
	let steps: string[];
	beforeEach(() => {
		steps = [];
		mock.method(vscode.commands, 'executeCommand', (command: string) => {
			steps.push(command);
			return Promise.resolve();
		});
	});
	afterEach(() => mock.reset());

	const start = (state: ServerState): Promise<void> => {
		const currentTools = (): Promise<void> => Promise.resolve(void steps.push('tools'));
		const server = { state, catalog: { currentTools } } as unknown as Server;
		return startAdded(server, { selectFirstTool: () => Promise.resolve(void steps.push('select')) });
	};

	it('starts, and then its first tool is selected', async () => {
		await start({ kind: 'stopped' });
		assert.deepEqual(steps, ['mcpWorkbench.server.start', 'tools', 'select']);
	});

	it('is not started twice', async () => {
		await start({ kind: 'starting' });
		assert.deepEqual(steps, ['tools', 'select']);
	});
});
