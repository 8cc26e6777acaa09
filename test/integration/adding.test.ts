import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { QuickInputs } from './quickInputs.js';
import { activate, eventually, forgetRecords, inState, records, workspaceFolder, writeWhole } from './support.js';

const recorder = path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures', 'servers', 'recorder.mjs');

describe('adding servers', () => {
	let api: ExtensionApi;
	let original: string;
	let inputs: QuickInputs;

	before(async () => {
		api = await activate();
		original = fs.readFileSync(configFile(), 'utf8');
	});

	beforeEach(() => {
		inputs = new QuickInputs();
	});

	afterEach(async () => {
		inputs.dispose();
		for (const { name } of api.servers().filter(it => it.state === 'running')) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		write(original);
		await eventually('the old servers', () => (api.servers().some(it => it.name === 'silent') ? true : undefined));
		forgetRecords();
	});

	function write(text: string): void {
		writeWhole(configFile(), text);
	}

	function read(): string {
		return fs.readFileSync(configFile(), 'utf8');
	}

	it('takes a command line, writes it among comments, reveals and starts it, and Undo takes it back', async () => {
		const before = '{\n  // Mine.\n  "servers": {\n    "old": { "command": "x" } // of old\n  }\n}\n';
		write(before);
		await eventually('the one server', () => (api.servers().length === 1 ? true : undefined));
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await inputs.type(`RECORD_FILE="${path.join(workspaceFolder(), 'recorder.jsonl')}" node ${recorder}`);
		const { value, prompt } = await inputs.type(undefined);
		assert.equal(value, 'recorder');
		assert.match(
			prompt ?? '',
			/^Enter a name for the server \(stdio: node .*recorder\.mjs · Environment: RECORD_FILE\)$/,
		);
		const { lines } = await inputs.pick(inVsCodeFile);
		const folder = path.basename(workspaceFolder());
		const why = 'Other agents read it, too. VS Code writes it, and deprecates .vscode/mcp.json';
		assert.deepEqual(lines, [
			`.mcp.json | ${folder} | ${why}`,
			`.vscode/mcp.json | ${folder}`,
			'User Settings | For all workspaces',
		]);
		await done;
		const entry = {
			type: 'stdio',
			command: 'node',
			args: [recorder],
			env: { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') },
		};
		const json = JSON.stringify(entry, undefined, 2).replaceAll('\n', '\n    ');
		const after = before.replace('"x" } // of old', `"x" }, // of old\n    "recorder": ${json}`);
		assert.equal(read(), after);
		await inState(api, 'recorder', 'running');
		assert.equal(records().filter(it => it.started !== undefined).length, 1);

		const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('nothing is revealed');
		assert.equal(document.isDirty, false);
		assert.equal(document.offsetAt(selection.active), after.indexOf('"recorder"'));
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), before);
		// Undo is proven above. The editor was once seen to save nothing here, so it is asked again.
		await eventually('the file as it was', () => {
			void document.save();
			return read() === before || undefined;
		});
	});

	it('makes the file where there is none, with tabs', async () => {
		fs.rmSync(configFile());
		await eventually('that there is no server', () => (api.servers().length === 0 ? true : undefined));
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await inputs.type('https://127.0.0.1:9/sse');
		await inputs.type('my server');
		await inputs.pick(inVsCodeFile);
		await done;
		const entry = '\t\t"my server": {\n\t\t\t"type": "sse",\n\t\t\t"url": "https://127.0.0.1:9/sse"\n\t\t}\n';
		assert.equal(read(), `{\n\t"servers": {\n${entry}\t}\n}\n`);
	});

	it('keeps CRLF, writes no secret, and asks for it instead', async () => {
		write('{\r\n\t"servers": {}\r\n}\r\n');
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await inputs.type(
			'{"mcpServers":{"gh":{"command":"no-such-command-here","args":["--key","<YOUR_KEY>"],"env":{"GH_TOKEN":"ghp_0123456789abcdefghij"}}}}',
		);
		await inputs.type(undefined);
		await inputs.pick(inVsCodeFile);
		const { lines, proposed } = await inputs.pick();
		assert.deepEqual(lines, [
			'key | Placeholder: <YOUR_KEY>',
			'GH_TOKEN | Looks like a secret. Kept in secret storage',
		]);
		assert.deepEqual(proposed, ['key', 'GH_TOKEN']);
		// It is started, and asks at once, but not for what it was given.
		await inputs.type('the key');
		await done;
		const text = read();
		assert.ok(!/[^\r]\n/.test(text));
		assert.ok(!text.includes('ghp_'));
		assert.deepEqual(JSON.parse(text), {
			servers: {
				gh: {
					type: 'stdio',
					command: 'no-such-command-here',
					args: ['--key', '${input:gh-key}'],
					env: { GH_TOKEN: '${input:gh-token}' },
				},
			},
			inputs: [
				{ id: 'gh-key', type: 'promptString', description: 'key (gh)', password: true },
				{ id: 'gh-token', type: 'promptString', description: 'GH_TOKEN (gh)', password: true },
			],
		});
	});

	it('writes .mcp.json first, with variables that other clients know and the inputs for them', async () => {
		const file = path.join(workspaceFolder(), '.mcp.json');
		try {
			const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
			await inputs.type(`{"gh":{"command":"no-such-command-here","env":{"GH_TOKEN":"ghp_0123456789abcdefghij"}}}`);
			await inputs.type(undefined);
			await inputs.pick();
			await inputs.pick();
			await done;
			await inState(api, 'gh', 'failed');
			assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), {
				inputs: [{ id: 'GH_TOKEN', type: 'promptString', description: 'GH_TOKEN (gh)', password: true }],
				mcpServers: { gh: { type: 'stdio', command: 'no-such-command-here', env: { GH_TOKEN: '${GH_TOKEN}' } } },
			});
			assert.equal(read(), original);
		} finally {
			fs.rmSync(file, { force: true });
		}
	});

	it('moves servers to .mcp.json with the values entered for their inputs', async () => {
		const root = path.join(workspaceFolder(), '.mcp.json');
		fs.writeFileSync(root, '{ "mcpServers": { "near": { "command": "kept" } } }\n');
		const inputOf = (id: string): object => ({ id, type: 'promptString', password: true });
		const near = (variable: string): object => ({
			command: 'no-such-command-here',
			env: { KEY: variable },
			envFile: '.env',
		});
		fs.writeFileSync(path.join(workspaceFolder(), '.env'), 'A=b\n');
		write(
			JSON.stringify({
				inputs: [inputOf('my-key')],
				servers: { near: near('${input:my-key}'), far: { url: 'http://127.0.0.1:9' } },
			}),
		);
		try {
			await eventually('the servers', () =>
				api
					.servers()
					.map(it => it.name)
					.join() === 'near,far'
					? true
					: undefined,
			);
			const started = vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'near' });
			await inputs.type('the key');
			await started;
			const uri = vscode.Uri.file(configFile()).toString();
			const done = vscode.commands.executeCommand('mcpWorkbench.configuration.move', { uri });
			const { lines, proposed } = await inputs.pick(it => it.label === 'near');
			assert.deepEqual(
				[lines, proposed],
				[
					["near | Other clients don't read envFile", 'far'],
					['near', 'far'],
				],
			);
			assert.deepEqual((await inputs.pick(it => it.label === 'Move as "near-2"')).lines, [
				'Move as "near-2"',
				'Replace the server in .mcp.json',
			]);
			await done;
			assert.deepEqual(JSON.parse(read()), { inputs: [], servers: { far: { url: 'http://127.0.0.1:9' } } });
			assert.deepEqual(JSON.parse(fs.readFileSync(root, 'utf8')), {
				inputs: [inputOf('MY_KEY')],
				mcpServers: { near: { command: 'kept' }, 'near-2': near('${MY_KEY}') },
			});
			assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, root);
			await eventually('the moved server', () => api.servers().find(it => it.name === 'near-2'));
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'near-2' });
			await inState(api, 'near-2', 'failed');
		} finally {
			fs.rmSync(root);
			fs.rmSync(path.join(workspaceFolder(), '.env'));
		}
	});

	it('reverts a move with one Undo', async () => {
		const root = path.join(workspaceFolder(), '.mcp.json');
		const before = '{ "servers": {"far": { "url": "http://127.0.0.1:9" }} } // mine\n';
		try {
			write(before);
			await eventually('the server', () =>
				api
					.servers()
					.map(it => it.name)
					.join() === 'far'
					? true
					: undefined,
			);
			const done = vscode.commands.executeCommand('mcpWorkbench.configuration.move');
			await inputs.pick();
			await done;
			const far = { url: 'http://127.0.0.1:9' };
			assert.deepEqual(JSON.parse(fs.readFileSync(root, 'utf8')), { mcpServers: { far } });
			assert.equal(read(), '{ "servers": {} } // mine\n');
			// The last input may still have the focus.
			await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
			await vscode.commands.executeCommand('undo');
			await eventually('the files as they were', () => (!fs.existsSync(root) && read() === before) || undefined);
		} finally {
			fs.rmSync(root, { force: true });
		}
	});

	it('puts it into your settings where that is chosen, with what it asks for, and Undo takes it back', async () => {
		const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpWorkbench');
		const { Global } = vscode.ConfigurationTarget;
		const region = { id: 'own-key', type: 'promptString', description: 'Mine' };
		await settings().update('inputs', [region], Global);
		await settings().update('servers', { old: { command: 'x', args: ['${input:own-key}'] } }, Global);
		try {
			const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
			await inputs.type('{"own":{"command":"no-such-command-here","env":{"KEY":"<YOUR_KEY>"}}}');
			await inputs.type(undefined);
			await inputs.pick(it => it.label === 'User Settings');
			await inputs.pick();
			// It is started, and asks at once.
			await inputs.type('the key');
			await done;
			assert.equal(read(), original, 'the workspace is left alone');
			const own = { type: 'stdio', command: 'no-such-command-here', env: { KEY: '${input:own-key-2}' } };
			assert.deepEqual(settings().get('servers'), { old: { command: 'x', args: ['${input:own-key}'] }, own });
			const added = { id: 'own-key-2', type: 'promptString', description: 'KEY (own)', password: true };
			assert.deepEqual(settings().get('inputs'), [region, added]);
			await inState(api, 'own', 'failed');

			const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('nothing is revealed');
			assert.ok(!document.getText().includes('the key'));
			assert.ok(document.getText().slice(document.offsetAt(selection.active)).startsWith('"own"'));
			// The last input may still have the focus.
			await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
			await vscode.commands.executeCommand('undo');
			assert.ok(!document.getText().includes('no-such-command-here'), 'Undo does not work');
			await document.save();
			await eventually('that it is gone', () => (api.servers().some(it => it.name === 'own') ? undefined : true));
		} finally {
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			await settings().update('servers', undefined, Global);
			await settings().update('inputs', undefined, Global);
		}
		await eventually('that all are gone', () => (api.servers().some(it => it.name === 'old') ? undefined : true));
	});

	describe('from other clients', () => {
		const kept = { ...process.env };
		let home: string;

		before(() => {
			home = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-home-'));
			Object.assign(process.env, { HOME: home, USERPROFILE: home, APPDATA: path.join(home, 'AppData', 'Roaming') });
			delete process.env['XDG_CONFIG_HOME'];
			delete process.env['CLAUDE_CONFIG_DIR'];
			delete process.env['VSCODE_PORTABLE'];
		});

		after(() => {
			for (const name of [
				'HOME',
				'USERPROFILE',
				'APPDATA',
				'XDG_CONFIG_HOME',
				'CLAUDE_CONFIG_DIR',
				'VSCODE_PORTABLE',
			]) {
				const value = kept[name];
				if (value === undefined) {
					delete process.env[name];
				} else {
					process.env[name] = value;
				}
			}
			fs.rmSync(home, { recursive: true });
		});

		function put(file: string, text: string): void {
			fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
			fs.writeFileSync(path.join(home, file), text);
		}

		it('offers what they have, marks what is there already, and copies what is chosen', async () => {
			const thing = { command: 'npx', args: ['-y', 'thing'], env: { API_KEY: 'abcdef' }, disabled: false };
			put('.cursor/mcp.json', JSON.stringify({ mcpServers: { thing, dup: { command: 'no-such-command-anywhere' } } }));
			put(
				'.codeium/windsurf/mcp_config.json',
				JSON.stringify({ mcpServers: { other: { serverUrl: 'https://$(zap).dev/mcp' }, same: thing } }),
			);
			put('.claude.json', '{ "mcpServers": ');
			const ofWorkspace = path.join(workspaceFolder(), '.cursor', 'mcp.json');
			fs.mkdirSync(path.dirname(ofWorkspace));
			fs.writeFileSync(ofWorkspace, JSON.stringify({ mcpServers: { shared: { command: 'sh' } } }));
			write('{\n  "servers": {\n    "missing": { "command": "no-such-command-anywhere" }\n  }\n}\n');
			await eventually('the server', () => (api.servers().length === 1 ? true : undefined));
			const done = vscode.commands.executeCommand('mcpWorkbench.servers.import');
			const { lines, proposed, placeholder } = await inputs.pick();
			assert.match(placeholder ?? '', /^Select servers to import from (this computer|the remote machine \(.*\))$/);
			assert.deepEqual(lines, [
				'Claude Code',
				`$(warning) ~${path.sep}.claude.json | Can't be read: Not valid JSON | Select to open the file`,
				'Cursor',
				`thing | npx -y thing | ~${path.sep}${path.join('.cursor', 'mcp.json')}`,
				`dup | Already configured: no-such-command-anywhere | ~${path.sep}${path.join('.cursor', 'mcp.json')}`,
				'Windsurf',
				`other | https://$\u200B(zap).dev/mcp | ~${path.sep}${path.join('.codeium', 'windsurf', 'mcp_config.json')}`,
				`same | Already configured: npx -y thing | ~${path.sep}${path.join('.codeium', 'windsurf', 'mcp_config.json')}`,
				'Cursor',
				`shared | sh | From this workspace: ${ofWorkspace}`,
			]);
			assert.deepEqual(proposed, ['thing', 'other']);
			fs.rmSync(path.dirname(ofWorkspace), { recursive: true });
			await inputs.pick(inVsCodeFile);
			assert.deepEqual((await inputs.pick()).lines, ['API_KEY | Looks like a secret. Kept in secret storage | thing']);
			await done;
			assert.deepEqual(JSON.parse(read()), {
				servers: {
					missing: { command: 'no-such-command-anywhere' },
					thing: { type: 'stdio', command: 'npx', args: ['-y', 'thing'], env: { API_KEY: '${input:thing-api-key}' } },
					other: { type: 'http', url: 'https://$(zap).dev/mcp' },
				},
				inputs: [{ id: 'thing-api-key', type: 'promptString', description: 'API_KEY (thing)', password: true }],
			});
			assert.equal(
				await inputs.message(),
				'Added to .vscode/mcp.json: thing, other. Secrets are kept in secret storage, and not in the configuration.',
			);
			await eventually('both', () => (api.servers().length === 3 ? true : undefined));
			assert.deepEqual(
				api.servers().map(it => it.state),
				['stopped', 'stopped', 'stopped'],
				'none is started',
			);
		});
	});
});

function inVsCodeFile({ label }: vscode.QuickPickItem): boolean {
	return label === '.vscode/mcp.json';
}

function configFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp.json');
}
