// A prompt that another extension runs by our command.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Interactions } from '../../../../src/core/calls/interactions.js';
import { registerPrompts, type PromptsDeps } from '../../../../src/features/prompts/register.js';

describe('a prompt that another extension runs', () => {
	const { registerCommand } = vscode.commands;
	const { showErrorMessage } = vscode.window;
	let run: (argument: unknown) => Promise<unknown>;
	let isDenied: boolean;
	let messages: string[];
	/** The requests that the server received, and a promise that delays its start. */
	let asked: string[];
	let whileStarting: () => void;

	beforeEach(() => {
		[isDenied, messages, asked, whileStarting] = [false, [], [], () => undefined];
		Object.assign(vscode.commands, {
			registerCommand: (id: string, handler: typeof run) => {
				run = id === 'mcpWorkbench.prompt.run' ? handler : run;
				return { dispose: () => undefined };
			},
		});
		Object.assign(vscode.languages, { registerCompletionItemProvider: () => ({ dispose: () => undefined }) });
		Object.assign(vscode.window, { showErrorMessage: async (it: string) => void messages.push(it) });
		const client = { getPrompt: async (name: string) => assert.fail(name) };
		const findPrompt = async (): Promise<object> => {
			asked.push('prompts/list');
			whileStarting();
			return { name: 'plain' };
		};
		const server = { client, catalog: { findPrompt }, definition: { id: 'a' }, use: async () => client };
		const deps = {
			registry: {
				configured: Promise.resolve(),
				onDidChange: () => ({ dispose: () => undefined }),
				find: () => server,
				label: () => 'shed',
			},
			tree: { registerGroup: () => ({ dispose: () => undefined }) },
			interactions: new Interactions(
				async () => isDenied,
				() => false,
			),
			argumentInputs: {
				ask: async () => {
					asked.push('arguments');
					return { kind: 'left' };
				},
			},
		};
		registerPrompts(deps as unknown as PromptsDeps).dispose();
	});
	afterEach(() => {
		Object.assign(vscode.commands, { registerCommand });
		Object.assign(vscode.window, { showErrorMessage });
	});

	const rule = 'A rule denies this server to extensions and keybindings. Use the MCP Workbench view.';

	it('is asked about first', async () => {
		await run({ server: 'shed', name: 'plain' });
		assert.deepEqual([asked, messages], [['prompts/list', 'arguments'], []]);
	});

	it('is denied by a rule before its server starts, and by one that was written meanwhile', async () => {
		isDenied = true;
		await run({ server: 'shed', name: 'plain' });
		assert.deepEqual([asked, messages], [[], [rule]]);
		isDenied = false;
		whileStarting = () => {
			isDenied = true;
		};
		await run({ server: 'shed', name: 'plain' });
		assert.deepEqual([asked, messages], [['prompts/list'], [rule, rule]]);
	});
});
