// The client against the real server-everything over both HTTP transports.
import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { nullLogger } from '../../../../src/base/log.js';
import { Client, HttpAbort, LegacySse, type Progress, StreamableHttp } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { freePort } from '../../../../src/node/machine/ports.js';
import { projectRoot } from '../../../host/paths.js';
import { inherited } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { onMessage } from '../../../support/onMessage.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { eventually, next } from '../../../support/waiting.js';

const clientInfo = { name: 'test', version: '1' };

describe('server-everything over HTTP', function () {
	this.timeout(30_000);
	const { own, later } = leakCheck();
	const processes: ChildProcess[] = [];
	const ports = new Map<string, number>();

	before(async () => {
		await Promise.all(['streamableHttp', 'sse'].map(it => startServer(it)));
	});

	after(() => {
		for (const it of processes) {
			it.kill('SIGKILL');
		}
	});

	async function startServer(mode: string): Promise<void> {
		const port = await freePort();
		ports.set(mode, port);
		const file = createRequire(path.join(projectRoot, 'package.json')).resolve(
			'@modelcontextprotocol/server-everything/package.json',
		);
		const program = path.join(path.dirname(file), 'dist', 'index.js');
		const child = spawn(process.execPath, [program, mode], {
			env: { ...inherited(), PORT: String(port) },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		processes.push(child);
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		await eventually(() => output.includes(String(port)), `${mode} listens`);
	}

	function connect(
		mode: 'streamableHttp' | 'sse',
		roots?: () => [],
	): { client: Client; transport: StreamableHttp | LegacySse } {
		const fetch = own(createHttpFetch());
		const options = {
			url: `http://127.0.0.1:${ports.get(mode)}/${mode === 'sse' ? 'sse' : 'mcp'}`,
			fetch,
			log: nullLogger,
		};
		const transport = mode === 'sse' ? new LegacySse(options) : new StreamableHttp(options);
		const client = own(
			new Client({
				open: () => transport,
				mode: 'legacy',
				clientInfo,
				timeoutMs: 20_000,
				log: nullLogger,
				handlers: roots ? { roots } : {},
			}),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		later(() => client.close());
		return { client, transport };
	}

	it('a session that the server has forgotten is told as lost, though it answers 400', async () => {
		const fetch = own(createHttpFetch());
		const url = `http://127.0.0.1:${ports.get('streamableHttp')}/mcp`;
		let session: string | undefined;
		const transport = new StreamableHttp({
			url,
			log: nullLogger,
			fetch: async request => {
				const response = await fetch(request);
				session ??= response.headers['mcp-session-id'];
				return response;
			},
		});
		later(async () => {
			await transport.close();
			transport.dispose();
		});
		const answered = next(transport.onDidReceive);
		const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
		await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
		await answered;
		const headers = { 'mcp-session-id': session ?? '', 'mcp-protocol-version': '2025-11-25' };
		const response = await fetch({ method: 'DELETE', url, headers, abort: new HttpAbort() });
		response.discard();
		assert.equal(response.status, 200);
		const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} } as const;
		await assert.rejects(transport.send(list), { failure: { code: 'sessionLost' } });
	});

	for (const mode of ['streamableHttp', 'sse'] as const) {
		it(`${mode}: shakes hands, lists, reads, calls, reports progress`, async () => {
			const { client } = connect(mode);
			const session = await client.connect(new AbortController().signal);
			assert.equal(session.protocolVersion, '2025-11-25');
			const [tools, resources] = await Promise.all([client.listTools(), client.listResources()]);
			assert.ok(tools.length > 5 && resources.length > 0);
			const { content } = await client.callTool('echo', { message: 'ä\u2028😀' });
			assert.deepEqual(content, [{ type: 'text', text: 'Echo: ä\u2028😀' }]);
			const seen: Progress[] = [];
			await client.callTool(
				'trigger-long-running-operation',
				{ duration: 0.09, steps: 3 },
				{ onProgress: it => seen.push(it) },
			);
			assert.deepEqual(
				seen.map(it => it.progress),
				[1, 2, 3],
			);
			const end = next(client.onDidEnd.bind(client));
			await client.close();
			assert.deepEqual(await end, { expected: true });
		});

		it(`${mode}: the server asks us`, async () => {
			const { client } = connect(mode, () => []);
			const transcript: string[] = [];
			own(
				onMessage(client, ({ direction, message }) => {
					const { method } = message as { method?: string };
					transcript.push(`${direction} ${method ?? 'answer'}`);
				}),
			);
			await client.connect(new AbortController().signal);
			await client.listTools();
			await eventually(() => transcript.includes('received roots/list'), 'roots/list');
		});
	}
});
