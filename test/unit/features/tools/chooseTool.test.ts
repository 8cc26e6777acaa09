import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseTool } from '../../../../src/features/tools/chooseTool.js';
import type { ServerRegistry } from '../../../../src/model/serverRegistry.js';

describe('choosing a tool', () => {
	const { showQuickPick } = vscode.window;
	const { executeCommand } = vscode.commands;
	let asked: string[][];
	let run: string[];

	beforeEach(() => {
		asked = [];
		run = [];
		Object.assign(vscode.window, {
			showQuickPick: (items: readonly { label: string }[]) => {
				asked.push(items.map(it => it.label));
				return Promise.resolve(undefined);
			},
		});
		Object.assign(vscode.commands, {
			executeCommand: (id: string, { server }: { server: { name: string } }) => {
				run.push(`${id} ${server.name}`);
				return Promise.resolve(undefined);
			},
		});
	});
	afterEach(() => {
		Object.assign(vscode.window, { showQuickPick });
		Object.assign(vscode.commands, { executeCommand });
	});

	/** Servers by their states; none of them has been asked for its tools. */
	function registryOf(states: Readonly<Record<string, string>>): ServerRegistry {
		const servers = Object.entries(states).map(([name, kind]) => ({ name, state: { kind } }));
		return { servers, label: ({ name }: { name: string }) => name } as unknown as ServerRegistry;
	}

	it('offers to start those that are stopped, and none that failed', async () => {
		await chooseTool(registryOf({ a: 'stopped', typo: 'failed', b: 'waiting' }));
		assert.deepEqual(asked, [['not running', 'Start a', 'Start b']]);
		assert.deepEqual(run, []);
	});

	it('starts the only one without a question', async () => {
		await chooseTool(registryOf({ a: 'stopped', typo: 'failed' }));
		assert.deepEqual(asked, []);
		assert.deepEqual(run, ['mcpWorkbench.server.start a']);
	});

	it('has nothing to offer where all failed', async () => {
		await chooseTool(registryOf({ typo: 'failed' }));
		assert.deepEqual([asked, run], [[], []]);
	});
});
