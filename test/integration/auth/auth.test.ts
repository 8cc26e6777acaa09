/** A real authorization server before a real MCP server: everything that a person does with both, in the editor. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi, ProtocolObject } from '../../../src/api.js';
import { heardAtActivation } from '../activation.js';
import { callAsOther, labelled } from '../askingServers.js';
import { QuickInputs, selectAction } from '../quickInputs.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { browse, Guarded } from './guarded.js';
import { Person } from './person.js';

describe('signing in', function () {
	// Each step stands on the one before.
	this.bail(true);
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let tracker: Guarded;
	let other: Guarded;
	let person: Person;

	before(async () => {
		person = new Person();
		api = await activate();
		[tracker, other] = await Promise.all([Guarded.start(), Guarded.start()]);
		const servers = { tracker: { url: tracker.url }, other: { url: other.url } };
		const folder = path.join(workspaceFolder(), '.vscode');
		fs.mkdirSync(folder, { recursive: true });
		writeWhole(path.join(folder, 'mcp-policy.json'), JSON.stringify({ rules: [{ decision: 'allow' }] }));
		writeWhole(path.join(folder, 'mcp.json'), JSON.stringify({ servers }));
		await eventually('both are configured', () => (api.servers().length === 2 ? true : undefined));
	});

	after(async () => {
		person.dispose();
		await Promise.all([tracker.stop(), other.stop()]);
	});

	beforeEach(() => {
		inputs = new QuickInputs();
		person.begin(browse);
	});

	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const run = (command: string, server = 'tracker'): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, { server });
	const call = (tool: string, args: ProtocolObject = {}, server = 'tracker'): Promise<string> =>
		callAsOther(api, server, tool, args);

	async function report(): Promise<string> {
		await run('account.report');
		return eventually('the report', () =>
			vscode.workspace.textDocuments.findLast(it => it.getText().startsWith('Sign-in report for'))?.getText(),
		);
	}

	it('signs in by a page of this machine, and the server runs', async () => {
		let page: unknown;
		person.visit = async url => (page = await browse(url));
		const started = run('account.signIn');
		await inputs.pick(labelled('Sign In'));
		await started;
		await inState(api, 'tracker', 'running');
		assert.match(await call('who-am-i'), /^You are Ada, and may use notes:read/);
		assert.match(String(page), /You can close this page/);
		const { searchParams } = new URL(person.opened[0] ?? '');
		assert.match(searchParams.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback\/[0-9a-f]{12}$/);
		assert.deepEqual(await tracker.wish('lines'), ['register MCP Workbench', 'grant authorization_code']);
	});

	it('refreshes tokens that have ended while a call waits, and opens no browser', async () => {
		await tracker.wish('endTokens');
		assert.match(await call('who-am-i'), /^You are Ada/);
		assert.deepEqual(await tracker.wish('lines'), ['grant refresh_token']);
		assert.deepEqual([person.opened, person.messages], [[], []]);
	});

	it('says why more scopes are needed, and continues the call after a sign-in', async () => {
		person.press = 'Review';
		const added = call('add-note', { note: 'Buy seeds.' });
		await inputs.until(/^Grant "tracker" more permissions/);
		const { lines } = await inputs.pick(labelled('Open Browser'));
		assert.equal(lines[0], 'Reason | The server requires more permissions than you granted');
		const { host } = new URL(tracker.issuer);
		assert.deepEqual(lines.slice(3, 5), [`Sign-in page | ${host}`, `Sign-in code goes to | ${host}`]);
		assert.equal(lines[5], 'Scopes | notes:read notes:write offline_access');
		assert.equal(await added, '2 notes.');
		assert.deepEqual(person.messages, ['tracker requests more permissions: notes:read notes:write offline_access.']);
	});

	it('tells every step, and no secret is in the report', async () => {
		const text = await report();
		for (const part of [
			'challenged  status: 401',
			'requested  request: resourceMetadata',
			`authorizationServer  issuer: ${tracker.issuer}`,
			'client  way: registered',
			'scopes: notes:read offline_access, from: resource',
			'returned  outcome: code',
			'granted  by: refresh',
			'challenged  status: 403, error: insufficient_scope',
			'redirect  way: loopback',
		]) {
			assert.ok(text.includes(part), `${part}\n\n${text}`);
		}
		const secrets = await tracker.wish<string[]>('secrets');
		assert.ok(secrets.length > 0);
		assert.deepEqual(
			secrets.filter(it => text.includes(it)),
			[],
		);
	});

	it('signs out: the authorization server is told, and the next start asks again', async () => {
		await tracker.wish('lines');
		await selectAction(inputs, 'tracker', 'Account…', 'Sign Out');
		assert.deepEqual(person.messages, ['Signed out of tracker. The tokens were deleted.']);
		assert.ok((await tracker.wish<string[]>('lines')).includes('refresh token destroyed'));
		const started = run('server.start');
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Not Now'));
		await started;
		await inState(api, 'tracker', 'waiting');
	});

	it('a no on the page is told as one, and nothing stays open', async () => {
		person.visit = url => browse(url, 'refuse');
		const started = run('account.signIn');
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await started;
		const { description } = await inState(api, 'tracker', 'failed');
		assert.match(description, /Authorization request was refused: "access_denied: You said no\."/);
	});

	it('a browser that is left alone can be given up by stopping the server', async () => {
		person.visit = () => Promise.resolve();
		const started = run('account.signIn');
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await eventually('the browser', () => (person.opened.length > 0 ? true : undefined));
		await run('server.stop');
		await started;
		await inState(api, 'tracker', 'stopped');
		const back = new URL(person.opened[0] ?? '').searchParams.get('redirect_uri') ?? '';
		await assert.rejects(fetch(back), 'nobody listens any more');
	});

	it('takes the address where the browser ended, pasted by hand, and nothing that answers no question', async () => {
		let ended = '';
		person.visit = async url => {
			// A browser that reaches everything but this machine.
			const back = new URL(url).searchParams.get('redirect_uri') ?? '';
			ended = await lastAddress(url, back);
		};
		const started = run('account.signIn');
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await eventually('the end of the way', () => ended || undefined);
		const stray = vscode.commands.executeCommand('mcpWorkbench.account.pasteAddress');
		await inputs.type(ended.replace(/state=[^&]+/, 'state=another'));
		await stray;
		assert.deepEqual(person.messages, ["This URL doesn't belong to a pending sign-in."]);
		const pasted = vscode.commands.executeCommand('mcpWorkbench.account.pasteAddress');
		await inputs.type(ended);
		await pasted;
		await started;
		await inState(api, 'tracker', 'running');
	});

	it('comes back through the editor where the browser is on another machine', async () => {
		await selectAction(inputs, 'tracker', 'Account…', 'Sign Out');
		const { asExternalUri } = vscode.env;
		const address = 'https://editor.example/callback?vscode-reqid=1&vscode-path=%2Fauth';
		const asked: string[] = [];
		person.setPlace({ remoteName: 'ssh-remote' });
		Object.assign(vscode.env, {
			asExternalUri: (uri: vscode.Uri) => {
				asked.push(uri.toString());
				// A tunnel to the authorization server ends at the same port here.
				return Promise.resolve(uri.scheme === 'http' ? uri : vscode.Uri.parse(address));
			},
		});
		try {
			person.visit = async url => {
				// A page of ours that leads there: the editor would take apart what is encoded in a longer address.
				assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]+$/);
				const ended = new URL(await lastAddress(url, 'https://editor.example/'));
				assert.equal(ended.searchParams.get('vscode-reqid'), '1');
				ended.searchParams.delete('vscode-reqid');
				ended.searchParams.delete('vscode-path');
				const uri = vscode.Uri.parse(`${asked[0]}?${ended.searchParams.toString()}`);
				await heardAtActivation('uriHandler').handleUri(uri);
			};
			const started = run('server.start');
			await inputs.until(/^Sign in to "tracker"/);
			await inputs.pick(labelled('Sign In'));
			await started;
			await inState(api, 'tracker', 'running');
			const handled = `${vscode.env.uriScheme}://mcp-workbench.mcp-workbench/auth`;
			assert.match(asked[0]?.slice(handled.length) ?? '', /^\/[0-9a-f]{12}$/);
			assert.deepEqual([asked[0]?.startsWith(handled), asked.slice(1)], [true, [`${tracker.issuer}/`]]);
			assert.match(await report(), /redirect  way: uriHandler/);
		} finally {
			person.setPlace({ remoteName: undefined });
			Object.assign(vscode.env, { asExternalUri });
		}
	});

	it('two servers at once do not mix, though the second browser comes back first', async () => {
		await selectAction(inputs, 'tracker', 'Account…', 'Sign Out');
		const held: string[] = [];
		person.visit = url => Promise.resolve(held.push(url));
		const started: Thenable<unknown>[] = [];
		for (const server of ['tracker', 'other']) {
			// Of two sheets one would be told by a notification.
			started.push(run('server.start', server));
			await inputs.until(/^Sign in to/);
			await inputs.pick(labelled('Sign In'));
			await eventually('the browser', () => (held.length === started.length ? true : undefined));
		}
		for (const url of held.toReversed()) {
			await browse(url);
		}
		await Promise.all(started);
		await Promise.all(['tracker', 'other'].map(it => inState(api, it, 'running')));
		assert.match(await call('who-am-i', {}, 'other'), /^You are Ada/);
	});
});

/** Where a browser ends that cannot reach `back`. */
async function lastAddress(url: string, back: string): Promise<string> {
	let last = '';
	const { fetch } = globalThis;
	globalThis.fetch = async (input, init) => {
		const address = input instanceof Request ? input.url : String(input);
		if (address.startsWith(back)) {
			last = address;
			return new Response('cannot be reached');
		}
		return fetch(input, init);
	};
	try {
		await browse(url);
	} finally {
		globalThis.fetch = fetch;
	}
	return last;
}
