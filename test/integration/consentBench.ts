// What the tests of consent have in common: a configuration of their own, and the sheet that is shown.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { QuickInputs, revokeAll } from './quickInputs.js';
import { activate, eventually, forgetRecords, pageWith, records, workspaceFolder, writeWhole } from './support.js';

export const recorder = path.join(
	process.env['MCP_WORKBENCH_PROJECT'] ?? '',
	'test',
	'fixtures',
	'servers',
	'recorder.mjs',
);

/** A sheet that is shown. */
export interface Sheet {
	readonly title: string | undefined;
	/** Each with its label and what stands beside it. */
	readonly lines: string[];
	/** The text of a fact, which may take several lines. */
	readonly textOf: (label: string) => string;
}

export interface ConsentBench {
	readonly api: ExtensionApi;
	readonly inputs: QuickInputs;
	readonly set: (name: string, value: unknown) => Thenable<void>;
	readonly write: (config: object) => void;
	readonly configure: (config: object, name: string) => Promise<void>;
	readonly server: (more?: object) => object;
	readonly start: (name: string) => Thenable<unknown>;
	readonly started: () => number;
	readonly sheet: () => Promise<Sheet>;
	readonly startSeen: () => Promise<void>;
	readonly stateOf: (name: string) => string | undefined;
}

/** Asks for consent in the tests of the suite that calls it. */
export function consentBench(): ConsentBench {
	let api: ExtensionApi;
	let original: string;
	let inputs: QuickInputs;

	before(async () => {
		api = await activate();
		original = fs.readFileSync(configFile(), 'utf8');
		await set('confirmServers', 'newOrChanged');
	});

	after(async () => {
		await set('confirmServers', 'never');
		fs.writeFileSync(configFile(), original);
		await eventually('the old servers', () => api.servers().find(it => it.name === 'silent'));
	});

	beforeEach(async () => {
		await revokeAll();
		inputs = new QuickInputs();
	});

	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		forgetRecords();
	});

	function set(name: string, value: unknown): Thenable<void> {
		return vscode.workspace.getConfiguration('mcpWorkbench').update(name, value, vscode.ConfigurationTarget.Global);
	}

	/** In one go: a file that is read while it is still empty has no servers, and those that run are stopped. */
	function write(config: object): void {
		writeWhole(configFile(), JSON.stringify(config, undefined, '\t'));
	}

	/** Writes the file and waits until the server stands there alone. */
	async function configure(config: object, name: string): Promise<void> {
		write(config);
		await eventually(`${name} alone`, () =>
			api
				.servers()
				.map(it => it.name)
				.join() === name
				? true
				: undefined,
		);
	}

	function server(more: object = {}): object {
		const env = { RECORD_FILE: '${workspaceFolder}/recorder.jsonl', A_TOKEN: 'sesame-open-4711' };
		return { command: 'node', args: [recorder], env, ...more };
	}

	function start(name: string): Thenable<unknown> {
		return vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
	}

	const started = (): number => records().filter(it => it.started !== undefined).length;

	/** The sheet that is shown, and its lines. */
	async function sheet(): Promise<Sheet> {
		const { title, items } = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		return {
			title,
			lines: items.map(it => [it.label, it.description].filter(Boolean).join(' | ')),
			textOf: label => {
				const start = items.findIndex(it => it.label === label);
				const end = items.findIndex((it, index) => index > start && it.label !== '…');
				return (
					items
						.slice(start, end)
						// A blank at which a line ends may be shown.
						.map(it => (it.description ?? '').replace(/\u2423$/, ' '))
						.join('')
				);
			},
		};
	}

	/** Closes the page that a sheet has opened, which leads back to the sheet. */
	async function closeOpened(): Promise<string> {
		inputs.forget();
		const text = await pageWith('## Configuration file');
		await inputs.message();
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		return text;
	}

	/** Starts what may be started only after all of it was shown. */
	async function startSeen(): Promise<void> {
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		const isGated = pick.items.some(it => it.label === 'Start' && it.description !== undefined);
		assert.ok(isGated, 'it could be started without a look at all of it');
		await inputs.pick(it => it.label === 'Start');
		await closeOpened();
		await inputs.pick(it => it.label === 'Start');
	}

	function stateOf(name: string): string | undefined {
		return api.servers().find(it => it.name === name)?.state;
	}

	return {
		get api() {
			return api;
		},
		get inputs() {
			return inputs;
		},
		set,
		write,
		configure,
		server,
		start,
		started,
		sheet,
		startSeen,
		stateOf,
	};
}

export function configFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp.json');
}
