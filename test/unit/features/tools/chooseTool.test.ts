import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseTool } from '../../../../src/features/tools/chooseTool.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { screen } from '../../../support/quickPickDouble.js';

describe('choosing a tool', () => {
	const { onShow } = screen;
	const { executeCommand } = vscode.commands;
	let asked: string[][];
	let run: string[];

	beforeEach(() => {
		asked = [];
		run = [];
		screen.onShow = pick => {
			asked.push(pick.items.map(it => it.label));
			pick.hide();
		};
		Object.assign(vscode.commands, {
			executeCommand: (id: string, { server }: { server: { name: string } }) => {
				run.push(`${id} ${server.name}`);
				return Promise.resolve(undefined);
			},
		});
	});
	afterEach(() => {
		Object.assign(screen, { onShow });
		Object.assign(vscode.commands, { executeCommand });
	});

	/** Servers by their states; none of them has been asked for its tools. */
	function registryOf(states: Readonly<Record<string, string>>): ServerRegistry {
		const servers = Object.entries(states).map(([name, kind]) => ({ name, state: { kind } }));
		return { servers, label: ({ name }: { name: string }) => name } as unknown as ServerRegistry;
	}

	it('offers to start those that are stopped, and none that failed', async () => {
		await chooseTool(registryOf({ a: 'stopped', typo: 'failed', b: 'waiting' }), 'Select a tool to run');
		assert.deepEqual(asked, [['Not running', 'Start "a"', 'Start "b"']]);
		assert.deepEqual(run, []);
	});

	it('offers to start them whatever is typed: their tools are not known yet', async () => {
		screen.onShow = pick => {
			pick.type('greet');
			asked.push([String(pick.activeItems[0]?.label)]);
			pick.hide();
		};
		await chooseTool(registryOf({ a: 'stopped', b: 'stopped' }), 'Select a tool to run');
		assert.deepEqual(asked, [['Start "a"']]);
	});

	it('starts the only one without a question', async () => {
		await chooseTool(registryOf({ a: 'stopped', typo: 'failed' }), 'Select a tool to run');
		assert.deepEqual(asked, []);
		assert.deepEqual(run, ['mcpWorkbench.server.start a']);
	});

	it('has nothing to offer where all failed', async () => {
		await chooseTool(registryOf({ typo: 'failed' }), 'Select a tool to run');
		assert.deepEqual([asked, run], [[], []]);
	});
});
