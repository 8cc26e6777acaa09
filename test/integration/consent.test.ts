import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { QuickInputs } from './quickInputs.js';
import { activate, eventually, forgetRecords, inState, records, workspaceFolder } from './support.js';

const recorder = path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures', 'servers', 'recorder.mjs');
const inputCommand = 'mcpWorkbench.test.consent';

describe('consent to servers of a workspace', () => {
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
		await vscode.commands.executeCommand('mcpWorkbench.consents.forget');
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
		const file = `${configFile()}.new`;
		fs.writeFileSync(file, JSON.stringify(config, undefined, '\t'));
		fs.renameSync(file, configFile());
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

	/** Closes the tab that a sheet has opened, which leads back to the sheet. */
	async function closeOpened(): Promise<string> {
		inputs.forget();
		const text = await eventually('what the sheet opens', () => vscode.window.activeTextEditor?.document.getText());
		await inputs.message();
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		return text;
	}

	const started = (): number => records().filter(it => it.started !== undefined).length;

	/** The sheet that is shown, and its lines. */
	async function sheet(): Promise<{ title: string | undefined; lines: string[] }> {
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		return { title: pick.title, lines: pick.items.map(it => [it.label, it.description].filter(Boolean).join(' | ')) };
	}

	/** Starts what may be started only after all of it was shown. */
	async function startSeen(): Promise<void> {
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		const isGated = (): boolean => pick.items.some(it => it.label === 'Start' && it.description !== undefined);
		assert.ok(isGated(), 'it could be started without a look at all of it');
		pick.activeItems = pick.items.filter(it => it.label === 'Show in Full');
		await delay(50);
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		await eventually('that it was shown', () => (isGated() ? undefined : true));
		await inputs.pick(it => it.label === 'Start');
	}

	it('shows what will be run, and runs nothing of it before it is allowed', async () => {
		const calls: unknown[] = [];
		const command = vscode.commands.registerCommand(inputCommand, () => calls.push('called') && 'value');
		try {
			const config = {
				servers: {
					shown: server({ args: [recorder, '--of=${input:run}', 'a b', 'safe\u202Egpj.exe $(zap)'], envFile: 'a.env' }),
				},
				inputs: [{ id: 'run', type: 'command', command: inputCommand, args: { text: 'a  b' } }],
			};
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=1\nNODE_OPTIONS=--no-warnings\n');
			await configure(config, 'shown');
			const done = start('shown');
			await inState(api, 'shown', 'waiting');
			const { title, lines } = await sheet();
			assert.equal(title, 'Start "shown"?');
			// Paths are as long as they are: they may take several lines.
			const textOf = (label: string): string => {
				const start = lines.findIndex(it => it.startsWith(`${label} | `));
				const end = lines.findIndex((it, index) => index > start && !it.startsWith('… | '));
				return lines
					.slice(start, end)
					.map(it => it.slice(it.indexOf(' | ') + 3))
					.join('')
					.replaceAll(' ', '');
			};
			assert.match(textOf('Program'), /^node→\/.*\/node$/);
			assert.equal(
				textOf('Arguments'),
				`${recorder}--of=\${input:run}"ab""safe\\u{202e}gpj.exe$\u200B(zap)"`.replaceAll(' ', ''),
			);
			assert.deepEqual(
				lines.filter(it => !/^(Program|Arguments|…) /.test(it)),
				[
					'About this server',
					'Show in Full | Not everything about this server is shown exactly',
					'Reason | New server',
					`Working directory | ${workspaceFolder()}`,
					'Environment | RECORD_FILE, A_TOKEN',
					'Environment file | a.env',
					'From environment file | NODE_OPTIONS = --no-warnings',
					`Editor command | ${inputCommand} {"text":"a⟨␣×2⟩b"} for input run`,
					`Shared folders | ${path.basename(workspaceFolder())}`,
					`Configured in | .vscode/mcp.json of folder "${path.basename(workspaceFolder())}"`,
					'Decide',
					'Start | Opens the full view first',
					"Don't Start",
				],
			);
			assert.ok(!lines.some(it => it.includes('sesame')));
			assert.deepEqual([calls, started()], [[], 0]);

			await inputs.pick(it => it.label === "Don't Start");
			await done;
			assert.deepEqual([stateOf('shown'), calls, started()], ['waiting', [], 0]);

			const again = start('shown');
			await inputs.pick(it => it.label === 'Start');
			await closeOpened();
			await inputs.pick(it => it.label === 'Start');
			await again;
			await inState(api, 'shown', 'running');
			assert.deepEqual([calls, started()], [['called'], 1]);
			// A file of variables is part of what was seen, as far as it changes what runs.
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--no-warnings\n');
			await start('shown');
			await inState(api, 'shown', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--require ./evil.js\n');
			const changed = start('shown');
			const { lines: now } = await sheet();
			assert.equal(now[0], 'Reason | Changed since approval: variable NODE_OPTIONS of the environment file');
			assert.ok(now.includes('From environment file | NODE_OPTIONS = "--require ./evil.js"'), now.join('\n'));
			await inputs.pick(it => it.label === "Don't Start");
			await changed;
			assert.equal(started(), 2);
		} finally {
			command.dispose();
		}
	});

	it('does not ask again when it is started again', async () => {
		await configure({ servers: { again: server() } }, 'again');
		const done = start('again');
		await inputs.pick(it => it.label === 'Start');
		await done;
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'again' });
		await start('again');
		await inState(api, 'again', 'running');
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'again' });
		await inState(api, 'again', 'running');
		assert.equal(started(), 3);
	});

	it('takes Enter alone, and a sheet that disappears, for no yes', async () => {
		await configure({ servers: { kept: server() } }, 'kept');
		const done = start('kept');
		await sheet();
		await delay(50);
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		await delay(50);
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		inputs.forget();
		await delay(50);
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
		// The start waits on: to start it again is to see its sheet again.
		await start('kept');
		await inputs.pick(it => it.label === "Don't Start");
		await done;
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
	});

	it('shows everything in full, and the place in the file, without an answer', async () => {
		await configure({ servers: { full: server({ args: [recorder, 'x'.repeat(2000)] }) } }, 'full');
		const done = start('full');
		const { lines } = await sheet();
		assert.ok(lines.includes('Show in Full | Not everything about this server is shown exactly'), lines.join('\n'));
		assert.ok(lines.includes('Start | Opens the full view first'), lines.join('\n'));
		await inputs.pick(it => it.label === 'Start');
		const text = await closeOpened();
		assert.equal(
			text.match(/x/g)?.filter(it => it === 'x').length,
			2000 + (text.replace(/x{50,}/g, '').match(/x/g)?.length ?? 0),
		);
		assert.ok(text.includes('"RECORD_FILE"') && text.includes('"A_TOKEN"') && !text.includes('sesame'), text);
		assert.ok((await sheet()).lines.includes('Start'));
		await inputs.pick(it => it.label === 'Configured in');
		const { document, selection } = await eventually('the place', () => vscode.window.activeTextEditor);
		assert.equal(document.uri.fsPath, configFile());
		assert.match(document.lineAt(selection.active.line).text, /"full"/);
		assert.equal(stateOf('full'), 'waiting');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'full' });
		await done;
		assert.deepEqual([stateOf('full'), started()], ['stopped', 0]);
	});

	it('asks again for what has changed, and says what', async () => {
		await configure({ servers: { changing: server() } }, 'changing');
		const done = start('changing');
		await inputs.pick(it => it.label === 'Start');
		await done;
		const changed = server({
			args: [recorder, '-x'],
			env: { RECORD_FILE: '${workspaceFolder}/recorder.jsonl', B: '1' },
		});
		write({ servers: { changing: changed } });
		assert.match(await inputs.message(), /^changing was stopped because its configuration has changed\.$/);
		const again = start('changing');
		const { lines } = await sheet();
		assert.equal(
			lines.slice(1, 3).join(' ').replace(' … |', ''),
			'Reason | Changed since approval: arguments, environment variable B (new), environment variable A_TOKEN (removed)',
		);
		await inputs.pick(it => it.label === 'Start');
		await again;
		await inState(api, 'changing', 'running');
		assert.equal(started(), 2);
	});

	it('holds a server back that has changed when it comes back by itself, and says so once', async () => {
		const config = (command: string, more: object = {}): object => ({
			servers: { held: server({ args: [recorder, '${input:run}'] }), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		try {
			await configure(config(inputCommand), 'held');
			const done = start('held');
			await startSeen();
			await done;
			write(config('other.command', { read: server() }));
			// The launch is the same, so only the other server tells that it was read.
			await eventually('the change', () => api.servers().find(it => it.name === 'read'));
			const [pid] = records().flatMap(it => it.started ?? []);
			assert.ok(pid !== undefined);
			process.kill(pid, 'SIGKILL');
			await inState(api, 'held', 'waiting');
			const name = path.basename(workspaceFolder());
			assert.equal(
				await inputs.message(),
				`held has changed in .vscode/mcp.json of folder "${name}". Review it before it starts.`,
			);
			const again = start('held');
			assert.equal((await sheet()).lines[1], 'Reason | Changed since approval: input run');
			await inputs.pick(it => it.label === "Don't Start");
			await again;
			assert.equal(started(), 1);
		} finally {
			command.dispose();
		}
	});

	it('says what is run besides, and that it is restarted, where somebody is writing it', async () => {
		const dev = { watch: ['src/*.py', '!src/old.py'], debug: { type: 'debugpy', debugpyPath: 'tools/my-debugpy' } };
		await configure({ servers: { written: { command: 'python3', args: ['server.py'], dev } } }, 'written');
		const done = start('written');
		const { lines } = await sheet();
		assert.ok(
			lines.some(it => /^Debugger program \| tools\/my-debugpy → \/.*$/.test(it)),
			lines.join('\n'),
		);
		assert.ok(lines.includes('Watched files | src/*.py, !src/old.py'), lines.join('\n'));
		await inputs.pick(it => it.label === "Don't Start");
		await done;
	});

	it('lists those that wait, and goes through them until the person turns away', async () => {
		const names = ['first', 'second', 'third'];
		const config = (command: string, more: object = {}): object => ({
			servers: { ...Object.fromEntries(names.map(it => [it, server({ args: [recorder, '${input:run}'] })])), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		const window = vscode.window as { showInformationMessage: unknown };
		const original = window.showInformationMessage;
		const { showQuickPick } = vscode.window;
		try {
			write(config(inputCommand));
			await eventually('the three', () => api.servers().find(it => it.name === 'third'));
			for (const name of names) {
				const done = start(name);
				await startSeen();
				await done;
			}
			write(config('other.command', { read: server() }));
			await eventually('the change', () => api.servers().find(it => it.name === 'read'));
			const answered = new Promise<void>(resolve => {
				window.showInformationMessage = async (message: string, button: string) => {
					assert.equal(message, '3 requests are waiting for you.');
					resolve();
					return button;
				};
			});
			for (const pid of records().flatMap(it => it.started ?? [])) {
				process.kill(pid, 'SIGKILL');
			}
			Object.assign(vscode.window, {
				showQuickPick: (items: readonly vscode.QuickPickItem[]) => Promise.resolve(items[0]),
			});
			await answered;
			for (const [index, name] of names.entries()) {
				assert.equal((await sheet()).title, `Start "${name}"?`);
				if (index < 2) {
					await inputs.pick(it => it.label === "Don't Start");
				}
			}
			inputs.forget();
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			assert.deepEqual(names.map(stateOf), ['waiting', 'waiting', 'waiting']);
		} finally {
			window.showInformationMessage = original;
			Object.assign(vscode.window, { showQuickPick });
			command.dispose();
		}
	});

	it('does not ask about a server that the person has just added', async () => {
		await configure({ servers: { old: server() } }, 'old');
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await inputs.type(`RECORD_FILE="${path.join(workspaceFolder(), 'recorder.jsonl')}" node ${recorder}`);
		await inputs.type(undefined);
		await inputs.pick();
		await done;
		await inState(api, 'recorder', 'running');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		// The other one in the same file is asked about still.
		const other = start('old');
		await inState(api, 'old', 'waiting');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'old' });
		await other;
	});

	/** A setting that a workspace may have, and that is a text. */
	function setFont(value: string | undefined): Thenable<void> {
		const { Workspace } = vscode.ConfigurationTarget;
		return vscode.workspace.getConfiguration().update('editor.fontFamily', value, Workspace);
	}

	it('asks again for another program, debugger, or setting that names one', async () => {
		const tool = path.join(workspaceFolder(), 'bin', 'tool');
		fs.mkdirSync(path.dirname(tool), { recursive: true });
		const dev = { debug: { type: 'debugpy', debugpyPath: '${config:editor.fontFamily}' } };
		const env = { PATH: 'bin:${env:PATH}' };
		try {
			await configure(
				{ servers: { tool: { command: 'tool', env }, py: { command: 'python3', args: ['-c', 'exit(1)'], dev } } },
				'tool,py',
			);
			const asked = async (name: string): Promise<string[]> => {
				void start(name);
				const { lines } = await sheet();
				await inputs.pick(it => it.label === 'Start');
				await inState(api, name, 'failed');
				return lines;
			};
			assert.ok((await asked('tool')).includes('Program | tool (not found)'));
			fs.writeFileSync(tool, '#!/bin/sh\necho >> bin/tool.runs\nexit 1\n', { mode: 0o755 });
			const lines = await asked('tool');
			assert.equal(lines[0], 'Reason | Changed since approval: path of the program');
			assert.ok(lines.includes('Environment | PATH = bin:${env:PATH}'), lines.join('\n'));
			void start('tool');
			await eventually('its second run', () =>
				fs.readFileSync(`${tool}.runs`, 'utf8').length === 2 ? true : undefined,
			);

			await setFont('debugpy');
			await asked('py');
			await setFont('/w/.cache/evil.sh');
			const evil = await asked('py');
			assert.equal(
				evil.slice(0, 2).join(' ').replace(' … |', ''),
				'Reason | Changed since approval: debugger program, setting editor.fontFamily',
			);
			assert.ok(evil.includes('Debugger program | ${config:editor.fontFamily} → /w/.cache/evil.sh'), evil.join('\n'));
			assert.ok(evil.includes('Setting | editor.fontFamily = /w/.cache/evil.sh'), evil.join('\n'));
		} finally {
			await setFont(undefined);
			fs.rmSync(path.dirname(tool), { recursive: true });
		}
	});

	it('never asks about servers of the person', async () => {
		const env = { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') };
		try {
			await set('servers', { mine: { command: 'node', args: [recorder], env } });
			await inState(api, 'mine', 'stopped');
			await start('mine');
			await inState(api, 'mine', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
		} finally {
			await set('servers', undefined);
		}
	});

	it('forgets on request, and says so', async () => {
		await configure({ servers: { forgotten: server() } }, 'forgotten');
		const done = start('forgotten');
		await inputs.pick(it => it.label === 'Start');
		await done;
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'forgotten' });
		await vscode.commands.executeCommand('mcpWorkbench.consents.forget');
		assert.match(await inputs.message(), /^Forgotten\. Every server of this workspace is shown again/);
		const again = start('forgotten');
		assert.equal((await sheet()).lines[1], 'Reason | New server');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'forgotten' });
		await again;
	});

	function stateOf(name: string): string | undefined {
		return api.servers().find(it => it.name === name)?.state;
	}
});

function configFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp.json');
}
