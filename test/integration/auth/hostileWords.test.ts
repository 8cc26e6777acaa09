/** What an authorization server says, wherever a person reads it: nothing of it is an icon, a link, markup or a line of its own. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type * as http from 'node:http';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { type Asked, json, ScriptedServer } from '../../support/httpServer.js';
import { openAction, QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { browse } from './guarded.js';
import { Person } from './person.js';

const mark = 'HOSTILE';
/** Each of these means something to some sink. */
const hostile = `${mark} $(trash) [look](command:workbench.action.quit) \u202Edlrow\u2066 <b onclick="x">&amp;\r\n\u2028Status: Signed in\u0007 ${'long '.repeat(1000)}`;

describe('words of an authorization server', function () {
	// Each step stands on the one before.
	this.bail(true);
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let server: ScriptedServer;
	let person: Person;
	/** What the browser has come to. */
	let page = '';
	/** Where it says it: on the page to sign in at, or at its token endpoint. */
	let says: 'atPage' | 'atToken' = 'atPage';

	before(async () => {
		person = new Person();
		api = await activate();
		server = await ScriptedServer.start(answer);
		const folder = path.join(workspaceFolder(), '.vscode');
		fs.mkdirSync(folder, { recursive: true });
		writeWhole(path.join(folder, 'mcp.json'), JSON.stringify({ servers: { hostile: { url: server.url } } }));
		await eventually('it is configured', () => api.servers().find(it => it.name === 'hostile'));
		inputs = new QuickInputs();
		person.visit = async url => {
			const shown = await browse(url);
			page = says === 'atPage' ? shown : page;
		};
	});

	after(async () => {
		await run('server.stop');
		inputs.dispose();
		person.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await server.close();
	});

	function answer(asked: Asked, response: http.ServerResponse): void {
		const { pathname, searchParams } = new URL(asked.path, server.origin);
		// What no scope can be is not taken at all; this one can.
		const scope = `${mark}$(trash)[look](command:quit)${'x'.repeat(400)}`;
		switch (pathname) {
			case '/mcp':
				json(response, {}, 401, { 'www-authenticate': `Bearer error="${mark} $(trash) [a](command:b)"` });
				return;
			case '/.well-known/oauth-protected-resource/mcp':
				json(response, { resource: server.url, authorization_servers: [server.origin], scopes_supported: [scope] });
				return;
			case '/.well-known/oauth-authorization-server':
				json(response, {
					issuer: server.origin,
					authorization_endpoint: `${server.origin}/authorize`,
					token_endpoint: `${server.origin}/token`,
					registration_endpoint: `${server.origin}/register`,
					code_challenge_methods_supported: ['S256'],
				});
				return;
			case '/register':
				json(response, { client_id: hostile, client_name: hostile }, 201);
				return;
			case '/authorize': {
				const to = new URL(searchParams.get('redirect_uri') ?? '');
				to.searchParams.set('state', searchParams.get('state') ?? '');
				if (says === 'atPage') {
					to.searchParams.set('error', hostile);
					to.searchParams.set('error_description', hostile);
				} else {
					to.searchParams.set('code', 'a-code');
				}
				response.writeHead(302, { location: to.href }).end();
				return;
			}
			default:
				json(response, { error: hostile, error_description: hostile }, pathname === '/token' ? 400 : 404);
		}
	}

	const run = (command: string): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, { server: 'hostile' });

	/** One visible line of bounded length, in which nothing is wild. */
	function assertTame(text: string, wild: RegExp, maxLength: number): void {
		assert.ok(text.includes(mark), `it was said: ${text}`);
		assert.doesNotMatch(text, wild, text);
		assert.doesNotMatch(text, /[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u);
		assert.ok(text.length < maxLength, `${text.length} letters`);
	}

	async function signIn(): Promise<readonly string[]> {
		const started = run('server.start');
		await inputs.until(/^Sign in to "hostile"/);
		const { lines } = await inputs.pick(it => it.label === 'Sign In');
		await started;
		return lines;
	}

	it('on the sheet are text, and push nothing off it', async () => {
		const lines = await signIn();
		const scopes = lines.findIndex(it => it.startsWith('Scopes | '));
		assertTame(lines.slice(scopes, -3).join(' '), /\$\(/, 500);
		assert.ok(lines.length < 20, lines.join('\n'));
		assert.deepEqual(lines.slice(-2), ['Sign In', 'Not Now']);
	});

	for (const where of ['atPage', 'atToken'] as const) {
		it(`${where === 'atPage' ? 'on its page' : 'at its token endpoint'} are text on the line, in messages and in Account…`, async () => {
			says = where;
			person.messages = [];
			await signIn();
			const { description } = await inState(api, 'hostile', 'failed');
			// Its sinks, which render neither: the line of a tree is one line.
			assertTame(description, /\n/, 1000);
			const { ended } = await openAction(inputs, 'hostile', 'Account…');
			const { lines } = await inputs.pick(it => it.label === 'Show Sign-in Report');
			await ended;
			assertTame(lines[0] ?? '', /\$\(|\n/, 400);
			for (const message of person.messages.filter(it => it.includes(mark))) {
				assertTame(message, /\]\(/, 1000);
			}
		});
	}

	it('on the page of the browser are text', () => {
		assert.match(page, /Not signed in/);
		const { index } = /<body/.exec(page) ?? { index: 0 };
		assertTame(page.slice(index).trim().replaceAll('\n', ''), /<b |&amp;/, 1000);
	});

	it('in the report begin no line, and hide nothing', async () => {
		const text = await eventually('the report', () =>
			vscode.workspace.textDocuments.findLast(it => it.getText().startsWith('Sign-in report for hostile'))?.getText(),
		);
		assert.ok(text.includes(mark));
		assert.equal(text.match(/^Status: /gm)?.length, 1);
		assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
		const longest = Math.max(...text.split('\n').map(it => it.length));
		assert.ok(longest < 3000, `${longest} letters`);
	});
});
