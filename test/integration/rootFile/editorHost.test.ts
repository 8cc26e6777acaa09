/** The servers that the editor's own host gets: none, unless the person says so in their settings. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate } from '../support.js';
import { skip } from '../../support/skip.js';

interface Given {
	readonly label: string;
	readonly command?: string;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string | null>>;
	readonly cwd?: vscode.Uri;
	readonly headers?: Readonly<Record<string, string>>;
}

interface Provider {
	provideMcpServerDefinitions(): Promise<Given[]>;
	resolveMcpServerDefinition(server: Given, token: vscode.CancellationToken): Promise<Given | undefined>;
}

describe("the editor's own host of servers", () => {
	const providers: Provider[] = [];
	const lm = vscode.lm as { registerMcpServerDefinitionProvider?: unknown };
	const original = lm.registerMcpServerDefinitionProvider;
	const register = original as (id: string, provider: Provider) => vscode.Disposable;

	before(async function () {
		if (original === undefined) {
			skip(this, 'the editor takes no servers of extensions (since 1.101)');
		}
		await activate();
		// Tests and extension share one `vscode`.
		lm.registerMcpServerDefinitionProvider = (id: string, provider: Provider): vscode.Disposable => {
			assert.equal(id, 'mcpWorkbench.servers.provider');
			providers.push(provider);
			// The editor takes it as well; here its host is switched off.
			const real = register.call(vscode.lm, id, provider);
			return new vscode.Disposable(() => {
				providers.splice(providers.indexOf(provider), 1);
				real.dispose();
			});
		};
	});
	after(async () => {
		lm.registerMcpServerDefinitionProvider = original;
		await set('confirmServers', 'never');
		await set('servers', undefined);
		await set('registerWithEditor', undefined);
	});

	const set = (name: string, value: unknown): Thenable<void> =>
		vscode.workspace.getConfiguration('mcpWorkbench').update(name, value, vscode.ConfigurationTarget.Global);
	const provided = async (): Promise<Given[]> => (await providers[0]?.provideMcpServerDefinitions()) ?? [];
	const { token } = new vscode.CancellationTokenSource();

	it('gets nothing by default, nor because a workspace wants it', async () => {
		await vscode.workspace
			.getConfiguration('mcpWorkbench')
			.update('registerWithEditor', true)
			.then(undefined, () => undefined);
		assert.deepEqual(providers, []);
	});

	it('gets those that are allowed, and their secrets only when it starts one', async () => {
		await set('servers', {
			mine: { command: process.execPath, args: ['x.js'], env: { TOKEN: 'hunter22', PATH: null } },
			far: { url: 'https://mcp.example/x', headers: { Authorization: 'Bearer hunter22' } },
		});
		await set('registerWithEditor', true);
		assert.equal(providers.length, 1);
		const servers = await provided();
		assert.deepEqual(servers.map(it => it.label).toSorted(), ['far', 'mine', 'project']);
		assert.ok(!JSON.stringify(servers).includes('hunter22'));
		const resolve = (label: string): Promise<Given | undefined> | undefined => {
			const server = servers.find(it => it.label === label);
			assert.ok(server);
			return providers[0]?.resolveMcpServerDefinition(server, token);
		};
		const mine = await resolve('mine');
		assert.deepEqual([mine?.command, mine?.args], [process.execPath, ['x.js']]);
		assert.deepEqual(mine?.env, { TOKEN: 'hunter22', PATH: null });
		assert.deepEqual((await resolve('far'))?.headers, { Authorization: 'Bearer hunter22' });
		const project = await resolve('project');
		// The file that was shown, and not what the editor would find.
		assert.match(project?.command ?? '', /^\/.*\/node$/);
		assert.match(project?.args?.[0] ?? '', /good\.mjs$/);
		assert.ok(!project?.args?.[0]?.includes('${'));
		assert.equal(project?.cwd?.fsPath, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
	});

	it('gets no server of the workspace that the person has not allowed', async () => {
		const [project] = (await provided()).filter(it => it.label === 'project');
		assert.ok(project);
		await set('confirmServers', 'newOrChanged');
		await vscode.commands.executeCommand('mcpWorkbench.consents.forget');
		assert.deepEqual((await provided()).map(it => it.label).toSorted(), ['far', 'mine']);
		assert.equal(await providers[0]?.resolveMcpServerDefinition(project, token), undefined);
	});

	it('gets nothing any more once the person has taken it back', async () => {
		await set('registerWithEditor', false);
		assert.deepEqual(providers, []);
	});
});
