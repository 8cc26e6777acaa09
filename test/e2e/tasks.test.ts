/** Calls that become tasks, of servers of both eras at URLs: what became of them is told after the window was loaded again. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { type Answer, ScriptedServer } from '../support/httpServer.js';
import { discovery, handshake } from '../support/memoryTransport.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

type Era = 'legacy' | 'modern';

/** What a server has to say of a task, or that it knows it no more. */
type Fate = { readonly status: string; readonly result?: object; readonly error?: object } | 'forgotten';

/** A server whose every call becomes a task; it keeps them, whoever asks. */
class TaskServer {
	/** By the task's id, which is the tool's name. */
	readonly fates = new Map<string, Fate>();
	readonly began: string[] = [];
	/** How often each task was asked after. */
	readonly asked = new Map<string, number>();

	constructor(
		private readonly era: Era,
		private readonly tools: readonly string[],
	) {}

	readonly answer: Answer = ({ method, body }, response) => {
		if (method !== 'POST') {
			response.writeHead(405).end();
			return;
		}
		const { id, method: asked, params } = JSON.parse(body) as { id?: number; method: string; params: object };
		if (id === undefined) {
			response.writeHead(202).end();
			return;
		}
		const found = this.reply(asked, { ...params });
		const error = { code: -32601, message: `Method not found: ${asked}` };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(found ?? { error }) }));
	};

	private reply(method: string, params: Readonly<Record<string, unknown>>): object | undefined {
		const isModern = this.era === 'modern';
		const complete = isModern ? { resultType: 'complete' } : {};
		const { name, taskId = name } = params;
		const fate = this.fates.get(String(taskId)) ?? { status: 'working' };
		switch (method) {
			case 'server/discover': {
				const capabilities = { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
				return isModern ? { result: discovery(capabilities) } : undefined;
			}
			case 'initialize':
				return { result: handshake({ tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } }) };
			case 'ping':
				return { result: {} };
			case 'tools/list': {
				const execution = isModern ? {} : { execution: { taskSupport: 'required' } };
				const tools = this.tools.map(it => ({ name: it, inputSchema: { type: 'object' }, ...execution }));
				const caching = isModern ? { ttlMs: 0, cacheScope: 'private' } : {};
				return { result: { ...complete, ...caching, tools } };
			}
			case 'tools/call':
				this.began.push(String(name));
				return {
					result: isModern ? { ...this.task(name, fate), resultType: 'task' } : { task: this.task(name, fate) },
				};
			case 'tasks/get':
				this.asked.set(String(taskId), (this.asked.get(String(taskId)) ?? 0) + 1);
				return fate === 'forgotten'
					? { error: { code: -32602, message: 'Unknown task' } }
					: { result: { ...complete, ...this.task(taskId, fate) } };
			case 'tasks/result':
				return fate === 'forgotten' ? undefined : fate.error ? { error: fate.error } : { result: fate.result };
			default:
				return undefined;
		}
	}

	private task(taskId: unknown, fate: Fate): object {
		const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
		const modern = { ttlMs: null, pollIntervalMs: 100, ...(fate === 'forgotten' ? {} : fate) };
		const status = fate === 'forgotten' ? 'working' : fate.status;
		return this.era === 'modern'
			? { taskId, status, ...times, ...modern }
			: { taskId, status, ...times, ttl: null, pollInterval: 100 };
	}
}

