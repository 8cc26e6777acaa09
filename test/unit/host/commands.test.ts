/** What a command is told of: a line of a tree, nothing from the palette, and a line that the editor does not know. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerCommand } from '../../../src/host/commands.js';
import { Commands } from '../../../src/host/contributions.js';

describe('commands', () => {
	const { showInformationMessage } = vscode.window;
	const { registerCommand: register } = vscode.commands;
	afterEach(() => {
		Object.assign(vscode.window, { showInformationMessage });
		Object.assign(vscode.commands, { registerCommand: register });
	});

	it('do not take a line that the editor does not know for a call from the palette', async () => {
		const messages: string[] = [];
		const given: unknown[] = [];
		let run: (...all: unknown[]) => Promise<unknown> = () => assert.fail();
		Object.assign(vscode.window, { showInformationMessage: (it: string) => messages.push(it) });
		Object.assign(vscode.commands, { registerCommand: (_: string, handler: typeof run) => (run = handler) });
		registerCommand(Commands.runTool, it => given.push(it));
		await run(undefined, undefined);
		assert.deepEqual([given, messages], [[], ['The line has just changed. Try again.']]);
		await run();
		await run('line', undefined);
		assert.deepEqual([given, messages.length], [[undefined, 'line'], 1]);
	});
});
