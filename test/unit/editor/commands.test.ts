/** What a command is told of: a line of a tree, nothing from the palette, and a line that the editor does not know. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { reportErrors, LoggedError, registerCommand, registerCommands } from '../../../src/editor/commands.js';
import { type CommandId, Commands, titleCommands } from '../../../src/editor/contributions.js';
import { projectRoot } from '../../host/paths.js';
import { settled } from '../../support/waiting.js';

interface Manifest {
	readonly contributes: { readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>> };
}

describe('commands', () => {
	const { showInformationMessage } = vscode.window;
	const { registerCommand: register } = vscode.commands;
	afterEach(() => {
		Object.assign(vscode.window, { showInformationMessage });
		Object.assign(vscode.commands, { registerCommand: register });
	});

	/** What one command, called with each of these lists of arguments, was given, and what the person was told. */
	async function calls(id: CommandId, ...lists: readonly (readonly unknown[])[]): Promise<[unknown[], string[]]> {
		const messages: string[] = [];
		const given: unknown[] = [];
		let run: (...all: unknown[]) => Promise<unknown> = () => assert.fail();
		Object.assign(vscode.window, { showInformationMessage: (it: string) => messages.push(it) });
		Object.assign(vscode.commands, { registerCommand: (_: string, handler: typeof run) => (run = handler) });
		registerCommand(id, it => given.push(it));
		for (const it of lists) {
			await run(...it);
		}
		return [given, messages];
	}

	it('do not take a line that the editor does not know for a call from the palette', async () => {
		assert.deepEqual(await calls(Commands.runTool, [undefined, undefined]), [
			[],
			['The selected item has just changed. Try again.'],
		]);
		assert.deepEqual(await calls(Commands.runTool, [], ['line', undefined]), [[undefined, 'line'], []]);
	});

	it('can be registered together', async () => {
		const handlers = new Map<string, (...all: unknown[]) => Promise<unknown>>();
		Object.assign(vscode.commands, {
			registerCommand: (id: string, handler: (...all: unknown[]) => Promise<unknown>) => {
				handlers.set(id, handler);
				return { dispose: () => handlers.delete(id) };
			},
		});
		const registered = registerCommands({
			[Commands.startServer]: it => `start ${String(it)}`,
			[Commands.stopServer]: it => `stop ${String(it)}`,
		});
		assert.deepEqual([...handlers.keys()], [Commands.startServer, Commands.stopServer]);
		assert.deepEqual(
			[await handlers.get(Commands.stopServer)?.('a'), await handlers.get(Commands.startServer)?.('b')],
			['stop a', 'start b'],
		);
		registered.dispose();
		assert.equal(handlers.size, 0);
	});

	it('that have a button above a view are called without a line where none has the focus', async () => {
		assert.deepEqual(await calls(Commands.clearHistory, [undefined, undefined]), [[undefined], []]);
		const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as Manifest;
		const buttons = new Set(manifest.contributes.menus['view/title']?.map(it => it.command));
		assert.deepEqual([...titleCommands].toSorted(), [...buttons].toSorted());
	});
});

describe('the message of an error', () => {
	const { showErrorMessage } = vscode.window;
	afterEach(() => void Object.assign(vscode.window, { showErrorMessage }));

	it('offers the log of its server, if there is one', async () => {
		const shown: string[][] = [];
		let logs = 0;
		let press: number | undefined = 0;
		const play = async (...message: string[]): Promise<string | undefined> => {
			shown.push(message);
			return message.slice(1)[press ?? -1];
		};
		Object.assign(vscode.window, { showErrorMessage: play });
		const failWith = async (error: Error): Promise<void> => {
			await reportErrors(() => {
				throw error;
			});
			await settled();
		};
		const logged = new LoggedError('It failed.', { show: () => logs++ });
		await failWith(logged);
		press = undefined;
		await failWith(logged);
		await failWith(new Error('Other'));
		assert.deepEqual(shown, [['It failed.', 'Show Log'], ['It failed.', 'Show Log'], ['Other']]);
		assert.equal(logs, 1);
	});
});
