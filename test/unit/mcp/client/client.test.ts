// The handshake and every typed call of a client.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { Root } from '../../../../src/mcp/wire/types.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type Method } from '../../../support/memoryTransport.js';
import { canTask } from '../../../support/tasksBench.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { initialize, never, clientBench } from '../../../support/clientBench.js';

describe('Client', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { create, connected, failure } = clientBench(cleanup);

	describe('handshake', () => {
		// covers: lifecycle.initializeFirst
		it('offers the newest revision, then says that it is ready', async () => {
			const capabilities = { tools: { listChanged: true }, experimental: { x: {} } };
			const { client, transport } = create({ capabilities });
			assert.throws(() => client.session, { failure: { code: 'closed' } });
			const session = await client.connect(never);
			assert.deepEqual(transport.transcript, [
				initialize,
				`< #1 ${JSON.stringify(handshake(capabilities))}`,
				'> notifications/initialized',
			]);
			assert.deepEqual([transport.calls, transport.agreements], [['start'], ['legacy 2025-11-25']]);
			assert.deepEqual(session, {
				era: 'legacy',
				eraReason: { code: 'configured' },
				protocolVersion: '2025-11-25',
				capabilities,
				serverInfo: { name: 'memory', version: '1.0.0' },
				instructions: undefined,
			});
			assert.equal(client.session, session);
		});

		it('accepts every legacy revision and no other', async () => {
			const versions = ['2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '2026-07-28', '2030-01-01', ''];
			assert.deepEqual(await Promise.all(versions.map(it => failure(() => handshake({}, it)))), [
				...versions.slice(0, 4).map(it => `connected, ${it}`),
				...versions.slice(4).map(version => ({ code: 'unsupportedVersion', version })),
			]);
		});

		it('forgives a server that says little of itself, not one that says no revision', async () => {
			const why = { code: 'invalidResult', method: 'initialize', why: 'no protocolVersion' };
			assert.deepEqual(
				await Promise.all([
					failure(() => ({ protocolVersion: '2025-06-18' })),
					failure(() => ({ protocolVersion: '2025-06-18', serverInfo: 'x', capabilities: [], instructions: 5 })),
					failure(() => ({})),
					failure(() => ({ protocolVersion: 20250618 })),
					failure(() => {
						throw new RpcError(-32602, 'Unsupported', { supported: [] });
					}),
				]),
				[
					'connected, 2025-06-18',
					'connected, 2025-06-18',
					why,
					why,
					{ code: -32602, message: 'Unsupported', data: { supported: [] } },
				],
			);
		});

		// covers: lifecycle.instructions
		it('keeps what the server says of itself', async () => {
			const serverInfo = { name: 'n', version: 'v', title: 't' };
			const { client } = create({
				methods: { initialize: () => ({ ...handshake(), serverInfo, instructions: 'Be kind.' }) },
			});
			const session = await client.connect(never);
			assert.deepEqual([session.serverInfo, session.instructions], [serverInfo, 'Be kind.']);
		});

		it('is never cancelled on the wire', async () => {
			const { client, transport } = create({ methods: { initialize: () => undefined } });
			const controller = new AbortController();
			const connecting = client.connect(controller.signal);
			await settled();
			controller.abort();
			await assert.rejects(connecting, AbortError);
			await settled();
			assert.deepEqual(transport.transcript, [initialize]);
		});

		it('fails if the transport does not start, or ends', async () => {
			const spawn = new McpError({ code: 'spawn', command: 'x', errno: 'ENOENT' });
			const { client } = create({
				onStart: () => {
					throw spawn;
				},
			});
			await assert.rejects(client.connect(never), spawn);
			const gone = create({ methods: { initialize: () => undefined } });
			const connecting = gone.client.connect(never);
			await settled();
			gone.transport.end({ expected: false, exitCode: 1 });
			await assert.rejects(connecting, { failure: { code: 'closed' } });
		});

		it('times out', async () => {
			const { client } = create({ methods: { initialize: () => undefined } }, { timeoutMs: 5 });
			await assert.rejects(client.connect(never), { failure: { code: 'timeout', method: 'initialize', ms: 5 } });
		});
	});

	describe('roots', () => {
		// covers: roots.declared roots.listChanged
		it('are declared and answered if they were supplied', async () => {
			const roots = [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }];
			const { client, transport } = create({}, { handlers: { roots: () => roots } });
			await client.connect(never);
			transport.request(1, 'roots/list');
			await settled();
			roots.pop();
			await client.notifyRootsChanged();
			transport.request(2, 'roots/list');
			await settled();
			assert.deepEqual(transport.transcript, [
				initialize.replace('"capabilities":{}', '"capabilities":{"roots":{"listChanged":true}}'),
				`< #1 ${JSON.stringify(handshake())}`,
				'> notifications/initialized',
				'< roots/list#1',
				'> #1 {"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}',
				'> notifications/roots/list_changed',
				'< roots/list#2',
				'> #2 {"roots":[{"uri":"file:///a","name":"a"}]}',
			]);
		});

		// covers: roots.fileUri
		it('that are no files are left out, in both eras', async () => {
			const log = new TestLogger();
			const roots = (): Root[] => [{ uri: 'vscode-vfs://x/a' }, { uri: 'FILE:///b' }, { uri: 'file:c' }];
			const legacy = create({}, { handlers: { roots }, log });
			await legacy.client.connect(never);
			legacy.transport.request(1, 'roots/list');
			await settled();
			assert.equal(legacy.transport.transcript.at(-1), '> #1 {"roots":[{"uri":"FILE:///b"}]}');
			const told = log.lines.filter(it => it.includes('root'));
			assert.deepEqual(told, [
				'info: Not told of the root vscode-vfs://x/a: only files may be roots.',
				'info: Not told of the root file:c: only files may be roots.',
			]);

			const ask = { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } };
			const call: Method = ({ inputResponses }) => (inputResponses ? { content: [] } : ask);
			const methods = { 'server/discover': () => discovery({ tools: {} }), 'tools/call': call };
			const modern = create({ methods }, { handlers: { roots }, mode: 'auto' });
			await modern.client.connect(never);
			await modern.client.callTool('t', {});
			assert.match(
				modern.transport.transcript.join('\n'),
				/"inputResponses":\{"r":\{"roots":\[\{"uri":"FILE:\/\/\/b"\}\]/,
			);
		});

		// covers: roots.unsupported
		it('are neither declared nor answered otherwise', async () => {
			const { client, transport } = await connected();
			transport.request(1, 'roots/list');
			await client.notifyRootsChanged();
			await settled();
			assert.deepEqual(transport.transcript, ['< roots/list#1', '> #1 error -32601 Method not found: roots/list']);
		});
	});

	it('every call asks with its method and reads what it needs', async () => {
		const { client, transport } = await connected({
			capabilities: { logging: {} },
			methods: {
				'resources/list': () => ({ resources: [{ uri: 'x:1' }] }),
				'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'x:{n}' }] }),
				'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
				'resources/read': () => ({ contents: [{ uri: 'x:1', text: 't' }, {}] }),
				'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
				'logging/setLevel': () => ({}),
			},
		});
		assert.deepEqual(
			[
				await client.listResources(),
				await client.listResourceTemplates(),
				await client.listPrompts(),
				await client.readResource('x:1'),
				await client.callTool('t', { a: 1 }),
			],
			[
				[{ uri: 'x:1', name: 'x:1' }],
				[{ uriTemplate: 'x:{n}', name: 'x:{n}' }],
				[{ name: 'p', arguments: [] }],
				[{ uri: 'x:1', text: 't' }],
				{ content: [{ type: 'text', text: 'done' }], isError: false },
			],
		);
		await client.setLoggingLevel('warning');
		assert.deepEqual(
			transport.transcript.filter(it => it.startsWith('>')),
			[
				'> resources/list#2',
				'> resources/templates/list#3',
				'> prompts/list#4',
				'> resources/read#5 {"uri":"x:1"}',
				'> tools/call#6 {"name":"t","arguments":{"a":1}}',
				'> logging/setLevel#7 {"level":"warning"}',
			],
		);
	});

	// covers: logging.capability logging.anyData
	it('asks for log messages only where there are any, and passes them on', async () => {
		const { client, transport } = await connected();
		const seen: unknown[] = [];
		own(client.onDidLog(it => seen.push(it)));
		await client.setLoggingLevel('debug');
		transport.notify('notifications/message', { level: 'warning', logger: 'l', data: { a: 1 } });
		assert.deepEqual(seen, [{ level: 'warning', logger: 'l', data: { a: 1 } }]);
		assert.equal(transport.transcript.length, 1);
	});

	// covers: ping.beforeInitialized
	it('answers ping during the handshake', async () => {
		const { client, transport } = create({
			methods: {
				initialize: () => {
					transport.request('p', 'ping');
					return handshake();
				},
			},
		});
		await client.connect(never);
		await settled();
		assert.deepEqual(
			transport.transcript.filter(it => it.includes('"p"')),
			['< ping#"p"', '> #"p" {}'],
		);
	});

	it('takes secrets out of the errors of every request, also while it waits for a task', async () => {
		const refuse = (): never => {
			throw new RpcError(-32000, 'bad key hunter2', { sent: ['hunter2'] });
		};
		const redact = <T>(it: T): T => JSON.parse(JSON.stringify(it).replaceAll('hunter2', '<redacted>')) as T;
		const redacted = { code: -32000, message: 'bad key <redacted>', data: { sent: ['<redacted>'] } };
		const { client } = await connected(
			{
				capabilities: canTask,
				methods: {
					'tools/list': refuse,
					'tasks/get': () => ({ taskId: 't1', status: 'completed', ttl: null, pollInterval: 1 }),
					'tasks/result': refuse,
				},
			},
			{ redact },
		);
		await assert.rejects(client.listTools(), redacted);
		await assert.rejects(client.resumeTask('t1'), redacted);
	});

	it('ends what it owns', async () => {
		const { client, transport } = await connected();
		const ends: unknown[] = [];
		own(client.onDidEnd(it => ends.push(it)));
		await client.close();
		await assert.rejects(client.listTools(), { failure: { code: 'closed' } });
		client.dispose();
		assert.deepEqual([ends, transport.calls], [[{ expected: true }], ['start', 'close', 'dispose']]);
	});
});
