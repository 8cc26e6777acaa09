import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import { Client } from '../../../../src/mcp/client/client.js';
import type { ClientOptions } from '../../../../src/mcp/client/clientOptions.js';
import type { EraMemory } from '../../../../src/mcp/client/negotiate.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { classify, type ErrorObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Era } from '../../../../src/mcp/wire/codec.js';
import { leakCheck } from '../../../support/leakCheck.js';
import {
	discovery,
	handshake,
	type MemoryServer,
	MemoryTransport,
	type Method,
} from '../../../support/memoryTransport.js';
import { eventually, settled } from '../../../support/waiting.js';

const never = new AbortController().signal;

/** A server of the legacy era: knows no `server/discover`. */
const legacy: MemoryServer = {};
const modern: MemoryServer = { methods: { 'server/discover': () => discovery() } };

const asksFor =
	'initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}';

/** Answers `server/discover` with an error. */
function refusing(code: number, data?: unknown): MemoryServer {
	return {
		methods: {
			'server/discover': () => {
				throw new RpcError(code, 'no', data);
			},
		},
	};
}

/** Answers some methods with an HTTP status, as StreamableHttp reports it. */
function status(statuses: Readonly<Record<string, number>>, error?: ErrorObject): MemoryServer {
	return {
		kind: 'http',
		onSend: message => {
			const it = classify(message);
			const found = it.kind === 'request' ? statuses[it.message.method] : undefined;
			if (found !== undefined) {
				throw new McpError({ code: 'http', status: found, error, challenge: found === 401 ? 'Bearer x' : undefined });
			}
		},
	};
}

/** Ends when it gets a message of this method. */
function dying(method: string, exitCode = 1): MemoryServer {
	return {
		onSend: (message, transport) => {
			const it = classify(message);
			if (it.kind === 'request' && it.message.method === method) {
				queueMicrotask(() => transport.end({ expected: false, exitCode }));
			}
		},
	};
}

class Memory implements EraMemory {
	readonly sets: (Era | undefined)[] = [];

	constructor(private era?: Era) {}

	get(): Era | undefined {
		return this.era;
	}

	set(era: Era | undefined): void {
		this.era = era;
		this.sets.push(era);
	}
}

