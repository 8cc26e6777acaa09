import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { activate, eventually, forgetRecords, inState, pageWith, records, workspaceFolder } from './support.js';

const fixtures = path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures');
const recorder = path.join(fixtures, 'servers', 'recorder.mjs');

/** Answers error messages as a person would: by the first button that fits. */
class Messages {
	readonly shown: { readonly text: string; readonly buttons: readonly string[] }[] = [];
	private readonly original = vscode.window.showErrorMessage;
	private readonly answers: string[] = [];
	private staysOpen = false;

	constructor() {
		this.replace(((text: string, ...buttons: string[]) => {
			this.shown.push({ text, buttons });
			const answer = this.answers.shift();
			if (this.staysOpen) {
				return new Promise(() => undefined);
			}
			return Promise.resolve(buttons.find(it => answer !== undefined && it.startsWith(answer)));
		}) as never);
	}

	/** The buttons of the next messages. */
	answer(...buttons: string[]): void {
		this.answers.push(...buttons);
	}

	/** Nobody answers the next messages, nor closes them. */
	leaveOpen(): void {
		this.staysOpen = true;
	}

	next(): Promise<{ text: string; buttons: readonly string[] }> {
		return eventually('a message', () => this.shown.shift());
	}

	dispose(): void {
		this.replace(this.original);
	}

	private replace(show: typeof vscode.window.showErrorMessage): void {
		(vscode.window as { showErrorMessage: unknown }).showErrorMessage = show;
	}
}

describe('the start-up doctor', () => {
	let api: ExtensionApi;
	let messages: Messages;
	let original: string;
	let folder: string;
	const variables = ['SHELL', 'FAKE_SHELL', 'FAKE_SHELL_PATH', 'FAKE_SHELL_GO'];
	const environment = Object.fromEntries(variables.map(it => [it, process.env[it]]));

	before(async () => {
		api = await activate();
		original = fs.readFileSync(configFile(), 'utf8');
	});

	beforeEach(() => {
		messages = new Messages();
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-doctor-'));
		process.env['SHELL'] = path.join(fixtures, 'shells', 'shell.sh');
		process.env['FAKE_SHELL_PATH'] = `${folder}:/usr/bin:/bin`;
		// As version managers install it: its interpreter is beside it, and on no other PATH.
		fs.writeFileSync(path.join(folder, 'only-in-shell'), `#!/usr/bin/env its-node\nimport('${recorder}');\n`, {
			mode: 0o755,
		});
		fs.symlinkSync(process.execPath, path.join(folder, 'its-node'));
	});

	afterEach(async () => {
		messages.dispose();
		for (const { name } of api.servers().filter(it => it.state === 'running')) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		await vscode.workspace
			.getConfiguration('mcpWorkbench')
			.update('serverOptions', undefined, vscode.ConfigurationTarget.Global);
		for (const [name, value] of Object.entries(environment)) {
			if (value === undefined) {
				delete process.env[name];
			} else {
				process.env[name] = value;
			}
		}
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		fs.writeFileSync(configFile(), original);
		await eventually('the old servers', () => (api.servers().some(it => it.name === 'silent') ? true : undefined));
		fs.rmSync(folder, { recursive: true, force: true });
		forgetRecords();
	});

	/** One server, with a comment that every edit must keep. */
	async function configure(entry: Record<string, unknown>): Promise<void> {
		const env = { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') };
		fs.writeFileSync(
			configFile(),
			`{\n  "servers": {\n    // mine\n    "it": ${JSON.stringify({ ...entry, env })} // its end\n  }\n}\n`,
		);
		await eventually('the server', () => (api.servers()[0]?.name === 'it' ? true : undefined));
	}

	async function start(): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'it' });
	}

	it('a command that only the shell knows: one click, and it runs with the PATH of the shell', async () => {
		await configure({ command: 'only-in-shell' });
		messages.answer('Use Shell');
		await start();
		const { text, buttons } = await messages.next();
		assert.equal(
			text,
			`it failed. Command not found: only-in-shell. Your shell finds only-in-shell at ${folder}/only-in-shell, but the editor was started with a different PATH.`,
		);
		assert.deepEqual(buttons, ['Use Shell’s PATH', `Use ${folder}/only-in-shell`, 'Try Again', 'Details']);
		await inState(api, 'it', 'running');
		assert.deepEqual(vscode.workspace.getConfiguration('mcpWorkbench').get('serverOptions'), {
			'*': { usePathOfShell: true },
		});
		assert.deepEqual(messages.shown, []);
	});

	it('a command that is nowhere: what to install; the details say where it Search locations', async () => {
		await configure({ command: 'no-such-command-anywhere', args: ['a b', '--x'] });
		messages.answer('Details');
		await start();
		const { text, buttons } = await messages.next();
		assert.match(text, /^it failed\. Command not found: no-such-command-anywhere\. The program isn't installed on /);
		assert.deepEqual(buttons, ['Edit Configuration', 'Try Again', 'Show Log', 'Details']);
		const report = await pageWith('# Diagnosis of it');
		const lines = report.split('\n');
		for (const line of [
			'## Solutions',
			"    no-such-command-anywhere 'a b' --x",
			`- Working directory: ${workspaceFolder()}`,
			'## Search locations for no-such-command-anywhere',
			'- Server PATH: Not found',
			'- Shell PATH: Not found',
			'## Server PATH',
			`## Only on the shell PATH (${process.env['SHELL']})`,
			`- ${folder}`,
		]) {
			assert.ok(lines.includes(line), `${line}\n---\n${report}`);
		}
		assert.ok(!report.includes('RECORD_FILE'));
	});

	it('what is no message on standard output is named as the likely bug', async () => {
		await configure({
			command: 'node',
			args: ['-e', "console.log('Listening [x](command:y)'); setTimeout(() => process.exit(1), 50)"],
		});
		await start();
		const { text } = await messages.next();
		assert.equal(
			text,
			'it failed. Exit code 1. The server writes output other than messages to stdout, probably because of a bug in the server: "Listening [x]\u200B(command:y)"',
		);
		assert.deepEqual(records(), []);
	});
});

function configFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp.json');
}
