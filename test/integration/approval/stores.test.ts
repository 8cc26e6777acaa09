/** What approvals keep on the disk and in the editor. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { nullLogger } from '../../../src/base/log.js';
import { callGrants, WorkspaceGrants } from '../../../src/host/grants.js';
import { guardFileOf } from '../../../src/host/guardFiles.js';
import { KeptState } from '../../../src/host/keptState.js';
import { BrokenLockError, Locks } from '../../../src/host/locks.js';
import { Policies } from '../../../src/host/policies.js';
import type { Grant } from '../../../src/model/approval.js';
import { WindowClosingError } from '../../../src/model/closing.js';
import type { ConfigSource, ServerDefinition } from '../../../src/model/serverDefinition.js';

describe('stores of approvals', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-approval-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const never = (): { dispose(): void } => ({ dispose() {} });

	it('have their files with what defines the server', () => {
		const storage = { globalStorageUri: vscode.Uri.file('/global'), storageUri: vscode.Uri.file('/storage') };
		const folderUri = 'file:///w/my%20project';
		const inFolder = { uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName: 'x' };
		const shared = { folderUri: undefined, folderName: undefined };
		const cases: readonly (readonly [ConfigSource, string])[] = [
			[{ kind: 'vscodeFolder', ...inFolder }, '/w/my project/.vscode/mcp-lock.json'],
			[{ kind: 'projectRoot', ...inFolder }, '/w/my project/.vscode/mcp-lock.json'],
			[{ kind: 'workspaceFile', uri: 'file:///w/a.code-workspace', ...shared }, '/w/mcp-lock.json'],
			[{ kind: 'workspaceFile', uri: 'untitled:/tmp/1/workspace.json', ...shared }, '/storage/mcp-lock.json'],
			[{ kind: 'userSettings', uri: 'mcpWorkbench.servers', ...shared }, '/global/mcp-lock.json'],
		];
		for (const [source, expected] of cases) {
			assert.equal(guardFileOf(source, 'mcp-lock.json', storage).path, expected);
		}
	});

	function definition(): ServerDefinition {
		const folderUri = vscode.Uri.file(folder).toString();
		return { name: 'garden', source: { kind: 'vscodeFolder', folderUri } } as unknown as ServerDefinition;
	}

	const storage = (): { globalStorageUri: vscode.Uri; storageUri: undefined } => {
		return { globalStorageUri: vscode.Uri.file(folder), storageUri: undefined };
	};
	const file = (name: string): string => path.join(folder, '.vscode', name);
	const tool = { name: 'water', inputSchema: {} };

	it('pin several tools at once, and write nothing over what cannot be read', async () => {
		const locks = new Locks(storage(), never);
		let changes = 0;
		locks.onDidChange(() => changes++);
		const pin = (name: string): Promise<void> =>
			locks.pin(definition(), { server: 'garden', tool: { ...tool, name }, instructions: undefined });
		await Promise.all(['c', 'a', 'b'].map(pin));
		const lock = await locks.read(definition());
		assert.ok(lock.kind === 'read');
		assert.deepEqual([Object.keys(lock.lock['garden']?.tools ?? {}), changes], [['a', 'b', 'c'], 3]);
		fs.writeFileSync(file('mcp-lock.json'), '{');
		await assert.rejects(pin('d'), BrokenLockError);
		assert.equal(fs.readFileSync(file('mcp-lock.json'), 'utf8'), '{');
		fs.rmSync(file('mcp-lock.json'));
		fs.mkdirSync(file('mcp-lock.json'));
		assert.equal((await locks.read(definition())).kind, 'broken', 'what cannot be read says nothing good');
		locks.dispose();
	});

	it('read a policy anew each time, and the same text as the same policy', async () => {
		const policies = new Policies(storage());
		fs.mkdirSync(path.dirname(file('x')), { recursive: true });
		const none = await policies.ofDefinition(definition());
		assert.deepEqual(none, { kind: 'read', policy: { rules: [], otherwise: 'ask' } });
		fs.writeFileSync(file('mcp-policy.json'), '{ "default": "deny" } // all');
		const first = await policies.ofDefinition(definition());
		assert.deepEqual(first, { kind: 'read', policy: { rules: [], otherwise: 'deny' } });
		assert.equal(await policies.ofDefinition(definition()), first);
		fs.writeFileSync(file('mcp-policy.json'), '{ "default": "allow" }');
		assert.deepEqual(await policies.ofDefinition(definition()), { kind: 'broken' });
		fs.rmSync(file('mcp-policy.json'));
		fs.mkdirSync(file('mcp-policy.json'));
		assert.deepEqual(await policies.ofDefinition(definition()), { kind: 'broken' });
	});

	it('say nothing once the editor has hung up: what cannot be read then is not broken', async () => {
		const { workspace } = vscode;
		const original = Object.getOwnPropertyDescriptor(workspace, 'fs');
		const hungUp = (): Promise<never> => Promise.reject(new vscode.CancellationError());
		Object.defineProperty(workspace, 'fs', { configurable: true, value: { readFile: hungUp } });
		const locks = new Locks(storage(), never);
		try {
			await assert.rejects(new Policies(storage()).ofDefinition(definition()), WindowClosingError);
			await assert.rejects(locks.read(definition()), WindowClosingError);
		} finally {
			locks.dispose();
			assert.ok(original);
			Object.defineProperty(workspace, 'fs', original);
		}
	});

	it('keep answers that last, without those of a session and what is none', async () => {
		const kept = new Map<string, unknown>([['grants', [5, { id: 'x', decision: 'perhaps' }, { lasts: 'workspace' }]]]);
		const memento = {
			get: (key: string) => kept.get(key),
			update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
		} as unknown as vscode.Memento;
		const state = new KeptState(memento, nullLogger);
		const grants = new WorkspaceGrants(state, callGrants);
		assert.deepEqual(grants.list(), []);
		const grant = (decision: Grant['decision'], lasts: Grant['lasts']): Grant => {
			return { id: crypto.randomUUID(), decision, serverId: 's', tools: { water: 'f' }, lasts, time: 1 };
		};
		await grants.add(grant('allow', 'session'));
		await grants.add(grant('deny', 'workspace'));
		for (let count = 0; count < 1000; count++) {
			await grants.add({ ...grant('allow', 'workspace'), time: count });
		}
		const again = new WorkspaceGrants(state, callGrants).list();
		assert.deepEqual([again.length, again[0]?.decision, again[1]?.time], [1000, 'deny', 1], 'a no outlives every yes');
		assert.equal(grants.list().length, 1001);
		await grants.revoke(grants.list().map(it => it.id));
		assert.deepEqual([grants.list(), new WorkspaceGrants(state, callGrants).list()], [[], []]);
		grants.dispose();
	});
});
