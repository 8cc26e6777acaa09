// There is no telemetry: through a whole session, connections are opened to the configured servers and their
// authorization server, and to nothing else.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { Contacts } from '../../support/contacts.js';
import { callAsOther, labelled } from '../askingServers.js';
import { QuickInputs, selectAction } from '../quickInputs.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { browse, Guarded } from './guarded.js';
import { Person } from './person.js';

describe('connections of a session', () => {
	let api: ExtensionApi;
	let contacts: Contacts;
	let inputs: QuickInputs;
	let guarded: Guarded;
	let unused: Guarded;
	let person: Person;
	const project = process.env['MCP_WORKBENCH_PROJECT'] ?? '';
	const config = (): string => path.join(workspaceFolder(), '.vscode', 'mcp.json');

	before(async () => {
		person = new Person();
		[guarded, unused] = await Promise.all([Guarded.start(), Guarded.start()]);
		contacts = new Contacts();
		inputs = new QuickInputs();
		api = await activate();
		fs.mkdirSync(path.dirname(config()), { recursive: true });
		writeWhole(
			path.join(path.dirname(config()), 'mcp-policy.json'),
			JSON.stringify({ rules: [{ decision: 'allow' }] }),
		);
		const local = { command: 'node', args: [path.join(project, 'test', 'fixtures', 'servers', 'good.mjs')] };
		writeWhole(config(), JSON.stringify({ servers: { web: { url: guarded.url }, idle: { url: unused.url }, local } }));
		await eventually('all are configured', () => (api.servers().length === 3 ? true : undefined));
	});
	after(async () => {
		inputs.dispose();
		contacts.dispose();
		person.dispose();
		await Promise.all([guarded.stop(), unused.stop()]);
	});

	const run = (command: string, server: string): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, { server });

	it('are opened to servers that are used and to their authorization servers, and nowhere else', async () => {
		person.begin(url => Contacts.uncounted(() => browse(url)));
		await run('server.start', 'local');
		await inState(api, 'local', 'running');
		const started = run('account.signIn', 'web');
		await inputs.until(/^Sign in to "web"/);
		await inputs.pick(labelled('Sign In'));
		await started;
		await inState(api, 'web', 'running');
		assert.match(await callAsOther(api, 'web', 'who-am-i', {}), /^You are Ada/);
		await selectAction(inputs, 'web', 'Account…', 'Sign Out');
		await run('server.stop', 'local');
		const allowed = [guarded.url, guarded.issuer].map(it => new URL(it).host);
		const places = new Set(contacts.seen.map(it => it.replace(/^localhost:/, '127.0.0.1:')));
		assert.deepEqual(
			[...places].filter(it => !allowed.includes(it)),
			[],
		);
		assert.ok(
			allowed.every(it => places.has(it)),
			'the watch sees what is there',
		);
	});
});
