/** Sign-ins without a browser: each kind of grant in the settings, with a real authorization server. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { labelled } from '../askingServers.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, callTool, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { Guarded } from './guarded.js';
import { Person } from './person.js';

describe('signing in without a browser', () => {
	const names = ['secret', 'key', 'office', 'workload'] as const;
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let person: Person;
	let machines: Guarded;
	let proofs: { readonly secret: string; readonly key: string };

	before(async () => {
		api = await activate();
		machines = await Guarded.start(undefined, 'machines.mjs');
		proofs = await machines.wish('proofs');
		const folder = path.join(workspaceFolder(), '.vscode');
		fs.mkdirSync(folder, { recursive: true });
		writeWhole(path.join(folder, 'mcp-policy.json'), JSON.stringify({ rules: [{ decision: 'allow' }] }));
		const servers = {
			...Object.fromEntries(names.map(it => [it, { url: urlOf(it) }])),
			elsewhere: { url: `${machines.url}/\${env:NOBODY_KNOWS}/mcp` },
		};
		writeWhole(path.join(folder, 'mcp.json'), JSON.stringify({ servers }));
		await eventually(
			'all are configured',
			() => names.every(it => api.servers().some(({ name }) => name === it)) || undefined,
		);
		await configure({
			secret: { grant: 'clientCredentials', clientId: 'robot', issuer: machines.issuer },
			key: { grant: 'clientCredentials', clientId: 'signer', keyId: 'k1' },
			office: {
				grant: 'enterprise',
				clientId: 'office',
				issuer: machines.issuer,
				tokenFile: fileOf('office'),
				identityProvider: {
					issuer: `${machines.issuer}/identity`,
					tokenEndpoint: `${machines.issuer}/identity/token`,
					clientId: 'editor',
				},
			},
			workload: { grant: 'workload', clientId: 'workload', issuer: machines.issuer, tokenFile: fileOf('workload') },
		});
	});

	after(async () => {
		await configure(undefined);
		await machines.stop();
	});

	beforeEach(() => {
		person = new Person();
		inputs = new QuickInputs();
	});

	afterEach(async () => {
		await Promise.all(names.map(it => run('server.stop', it)));
		inputs.dispose();
		person.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const urlOf = (name: string): string => `${machines.url}/${name}/mcp`;
	const fileOf = (name: string): string => path.join(path.dirname(workspaceFolder()), `${name}.token`);
	const run = (command: string, server: string): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, { server });

	function configure(entries: Record<string, object> | undefined): Thenable<void> {
		const setting = entries && Object.fromEntries(Object.entries(entries).map(([name, it]) => [urlOf(name), it]));
		return vscode.workspace
			.getConfiguration('mcpWorkbench')
			.update('auth.servers', setting, vscode.ConfigurationTarget.Global);
	}

	/** What the person enters by "Set Client ID and Secret…". @returns what they are told of the secret */
	async function prove(server: string, clientId: string, proof: string): Promise<string | undefined> {
		const done = run('account.setClient', server);
		await inputs.type(clientId);
		const { prompt } = await inputs.type(proof);
		await done;
		return prompt;
	}

	async function whoAmI(server: string): Promise<string> {
		const { content } = await callTool(api, server, 'who-am-i');
		return (content as { text: string }[]).map(it => it.text).join('');
	}

	/** Starts the server, and again after its tokens expired. The only question is to confirm the issuer of a secret. */
	async function works(server: string, who: string, grants: string[], isConfirmed = false): Promise<void> {
		await machines.wish('lines');
		const started = run('server.start', server);
		if (isConfirmed) {
			await inputs.until(new RegExp(`^Sign in to "${server}"`));
			const { lines } = await inputs.pick(labelled('Sign In'));
			assert.ok(lines.includes(`Client secret goes to | ${new URL(machines.issuer).host}`), lines.join('\n'));
			assert.ok(!lines.some(it => it.startsWith('Sign-in page')), 'no browser opens');
		}
		await started;
		await inState(api, server, 'running');
		assert.equal(await whoAmI(server), `You are ${who}.`);
		assert.deepEqual(await machines.wish('lines'), grants);
		await machines.wish('endTokens');
		assert.equal(await whoAmI(server), `You are ${who}.`);
		assert.deepEqual(await machines.wish('lines'), grants);
		assert.deepEqual(person.opened, []);
	}

	it('by the secret of the client', async () => {
		const prompt = await prove('secret', 'robot', proofs.secret);
		assert.ok(prompt?.includes(`Only ${new URL(machines.issuer).href} gets the secret.`), prompt);
		await works('secret', 'robot', ['robot by client_credentials']);
	});

	it('by its private key, also if an input box removed the line breaks, once the issuer is confirmed', async () => {
		const prompt = await prove('key', 'signer', proofs.key.replaceAll('\n', ' '));
		assert.match(prompt ?? '', /At the next sign-in, you confirm which host gets the secret\.$/);
		await works('key', 'signer', ['signer by client_credentials'], true);
		// Only the server has named its issuer, so another secret is confirmed again.
		const again = await prove('key', 'signer', proofs.key.replaceAll('\n', ' '));
		assert.match(again ?? '', /At the next sign-in, you confirm which host gets the secret\.$/);
	});

	it('by the identity provider of an organization', async () => {
		fs.writeFileSync(fileOf('office'), 'who Ada is\n');
		await prove('office', 'office', proofs.secret);
		await works('office', 'office', [`exchange for ${urlOf('office')}: true`, 'office by jwt-bearer']);
	});

	it('by the token of a workload', async () => {
		fs.writeFileSync(fileOf('workload'), 'assertion for workload\n');
		await works('workload', 'workload', ['workload by jwt-bearer']);
	});

	it('offers no client for a URL with variables, because the client is stored by URL', async () => {
		await run('account.setClient', 'elsewhere');
		assert.match(
			person.messages.join('\n'),
			/^Start elsewhere first\. The URL in the configuration contains variables\./,
		);
	});
});