describe('tasks over a reload', function () {
	this.timeout(180_000);
	const servers = {
		legacy: new TaskServer('legacy', ['dig', 'plant']),
		modern: new TaskServer('modern', ['mow', 'prune']),
	};
	const started: ScriptedServer[] = [];
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		const urls: Record<string, object> = {};
		for (const [name, { answer }] of Object.entries(servers)) {
			const server = await ScriptedServer.start(answer);
			started.push(server);
			urls[name] = { type: 'http', url: server.url };
		}
		const workspace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-tasks-')), 'w');
		fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
		fs.writeFileSync(path.join(workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers: urls }));
		bench = await openWorkbench({ workspace, inPlace: true, theme: 'dark' });
		await bench.openView('MCP Workbench');
	});
	after(async () => {
		await bench.dispose();
		await Promise.all(started.map(it => it.close()));
	});

	async function begin(era: Era, tool: string): Promise<void> {
		await bench.runTool(bench.row(tool));
		// Asked after twice, it is written down by the extension.
		await eventually('the task', () => assert.ok((servers[era].asked.get(tool) ?? 0) > 1));
	}

	async function outcome(tool: string, status: RegExp): Promise<string> {
		const frame = bench.resultFrame();
		await bench.toolPage(tool).waitFor();
		await frame.locator('.status', { hasText: status }).waitFor();
		return frame.locator('body').innerText();
	}

	const history = (): ReturnType<Workbench['view']> => bench.view('History');

	it('ends are told, good and bad ones; what a server has forgotten is only in the history', async () => {
		for (const era of ['legacy', 'modern'] as const) {
			await bench.clickAction(bench.row(era), 'Start Server');
			await bench.row(`${era}Running`).waitFor();
		}
		// The lower one first, so that the upper stays where it is.
		const groups = bench.view().locator('.monaco-list-row', { hasText: 'Tools2' });
		await groups.nth(1).click();
		await groups.nth(0).click();
		await begin('legacy', 'dig');
		await begin('legacy', 'plant');
		await begin('modern', 'mow');
		await begin('modern', 'prune');
		await bench.page.reload();
		await bench.whenReady();
		servers.legacy.fates.set('plant', 'forgotten');
		for (const era of ['legacy', 'modern'] as const) {
			await bench.clickAction(bench.row(era), 'Start Server');
			await bench.row(`${era}Running`).waitFor();
		}
		await bench.notification('legacy: dig');
		await bench.screenshot('tasks-1-followed');

		const result = { content: [{ type: 'text', text: 'A hole.' }], isError: false };
		servers.legacy.fates.set('dig', { status: 'completed', result });
		assert.match(await outcome('dig', /^Done/), /A hole\./);
		const stones = { code: -32603, message: 'Nothing but stones here' };
		servers.modern.fates.set('mow', { status: 'failed', error: stones });
		assert.match(await outcome('mow', /^Failed/), /didn't run the tool: "Nothing but stones here"/);
		await bench.screenshot('tasks-2-failed');
		servers.modern.fates.set('prune', { status: 'cancelled' });
		await outcome('prune', /^Failed/);
		assert.deepEqual(servers.legacy.began, ['dig', 'plant'], 'nothing was called twice');

		await history().locator('.pane-header').click();
		await eventually('the history', async () => {
			const lines = (await bench.rows(history())).map(({ text }) => text.replace(/ · [^·]*$/, ''));
			assert.deepEqual(lines.map(it => it.replace(/[\d.,]+ m?s$/, 'N s')).toSorted(), [
				'dig legacy · N s',
				'mow modern · Failed',
				'plant legacy · Failed',
				'prune modern · Failed',
			]);
		});
		await bench.click(bench.row('plant', history()));
		await eventually('the call', async () =>
			assert.match(await editorText(bench), /\nDecision: Allowed before the window was reloaded\n/),
		);
		await bench.screenshot('tasks-3-history');
	});

	it('and are not followed again', async () => {
		await bench.page.reload();
		await bench.whenReady();
		const asked = (): object => [servers.legacy, servers.modern].map(it => [...it.asked]);
		const before = asked();
		for (const era of ['legacy', 'modern'] as const) {
			await bench.clickAction(bench.row(era), 'Start Server');
			await bench.row(`${era}Running`).waitFor();
			await bench.row('Tools').waitFor();
		}
		assert.deepEqual(asked(), before);
	});
});
