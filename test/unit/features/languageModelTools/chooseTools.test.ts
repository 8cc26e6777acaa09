/** The list of tools for models: its lines and total, and what is written for them. */
import * as assert from 'node:assert/strict';
import { readToolOptions } from '../../../../src/core/config/serverOptions.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import type { ToolTokens } from '../../../../src/editor/languageModels/toolTokens.js';
import { ServerNode } from '../../../../src/editor/tree/treeNodes.js';
import { toolPlaces } from '../../../../src/editor/workspace/serverOptions.js';
import { chooseTools } from '../../../../src/features/languageModelTools/chooseTools.js';
import type { Tool } from '../../../../src/mcp/index.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';
import { settings, Uri, window, workspace } from '../../../support/vscodeDouble.js';

const key = 'mcpWorkbench.tools';

describe('Choose Tools…', () => {
	const original = { ...window };
	/** What a person does with the list. */
	let play: (pick: QuickPickDouble) => void;
	let told: string[];
	/** The buttons that are pressed in messages. */
	let presses: string[];

	beforeEach(() => {
		[told, presses] = [[], []];
		screen.onShow = pick => play(pick);
		workspace.workspaceFolders = [{ uri: Uri.file('/beds'), name: 'beds', index: 0 }];
		const show = (message: string, ...rest: unknown[]): Promise<never> => {
			const [detail] = rest.flatMap(it => (typeof it === 'object' ? [(it as { detail: string }).detail] : []));
			told.push(detail === undefined ? message : `${message} | ${detail}`);
			return Promise.resolve(rest.find(it => presses.includes(String(it)))) as Promise<never>;
		};
		Object.assign(window, { showInformationMessage: show, showWarningMessage: show });
	});

	afterEach(() => {
		Object.assign(window, original);
		settings.clear();
		workspace.workspaceFolders = undefined;
		workspace.workspaceFile = undefined;
	});

	const names = ['water', 'weed', 'mow'];
	function server(name: string, isRunning = true): Server {
		const source = { kind: 'vscodeFolder', uri: '', folderUri: 'file:///beds', folderName: 'beds' } as const;
		const items = names.map((it): Tool => ({ name: it, title: it.toUpperCase(), inputSchema: {} }));
		const definition = { name, source } as unknown as Server['definition'];
		return {
			name,
			definition,
			catalog: isRunning ? { tools: { kind: 'loaded', items } } : undefined,
			get options() {
				return readToolOptions(toolPlaces(definition), name);
			},
		} as unknown as Server;
	}
	const count = (tools: number) => ({ tokens: tools * 100, isEstimate: tools > 0 });
	const tokens = { of: () => count(1), sum: (all: readonly Tool[]) => count(all.length) } as unknown as ToolTokens;

	/** Opens the list for the row of the first server, or for all. */
	async function choose(servers: readonly Server[], argument: unknown = new ServerNode(servers[0] as Server)) {
		const registry = { servers, label: (it: Server) => it.name } as unknown as ServerRegistry;
		await chooseTools(registry, tokens, argument);
		// The message isn't awaited.
		await new Promise(resolve => setImmediate(resolve));
	}

	const checked = (pick: QuickPickDouble): string[] => pick.selectedItems.map(it => it.label);

	it('lists each tool with its tokens, and the total of the checked tools', async () => {
		settings.set(key, {
			globalValue: { garden: { hiddenFromModels: ['weed'] } },
			workspaceValue: { garden: { disabled: ['mow'] } },
		});
		const titles: string[] = [];
		play = pick => {
			assert.deepEqual(pick.lines, [
				'WATER | water · ≈ 100 tokens',
				'WEED | weed · ≈ 100 tokens · Off in all workspaces',
				'MOW | mow · ≈ 100 tokens · Disabled for everyone',
			]);
			assert.deepEqual(checked(pick), ['WATER']);
			assert.equal(pick.placeholder, 'Select tools for this workspace (.vscode/settings.json)');
			titles.push(pick.title);
			pick.select();
			titles.push(pick.title);
			pick.hide();
		};
		await choose([server('garden')]);
		assert.deepEqual(titles, ['Tools for models: ≈ 100 tokens · garden', 'Tools for models: 0 tokens · garden']);
	});

	it('writes changes for this workspace, names the file, and offers Undo', async () => {
		const before = { workspaceValue: { garden: { hiddenFromModels: ['water'] }, other: { disabled: ['weed'] } } };
		settings.set(key, before);
		play = pick => pick.accept('WATER', 'MOW');
		await choose([server('garden')]);
		assert.deepEqual(settings.get(key), {
			workspaceValue: { other: { disabled: ['weed'] }, garden: { hiddenFromModels: ['weed'] } },
		});
		assert.deepEqual(told, ['Models now get 2 of 3 tools (≈ 200 tokens). Written to .vscode/settings.json.']);
		presses = ['Undo'];
		play = pick => pick.accept('MOW');
		await choose([server('garden')]);
		assert.deepEqual(settings.get(key)?.workspaceValue, {
			other: { disabled: ['weed'] },
			garden: { hiddenFromModels: ['weed'] },
		});
	});

	it('writes nothing without a change, or if the list was closed', async () => {
		play = pick => pick.accept('WATER', 'WEED', 'MOW');
		await choose([server('garden')]);
		play = pick => {
			pick.select();
			pick.hide();
		};
		await choose([server('garden')]);
		assert.deepEqual([settings.get(key), told], [undefined, []]);
	});

	it('switches to all workspaces and keeps the checked tools', async () => {
		settings.set(key, { workspaceValue: { garden: { hiddenFromModels: ['mow'] } } });
		play = pick => {
			pick.select('MOW', 'WATER');
			pick.press('Choose for All Workspaces');
			assert.equal(pick.placeholder, 'Select tools for all workspaces (User Settings)');
			assert.deepEqual(checked(pick), ['WATER', 'MOW']);
			assert.equal(pick.lines[2], 'MOW | mow · ≈ 100 tokens · Off in this workspace');
			pick.accept(...checked(pick));
		};
		await choose([server('garden')]);
		assert.deepEqual(settings.get(key), {
			globalValue: { garden: { hiddenFromModels: ['weed'] } },
			workspaceValue: { garden: { hiddenFromModels: ['mow'] } },
		});
		assert.deepEqual(told, ['Models now get 1 of 3 tools (≈ 100 tokens). Written to User Settings.']);
	});

	it('asks before it turns on tools that are disabled or off in all workspaces', async () => {
		const values = {
			globalValue: { garden: { hiddenFromModels: ['weed'] } },
			workspaceValue: { garden: { disabled: ['mow'] } },
		};
		settings.set(key, values);
		play = pick => pick.accept('WEED', 'MOW', 'WATER');
		await choose([server('garden')]);
		const questions = [
			"Tools that are off in all workspaces can't be turned on for one workspace only. | weed",
			'These tools are disabled for everyone. Enable them? | mow',
		];
		assert.deepEqual([settings.get(key), told], [values, questions]);
		presses = ['Turn On Everywhere', 'Enable'];
		await choose([server('garden')]);
		assert.deepEqual(settings.get(key), { globalValue: undefined, workspaceValue: undefined });
		const message = 'Models now get 3 of 3 tools (≈ 300 tokens). Written to User Settings, .vscode/settings.json.';
		assert.deepEqual(told.slice(2), [...questions, message]);
	});

	it('lists the tools of all servers in the Command Palette, and writes into the workspace file', async () => {
		workspace.workspaceFile = Uri.file('/home/me/yard.code-workspace');
		play = pick => {
			assert.deepEqual(pick.lines.slice(2, 4), [
				'MOW | one · mow · ≈ 100 tokens',
				'WATER | two · water · ≈ 100 tokens',
			]);
			assert.equal(pick.placeholder, 'Select tools for this workspace (yard.code-workspace)');
			pick.selectedItems = pick.items.slice(1, 5);
			pick.enter();
		};
		await choose([server('one'), server('two')], null);
		assert.deepEqual(settings.get(key)?.workspaceValue, {
			one: { hiddenFromModels: ['water'] },
			two: { hiddenFromModels: ['mow'] },
		});
	});

	it('is for all workspaces if no folder is open', async () => {
		workspace.workspaceFolders = undefined;
		play = pick => {
			assert.deepEqual(pick.buttons, []);
			pick.accept('WATER');
		};
		await choose([server('garden')]);
		assert.deepEqual(settings.get(key), { globalValue: { garden: { hiddenFromModels: ['weed', 'mow'] } } });
	});

	it('says that a server must run first', async () => {
		play = () => assert.fail('a list');
		await choose([server('garden', false)]);
		assert.deepEqual(told, ['Start a server first. Only tools of running servers can be selected.']);
	});
});
