/** Secrets of a sign-in are in no place where they must not be, though a server repeats them wherever it can. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, callTool, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { browse } from './guarded.js';
import { LeakyServer } from './leaky.js';
import { Person } from './person.js';

describe('secrets of a sign-in', function () {
	// Each step stands on the one before.
	this.bail(true);
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let leaky: LeakyServer;
	let person: Person;
	/** What a person, or another extension, was told. */
	const told: string[] = [];

	before(async () => {
		person = new Person();
		api = await activate();
		leaky = await LeakyServer.start();
		const folder = path.join(workspaceFolder(), '.vscode');
		fs.mkdirSync(folder, { recursive: true });
		writeWhole(path.join(folder, 'mcp-policy.json'), JSON.stringify({ rules: [{ decision: 'allow' }] }));
		writeWhole(path.join(folder, 'mcp.json'), JSON.stringify({ servers: { leaky: { url: leaky.url } } }));
		await eventually('it is configured', () => api.servers().find(it => it.name === 'leaky'));
		inputs = new QuickInputs();
		person.visit = browse;
	});

	after(async () => {
		await run('server.stop');
		inputs.dispose();
		person.dispose();
		await leaky.close();
	});

	const run = (command: string): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, { server: 'leaky' });
	const labelled =
		(label: string) =>
		(item: vscode.QuickPickItem): boolean =>
			item.label === label;

	async function signIn(): Promise<void> {
		const started = run('server.start');
		await inputs.until(/^Sign in to "leaky"/);
		await inputs.pick(labelled('Sign In'));
		await started;
	}

	async function report(): Promise<string> {
		await run('account.report');
		return eventually('the report', () =>
			vscode.workspace.textDocuments.findLast(it => it.getText().startsWith('Sign-in report for leaky'))?.getText(),
		);
	}

	function assertNone(texts: readonly string[]): void {
		const found = [...leaky.secrets].filter(secret => texts.some(it => holds(it, secret)));
		assert.deepEqual(found, [], texts.join('\n').slice(0, 5000));
	}

	it('are not in what a token endpoint says of its refusal', async () => {
		for (const how of ['refuses', 'challenges'] as const) {
			leaky.tokens = how;
			await signIn();
			const { description } = await inState(api, 'leaky', 'failed');
			told.push(description, await report());
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		}
		assert.ok(
			told.some(it => it.includes('zzzz')),
			'it was told what the endpoint said',
		);
		assertNone([...told, ...person.messages]);
	});

	it('are not in what calls that fail are told as', async () => {
		leaky.tokens = 'grants';
		await signIn();
		await inState(api, 'leaky', 'running');
		for (const tool of ['tell', 'fail']) {
			await callTool(api, 'leaky', tool);
		}
		for (const tool of ['refuse', 'break']) {
			await callTool(api, 'leaky', tool).then(
				() => assert.fail(),
				(error: unknown) => told.push(String(error), JSON.stringify(error)),
			);
		}
		leaky.good.clear();
		leaky.tokens = 'refuses';
		// It waits until the person has signed in, or nobody wants it any more.
		const source = new vscode.CancellationTokenSource();
		const waiting = callTool(api, 'leaky', 'tell', {}, { token: source.token });
		const failed = waiting.catch((error: unknown) => told.push(String(error)));
		await eventually('the question', () => person.messages.find(it => it.startsWith('leaky needs you to sign in')));
		source.cancel();
		await failed;
		source.dispose();
		told.push(await report());
		assertNone([...told, ...person.messages]);
	});

	it('are in no file: no log, no history, no state', async () => {
		// What is not secret, and so must be found: where the search looks is where things are kept.
		const landmarks = {
			log: [/MCP Workbench leaky\.log$/, 'tools/call'],
			history: [/history/, '"tool":"tell"'],
			state: [/IndexedDB|state\.vscdb/, leaky.origin],
		} as const;
		assert.ok(leaky.secrets.size > 10);
		const files = await eventually('all that is kept', () => {
			const read = allFiles();
			const isKept = Object.values(landmarks).every(([name, text]) =>
				read.some(it => name.test(it.file) && holds(it.text, text)),
			);
			return isKept ? read : undefined;
		});
		const found = files.flatMap(({ file, text }) =>
			[...leaky.secrets].filter(it => holds(text, it)).map(it => `${file}: ${it}`),
		);
		assert.deepEqual(found, []);
	});
});

/** In any of the ways in which it may be written. */
function holds(text: string, secret: string): boolean {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const forms = [secret, inJson, JSON.stringify(inJson).slice(1, -1), encodeURIComponent(secret)];
	// A part of it is as bad.
	return forms.some(it => text.includes(it)) || text.includes(secret.slice(0, 16));
}

/** What the editor and the extension keep on the disk. Of the browser, what it keeps for the editor. */
function allFiles(): { readonly file: string; readonly text: string }[] {
	const browser = process.env['MCP_WORKBENCH_TEST_BROWSER'] ?? '';
	const roots = [path.dirname(workspaceFolder()), os.tmpdir(), browser].filter(it => /mcp-workbench-/.test(it));
	return roots.flatMap(root =>
		fs
			.readdirSync(root, { recursive: true, withFileTypes: true })
			.filter(it => it.isFile())
			.map(it => path.join(it.parentPath, it.name))
			.filter(it => !it.includes('/chromium/') || /IndexedDB|Local Storage/.test(it))
			.map(file => ({ file, text: readAny(file) })),
	);
}

/** Databases write letters as one byte or two. */
function readAny(file: string): string {
	try {
		const text = fs.readFileSync(file, 'latin1');
		return text.replaceAll('\0', '');
	} catch {
		// Gone meanwhile.
		return '';
	}
}