describe('negotiation', () => {
	const { own } = leakCheck();

	interface Played {
		readonly client: Client;
		/** Started one after another. */
		readonly transports: MemoryTransport[];
		readonly memory: Memory;
		readonly ends: unknown[];
		readonly connect: (signal?: AbortSignal) => Promise<string>;
	}

	/** A client whose transports lead to these servers, in this order. */
	function play(
		servers: readonly MemoryServer[],
		{ era, sse, ...options }: Partial<ClientOptions> & { era?: Era | undefined; sse?: MemoryServer } = {},
	): Played {
		const transports: MemoryTransport[] = [];
		const memory = new Memory(era);
		const start = (server: MemoryServer | undefined): MemoryTransport => {
			const transport = new MemoryTransport(server ?? assert.fail('one start too many'));
			transports.push(transport);
			return transport;
		};
		const remaining = [...servers];
		const client = own(
			new Client({
				open: () => start(remaining.shift()),
				...(sse ? { openLegacySse: () => start({ kind: 'sse', ...sse }) } : {}),
				memory,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log: nullLogger,
				...options,
			}),
		);
		const ends: unknown[] = [];
		own(client.onDidEnd(it => ends.push(it)));
		const connect = async (signal = never): Promise<string> => {
			try {
				const { era: agreed, protocolVersion, eraReason } = await client.connect(signal);
				return `${agreed} ${protocolVersion}: ${Object.values(eraReason).join(' ')}`;
			} catch (error) {
				if (error instanceof McpError) {
					const { code, ...data } = error.failure;
					return [code, ...Object.values(data).filter(it => it !== undefined)].map(it => JSON.stringify(it)).join(' ');
				}
				return error instanceof RpcError ? `error ${error.code}` : String(error);
			}
		};
		return { client, transports, memory, ends, connect };
	}

	/** What our side sent, by transport; ids are left out. */
	function sent({ transports }: Played): string[][] {
		return transports.map(({ transcript }) =>
			transcript.filter(it => it.startsWith('>')).map(it => it.slice(2).replace(/#\d+/, '')),
		);
	}

	function calls({ transports }: Played): string[] {
		return transports.map(it => it.calls.join(' '));
	}

	/** Nothing of a failed negotiation is left. */
	function assertNothingLeft(played: Played): void {
		assert.deepEqual(
			calls(played).map(it => it.replace(/^start /, '')),
			played.transports.map(() => 'close dispose'),
		);
		assert.throws(() => played.client.session, { failure: { code: 'closed' } });
	}

	describe('auto', () => {
		// covers: negotiate.stdio.discoverFirst negotiate.discovered modern.noHandshake
		it('a modern server is discovered, and nothing else is said', async () => {
			const info = { name: 'm', version: '2', title: 'M' };
			const found = { ...discovery({ tools: {}, resources: { subscribe: true } }), instructions: 'Be kind.' };
			const played = play([
				{
					methods: {
						'server/discover': () => ({ ...found, _meta: { 'io.modelcontextprotocol/serverInfo': info } }),
					},
				},
			]);
			assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			assert.deepEqual(sent(played), [['server/discover']]);
			assert.deepEqual([calls(played), played.transports[0]?.agreements], [['start'], ['modern 2026-07-28']]);
			assert.deepEqual(played.memory.sets, ['modern']);
			assert.deepEqual(played.client.session, {
				era: 'modern',
				eraReason: { code: 'discovered' },
				protocolVersion: '2026-07-28',
				serverInfo: info,
				capabilities: { tools: {}, resources: { subscribe: true } },
				instructions: 'Be kind.',
			});
		});

		it('the probe says who asks', async () => {
			const played = play([modern], { handlers: { roots: () => [], sampling: { handle: assert.fail, tools: true } } });
			await played.connect();
			assert.deepEqual(played.transports[0]?.sent, [
				{
					jsonrpc: '2.0',
					id: 1,
					method: 'server/discover',
					params: {
						_meta: {
							'io.modelcontextprotocol/protocolVersion': '2026-07-28',
							'io.modelcontextprotocol/clientCapabilities': {
								roots: {},
								sampling: { tools: {} },
								extensions: { 'io.modelcontextprotocol/tasks': {} },
							},
							'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
						},
					},
				},
			]);
			assert.deepEqual(played.transports[0]?.sentOptions[0]?.headers, {
				'mcp-protocol-version': '2026-07-28',
				'mcp-method': 'server/discover',
			});
		});

		// covers: negotiate.corrective
		it('-32022 that names the same revision is answered by one more try', async () => {
			let tries = 0;
			const played = play([
				{
					methods: {
						'server/discover': () => {
							if (tries++ === 0) {
								throw new RpcError(-32022, 'no', { supported: ['2026-07-28'], requested: '2026-07-28' });
							}
							return discovery();
						},
					},
				},
			]);
			assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			assert.deepEqual(sent(played), [['server/discover', 'server/discover']]);
		});

		it('… and only by one', async () => {
			const played = play([refusing(-32022, { supported: ['2026-07-28'] })]);
			assert.equal(await played.connect(), '"unsupportedVersion" "2026-07-28"');
			assert.deepEqual(sent(played), [['server/discover', 'server/discover']]);
			assertNothingLeft(played);
			assert.deepEqual(played.memory.sets, []);
		});

		// covers: negotiate.disjoint
		it('a modern server of other revisions is not asked to initialize', async () => {
			for (const server of [
				refusing(-32022, { supported: ['2027-01-01'] }),
				{ methods: { 'server/discover': () => discovery({}, ['2027-01-01']) } },
			]) {
				const played = play([server]);
				assert.equal(await played.connect(), '"unsupportedVersion" "2027-01-01"');
				assert.deepEqual(sent(played), [['server/discover']]);
				assertNothingLeft(played);
			}
		});

		it('a server that proves the modern era otherwise is taken for one, and nothing is known of it', async () => {
			for (const code of [-32020, -32021]) {
				const played = play([refusing(code)]);
				assert.equal(await played.connect(), `modern 2026-07-28: error ${code}`);
				assert.deepEqual([played.client.session.capabilities, played.client.offers('tools')], [undefined, true]);
			}
		});

		// covers: negotiate.stdio.anyError negotiate.latestLegacy lifecycle.initialized negotiate.neverModernInInitialize
		it('any other error, and any strange answer, means a legacy server', async () => {
			const table: readonly [MemoryServer, string][] = [
				[legacy, 'error -32601'],
				[refusing(-32602), 'error -32602'],
				[refusing(-32000), 'error -32000'],
				[refusing(-32603), 'error -32603'],
				[refusing(-32022, { supported: ['2025-11-25'] }), 'error -32022'],
				[{ methods: { 'server/discover': () => ({}) } }, 'strangeAnswer'],
				[
					{ methods: { 'server/discover': () => ({ resultType: 'input_required', requestState: 's' }) } },
					'strangeAnswer',
				],
				[{ methods: { 'server/discover': () => ({ resultType: 'later' }) } }, 'strangeAnswer'],
				[{ methods: { 'server/discover': () => discovery({}, ['2025-11-25']) } }, 'discovered'],
			];
			for (const [server, reason] of table) {
				const played = play([server]);
				assert.equal(await played.connect(), `legacy 2025-11-25: ${reason}`);
				assert.deepEqual(sent(played), [['server/discover', asksFor, 'notifications/initialized']]);
				assert.deepEqual([calls(played), played.memory.sets], [['start'], ['legacy']]);
			}
		});

		it('an error that answers no id is none of the probe: silence follows', async () => {
			const played = play(
				[
					{
						methods: { 'server/discover': () => undefined },
						onSend: (message, transport) => {
							const it = classify(message);
							if (it.kind === 'request' && it.message.method === 'server/discover') {
								transport.receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } });
							}
						},
					},
				],
				{ probeMs: 5 },
			);
			assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
		});

		// covers: negotiate.stdio.silence probe.notCancelled
		it('a process that keeps silent is a legacy server; the probe is not cancelled, a late answer ignored', async () => {
			const played = play(
				[
					{
						methods: {
							'server/discover': () => undefined,
							initialize: () => {
								played.transports[0]?.receive({ jsonrpc: '2.0', id: 1, result: discovery() });
								return handshake();
							},
						},
					},
				],
				{ probeMs: 5 },
			);
			assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
			assert.deepEqual(sent(played), [['server/discover', asksFor, 'notifications/initialized']]);
		});

		it('a probe that was never answered is not waited for once there is a session', async () => {
			const methods = { 'server/discover': () => undefined, 'tools/call': () => undefined };
			const played = play([{ methods }], { probeMs: 5, limits: { requestsInFlight: 2 } });
			assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
			const calls = Array.from({ length: 3 }, () => assert.rejects(played.client.callTool('t', {}), McpError));
			await settled();
			assert.equal(sent(played)[0]?.filter(it => it.startsWith('tools/call')).length, 2);
			await played.client.close();
			await Promise.all(calls);
		});

		describe('a process that is slow to start answers the probe after all', () => {
			/** Answers both messages once `initialize` has come. */
			function slow(initialize: Method): MemoryServer {
				return {
					methods: {
						'server/discover': () => undefined,
						initialize: async (params, id) => {
							transports()[0]?.receive({ jsonrpc: '2.0', id: 1, result: discovery() });
							return initialize(params, id);
						},
					},
				};
			}
			let played: Played;
			const transports = (): readonly MemoryTransport[] => played.transports;

			it('and refuses initialize: it is modern', async () => {
				const refuse: Method = () => {
					throw new RpcError(-32601, 'Method not found');
				};
				played = play([slow(refuse)], { probeMs: 5 });
				assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
				assert.deepEqual([sent(played), played.memory.sets], [[['server/discover', asksFor]], ['modern']]);
			});

			it('and says nothing to initialize: it is modern', async () => {
				played = play([slow(() => undefined)], { probeMs: 5 });
				assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			});

			it('and accepts initialize: legacy this time, which is not remembered', async () => {
				played = play([slow(() => handshake())], { probeMs: 5 });
				assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
				assert.deepEqual(played.memory.sets, [undefined]);
			});
		});

		it('a probe waits no longer than any request may', async () => {
			const played = play([{ methods: { 'server/discover': () => undefined } }], { timeoutMs: 5 });
			assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
		});

		// covers: negotiate.stdio.dies negotiate.remember
		it('a process that dies of the probe is started once more, and that is remembered', async () => {
			const played = play([dying('server/discover'), legacy]);
			assert.equal(await played.connect(), 'legacy 2025-11-25: exited');
			assert.deepEqual(sent(played), [['server/discover'], [asksFor, 'notifications/initialized']]);
			assert.deepEqual([calls(played), played.memory.sets], [['start close dispose', 'start'], ['legacy']]);
			assert.deepEqual(played.ends, [], 'that the first one ended is nobody else’s business');
			const again = play([legacy], { era: played.memory.get() });
			assert.equal(await again.connect(), 'legacy 2025-11-25: remembered');
			assert.deepEqual(sent(again), [[asksFor, 'notifications/initialized']]);
		});

		it('a process that dies of everything is started twice, not more, and nothing is remembered', async () => {
			const played = play([dying('server/discover', 3), dying('initialize', 4), legacy]);
			assert.equal(await played.connect(), '"closed"');
			assert.equal(played.transports.length, 2);
			assertNothingLeft(played);
			assert.deepEqual([played.memory.sets, played.ends], [[], [{ expected: false, exitCode: 4 }]]);
		});

		it('a process that dies of `initialize` after it has answered the probe is not started again', async () => {
			const played = play([dying('initialize', 7), legacy]);
			assert.equal(await played.connect(), '"closed"');
			assert.deepEqual([played.transports.length, played.ends], [1, [{ expected: false, exitCode: 7 }]]);
		});

		it('a process that cannot be started is not probed', async () => {
			const played = play([
				{
					onStart: () => {
						throw new McpError({ code: 'spawn', command: 'x', errno: 'ENOENT' });
					},
				},
				legacy,
			]);
			assert.equal(await played.connect(), '"spawn" "x" "ENOENT"');
			assert.equal(played.transports.length, 1);
		});

		it('a modern verdict is not taken for granted the next time', async () => {
			const played = play([legacy], { era: 'modern' });
			assert.equal(await played.connect(), 'legacy 2025-11-25: error -32601');
		});

		// covers: negotiate.reprobe
		it('a server that was legacy and now refuses is asked anew, and forgotten', async () => {
			const upgraded: MemoryServer = {
				methods: {
					'server/discover': () => discovery(),
					initialize: () => {
						throw new RpcError(-32601, 'gone');
					},
				},
			};
			const played = play([upgraded], { era: 'legacy' });
			assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			assert.deepEqual(sent(played), [[asksFor, 'server/discover']]);
			assert.deepEqual([calls(played), played.memory.sets], [['start'], [undefined, 'modern']]);
			const died = play([dying('initialize')], { era: 'legacy' });
			assert.equal(await died.connect(), '"closed"');
			assert.deepEqual(died.memory.sets, [undefined]);
		});

		it('what was remembered is not forgotten because someone lost patience', async () => {
			const controller = new AbortController();
			const played = play([{ methods: { initialize: () => undefined } }], { era: 'legacy' });
			const connecting = played.connect(controller.signal);
			await settled();
			controller.abort();
			assert.equal(await connecting, 'AbortError: The operation was cancelled.');
			assert.deepEqual([played.memory.sets, played.memory.get()], [[], 'legacy']);
		});
	});

	// covers: revision.2024-10-07 lifecycle.unsupportedVersion
	it('a legacy server may answer with any legacy revision, and is left if it answers with another', async () => {
		const answers = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '2026-07-28', '1.0'];
		const outcomes: string[] = [];
		for (const version of answers) {
			const played = play([{ methods: { initialize: () => handshake({}, version) } }]);
			outcomes.push(await played.connect());
			if (outcomes.at(-1)?.includes('unsupported')) {
				assertNothingLeft(played);
				assert.deepEqual([sent(played)[0]?.length, played.memory.sets], [2, []]);
			} else {
				assert.deepEqual(played.transports[0]?.agreements, [`legacy ${version}`]);
			}
		}
		assert.deepEqual(outcomes, [
			...answers.slice(0, 5).map(it => `legacy ${it}: error -32601`),
			...answers.slice(5).map(it => `"unsupportedVersion" "${it}"`),
		]);
	});

	// covers: negotiate.mode
	describe('a mode that was chosen', () => {
		it('legacy: no probe, nothing remembered', async () => {
			const played = play([{ methods: { ...modern.methods } }], { mode: 'legacy', era: 'modern' });
			assert.equal(await played.connect(), 'legacy 2025-11-25: configured');
			assert.deepEqual([sent(played), played.memory.sets], [[[asksFor, 'notifications/initialized']], []]);
		});

		it('modern: no message at all; capabilities are unknown and gate nothing', async () => {
			const played = play([legacy], { mode: 'modern', era: 'legacy' });
			assert.equal(await played.connect(), 'modern 2026-07-28: configured');
			assert.deepEqual([sent(played), played.memory.sets], [[[]], []]);
			const { session } = played.client;
			assert.deepEqual(
				[session.capabilities, session.serverInfo, played.client.offers('tools'), played.client.offers('logging')],
				[undefined, { name: '', version: '' }, true, true],
			);
		});
	});

	describe('over HTTP', () => {
		// covers: negotiate.http.noEvidence
		it('401, 403, 429 and 5xx are no evidence: they are the failure, with what they came with', async () => {
			const error = { code: -32001, message: 'Unauthorized' };
			for (const code of [401, 403, 429, 500, 503]) {
				for (const body of [undefined, error]) {
					const played = play([status({ 'server/discover': code }, body)], { sse: legacy });
					const expected = [
						'"http"',
						code,
						...(body ? [JSON.stringify(body)] : []),
						...(code === 401 ? ['"Bearer x"'] : []),
					];
					assert.equal(await played.connect(), expected.join(' '));
					assert.deepEqual([played.transports.length, played.memory.sets], [1, []]);
					assertNothingLeft(played);
				}
			}
		});

		// covers: negotiate.http.evidence
		it('400 with an error that is not modern, or none, means a legacy server', async () => {
			const table: readonly [MemoryServer, string][] = [
				[status({ 'server/discover': 400 }, { code: -32000, message: 'Server not initialized' }), 'error -32000'],
				[status({ 'server/discover': 400 }), 'status 400'],
				[status({ 'server/discover': 404 }, { code: -32601, message: 'no' }), 'error -32601'],
				[status({ 'server/discover': 405 }), 'status 405'],
			];
			for (const [server, reason] of table) {
				const played = play([server]);
				assert.equal(await played.connect(), `legacy 2025-11-25: ${reason}`);
				assert.equal(played.transports.length, 1);
			}
		});

		it('400 with a modern error stays modern', async () => {
			const table = [
				[{ code: -32020, message: 'x' }, 'modern 2026-07-28: error -32020'],
				[{ code: -32022, message: 'x', data: { supported: ['2027-01-01'] } }, '"unsupportedVersion" "2027-01-01"'],
			] as const;
			for (const [error, expected] of table) {
				const played = play([status({ 'server/discover': 400 }, error)], { sse: legacy });
				assert.equal(await played.connect(), expected);
				assert.equal(played.transports.length, 1);
			}
		});

		it('silence, and a server that is not there, say nothing of an era', async () => {
			const silent = play([{ kind: 'http', methods: { 'server/discover': () => undefined } }], {
				timeoutMs: 5,
				probeMs: 1,
			});
			assert.equal(await silent.connect(), '"timeout" "server/discover" 5');
			assertNothingLeft(silent);
			const gone = play([
				{
					kind: 'http',
					onSend: () => {
						throw new McpError({ code: 'network', why: 'ECONNREFUSED' });
					},
				},
			]);
			assert.equal(await gone.connect(), '"network" "ECONNREFUSED"');
			assertNothingLeft(gone);
		});

		// covers: negotiate.http.sseFallback
		it('a server that refuses the POST is tried over HTTP+SSE', async () => {
			for (const code of [400, 404, 405, 406, 415]) {
				for (const error of [undefined, { code: -32601, message: 'x' }]) {
					const played = play([status({ 'server/discover': code, initialize: code }, error)], {
						sse: { methods: { initialize: () => handshake({}, '2024-11-05') } },
					});
					const reason = error ? 'error -32601' : `status ${code}`;
					assert.equal(await played.connect(), `legacy 2024-11-05: ${reason}`);
					assert.deepEqual(sent(played), [[], [asksFor, 'notifications/initialized']]);
					assert.deepEqual([calls(played), played.ends], [['start close dispose', 'start'], []]);
					assert.deepEqual(played.memory.sets, ['legacy']);
				}
			}
		});

		it('… unless it is about who asks, or the server is broken, or there is no such way', async () => {
			for (const code of [401, 403, 500]) {
				const played = play([status({ initialize: code })], { sse: legacy });
				assert.match(await played.connect(), new RegExp(`^"http" ${code}`));
				assert.equal(played.transports.length, 1);
			}
			const noWay = play([status({ initialize: 405 })]);
			assert.equal(await noWay.connect(), '"http" 405');
			assertNothingLeft(noWay);
		});

		it('if neither works, the first refusal is told, but a question for credentials before it', async () => {
			const sse = (code: number): MemoryServer => ({
				onStart: () => {
					throw new McpError({ code: 'http', status: code, error: undefined, challenge: undefined });
				},
			});
			const refused = play([status({ initialize: 400 }, { code: -5, message: 'Bad key' })], {
				sse: sse(405),
				mode: 'legacy',
			});
			assert.equal(await refused.connect(), 'error -5');
			assertNothingLeft(refused);
			const asked = play([status({ initialize: 404 })], { sse: sse(401), mode: 'legacy' });
			assert.equal(await asked.connect(), '"http" 401');
		});

		it('a remembered legacy server that has moved on is asked over a new way', async () => {
			const upgraded: MemoryServer = {
				...status({ initialize: 404 }, { code: -32601, message: 'x' }),
				methods: { 'server/discover': () => discovery() },
			};
			const played = play([upgraded, upgraded], { era: 'legacy' });
			assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			assert.deepEqual(played.memory.sets, [undefined, 'modern']);
		});
	});

	// covers: negotiate.abort
	describe('taken back', () => {
		let isOver = false;
		beforeEach(() => (isOver = false));

		/** Aborts at the first moment that `when` holds; the client is left with nothing. */
		const stages: readonly [string, MemoryServer[], Partial<Parameters<typeof play>[1]>, (it: Played) => boolean][] = [
			['while it starts', [{ onStart: () => new Promise(() => undefined) }], {}, () => true],
			[
				'during the probe',
				[{ methods: { 'server/discover': () => undefined } }],
				{},
				it => (sent(it)[0]?.length ?? 0) === 1,
			],
			[
				'during the second probe',
				[
					{
						methods: {
							'server/discover': (_params, id) => {
								if (id === 1) {
									throw new RpcError(-32022, 'no', { supported: ['2026-07-28'] });
								}
								return undefined;
							},
						},
					},
				],
				{},
				it => (sent(it)[0]?.length ?? 0) === 2,
			],
			['during initialize', [{ methods: { initialize: () => undefined } }], {}, it => (sent(it)[0]?.length ?? 0) === 2],
			[
				'during the second start',
				[dying('server/discover'), { onStart: () => new Promise(() => undefined) }],
				{},
				it => it.transports.length === 2,
			],
			[
				'while HTTP+SSE waits for its endpoint',
				[status({ initialize: 405 })],
				{ mode: 'legacy', sse: { onStart: () => new Promise(() => undefined) } },
				it => it.transports.length === 2,
			],
			[
				'while the refused way is being closed',
				[{ ...status({ initialize: 405 }), onClose: () => eventually(() => isOver, 'it was taken back') }],
				{ mode: 'legacy', sse: legacy },
				it => it.transports[0]?.calls.includes('close') ?? false,
			],
		];
		for (const [name, servers, options, when] of stages) {
			it(`${name}, by its signal`, async () => {
				const controller = new AbortController();
				const played = play(servers, options);
				const connecting = played.connect(controller.signal);
				await eventually(() => when(played), name);
				const before = played.transports.length;
				controller.abort();
				isOver = true;
				assert.equal(await connecting, 'AbortError: The operation was cancelled.');
				await settled();
				assert.equal(played.transports.length, before, 'nothing more was started');
				assert.ok(
					!sent(played)
						.flat()
						.some(it => it.startsWith('notifications/')),
					'the handshake is not cancelled',
				);
				assertNothingLeft(played);
			});

			it(`${name}, by closing`, async () => {
				const played = play(servers, options);
				const connecting = played.connect();
				await eventually(() => when(played), name);
				const before = played.transports.length;
				const closing = played.client.close();
				isOver = true;
				await closing;
				assertNothingLeft(played);
				assert.equal(await connecting, '"closed"');
				assert.equal(played.transports.length, before, 'nothing more was started');
			});

			it(`${name}, by disposing`, async () => {
				const played = play(servers, options);
				const connecting = played.connect();
				await eventually(() => when(played), name);
				const before = played.transports.length;
				const begun = played.transports.filter(it => it.calls.length > 0);
				played.client.dispose();
				// Not when what is under way has come to its own end: nobody waits for that.
				assert.ok(begun.every(it => it.calls.includes('dispose')));
				isOver = true;
				assert.equal(await connecting, '"closed"');
				assert.equal(played.transports.length, before, 'nothing more was started');
			});
		}

		it('before it began: nothing is started', async () => {
			const played = play([legacy]);
			assert.equal(await played.connect(AbortSignal.abort()), 'AbortError: The operation was cancelled.');
			assert.equal(played.transports.length, 0);
		});

		it('an abort after both have agreed changes nothing', async () => {
			const controller = new AbortController();
			const played = play([legacy]);
			await played.connect(controller.signal);
			controller.abort();
			await settled();
			assert.deepEqual(calls(played), ['start']);
			assert.equal(played.client.session.era, 'legacy');
		});
	});

	it('a way that ended at the very end of the handshake is no session', async () => {
		const played = play([
			{
				methods: {
					'notifications/initialized': () => {
						played.transports[0]?.end({ expected: false, exitCode: 9 });
						return undefined;
					},
				},
			},
		]);
		assert.equal(await played.connect(), '"closed"');
		assert.deepEqual(played.ends, [{ expected: false, exitCode: 9 }]);
	});
});
