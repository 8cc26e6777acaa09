// Covers M2 and M3: servers start with the workspace folder as their root, stop, restart, crash and fail.
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Everything, startEverything } from '../../integration/everything.js';
import {
	activate,
	callTool,
	eventually,
	forgetRecords,
	inState,
	isAlive,
	recordedRoots,
	records,
	workspaceFolder,
} from '../../integration/support.js';
import { removePolicy, run, set, snapshotOf, start, writePolicy } from '../support.js';

describe('servers', () => {
	afterEach(async () => {
		await run('server.stop', { server: 'recorder' });
		forgetRecords();
	});

	const processIds = (): number[] => records().flatMap(it => it.started ?? []);

	it('starts a server and lists what it offers', async () => {
		const api = await start('recorder');
		await eventually('the lists', () => snapshotOf(api, 'recorder')?.counts.resourceTemplates === 0 || undefined);
		const { counts, protocolVersion, era } = snapshotOf(api, 'recorder') ?? assert.fail();
		assert.deepEqual(counts, { tools: 1, resources: 1, resourceTemplates: 0, prompts: undefined });
		assert.deepEqual([protocolVersion, era], ['2025-11-25', 'legacy']);
	});

	it('tells a server the workspace folder as its root', async () => {
		await start('recorder');
		const roots = await eventually('the answer to roots/list', () => recordedRoots()[0]);
		assert.deepEqual(roots, [path.basename(workspaceFolder())]);
	});

	it('starts a server when another extension first uses it', async () => {
		const api = await activate();
		writePolicy({ decision: 'allow', server: 'recorder' });
		const { content } = await callTool(api, 'recorder', 'say', { text: 'hello' });
		removePolicy();
		assert.deepEqual(content, [{ type: 'text', text: '{"text":"hello"}' }]);
		assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
	});

	it('stops a server: stdin is closed and the process is gone', async () => {
		const api = await start('recorder');
		const [pid = assert.fail()] = processIds();
		assert.ok(isAlive(pid));
		await run('server.stop', { server: 'recorder' });
		assert.equal(snapshotOf(api, 'recorder')?.state, 'stopped');
		assert.deepEqual(records().at(-1), { ended: 'stdin' });
		assert.ok(!isAlive(pid));
	});

	it('restarts a server with a new process', async () => {
		const api = await start('recorder');
		await run('server.restart', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		const pids = processIds();
		assert.equal(new Set(pids).size, 2);
		assert.deepEqual(pids.map(isAlive), [false, true]);
	});

	it('starts a server again after a crash', async () => {
		const api = await start('recorder');
		const [pid = assert.fail()] = processIds();
		process.kill(pid, 'SIGKILL');
		await inState(api, 'recorder', 'reconnecting');
		await inState(api, 'recorder', 'running');
		const pids = processIds();
		assert.ok(pids.length > 1 && pids.at(-1) !== pid, String(pids));
	});

	it('says why a server failed and leaves other servers alone', async () => {
		const api = await start('recorder');
		await run('server.start', { server: 'missing' });
		const { description } = await inState(api, 'missing', 'failed');
		assert.match(description, /^Failed: Command not found: no-such-command-anywhere/);
		assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
	});

	describe('over Streamable HTTP', () => {
		let everything: Everything;

		before(async () => {
			everything = await startEverything('streamableHttp');
			await set('servers', { remote: { url: `http://127.0.0.1:${everything.port}/mcp` } });
			const api = await activate();
			await eventually('the server', () => snapshotOf(api, 'remote'));
		});
		after(async () => {
			await run('server.stop', { server: 'remote' });
			await set('servers', undefined);
			everything.child.kill('SIGKILL');
		});

		it('connects, lists, reads a resource and disconnects', async () => {
			const api = await start('remote');
			const { transport, protocolVersion } = snapshotOf(api, 'remote') ?? assert.fail();
			assert.deepEqual([transport, protocolVersion], ['http', '2025-11-25']);
			const uri = 'demo://resource/static/document/architecture.md';
			await run('resource.open', { server: 'remote', uri });
			assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^# Everything Server/);
			await run('server.stop', { server: 'remote' });
			assert.equal(snapshotOf(api, 'remote')?.state, 'stopped');
		});
	});
});
