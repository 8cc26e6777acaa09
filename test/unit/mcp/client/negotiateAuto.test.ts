// Detection of the era of an unknown server.
import * as assert from 'node:assert/strict';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { classify } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type MemoryServer, type Method } from '../../../support/memoryTransport.js';
import { settled } from '../../../support/waiting.js';
import { asksFor, dying, legacy, modern, refusing, negotiationBench } from '../../../support/negotiationBench.js';

describe('negotiation', () => {
	const { play, sent, calls, assertNothingLeft } = negotiationBench(leakCheck());

	describe('auto', () => {
		// covers: negotiate.stdio.discoverFirst negotiate.discovered modern.noHandshake
		it('a modern server is discovered with one request', async () => {
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

		it('the probe identifies the client', async () => {
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
		it('-32022 that names the same revision leads to one more probe', async () => {
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

		it('… and only to one', async () => {
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

		it('a server that shows the modern era otherwise counts as modern, without its discovery', async () => {
			for (const code of [-32020, -32021]) {
				const played = play([refusing(code)]);
				assert.equal(await played.connect(), `modern 2026-07-28: error ${code}`);
				assert.deepEqual([played.client.session.capabilities, played.client.offers('tools')], [undefined, true]);
			}
		});

		// covers: negotiate.stdio.anyError negotiate.latestLegacy lifecycle.initialized negotiate.neverModernInInitialize
		it('any other error or answer means a legacy server', async () => {
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

		it('an error without an id does not answer the probe', async () => {
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
		it('a silent process is a legacy server; the probe is not cancelled, and a late answer is ignored', async () => {
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

		it('a process that was slow to start and refuses initialize is probed again, and is modern', async () => {
			let probes = 0;
			const methods: Readonly<Record<string, Method>> = {
				'server/discover': () => (++probes === 1 ? undefined : discovery()),
				initialize: () => {
					throw new RpcError(-32601, 'Method not found');
				},
			};
			const played = play([{ methods }], { probeMs: 5 });
			assert.equal(await played.connect(), 'modern 2026-07-28: discovered');
			assert.deepEqual(sent(played), [['server/discover', asksFor, 'server/discover']]);
			assert.deepEqual([calls(played), played.memory.sets], [['start'], ['modern']]);
		});

		it('a probe waits no longer than the time-out of requests', async () => {
			const played = play([{ methods: { 'server/discover': () => undefined } }], { timeoutMs: 5 });
			assert.equal(await played.connect(), 'legacy 2025-11-25: silence');
		});

		// covers: negotiate.stdio.dies negotiate.remember
		it('a process that the probe ends is started once more, and its era is remembered', async () => {
			const played = play([dying('server/discover'), legacy]);
			assert.equal(await played.connect(), 'legacy 2025-11-25: exited');
			assert.deepEqual(sent(played), [['server/discover'], [asksFor, 'notifications/initialized']]);
			assert.deepEqual([calls(played), played.memory.sets], [['start close dispose', 'start'], ['legacy']]);
			assert.deepEqual(played.ends, [], 'that the first one ended is nobody else’s business');
			const again = play([legacy], { era: played.memory.get() });
			assert.equal(await again.connect(), 'legacy 2025-11-25: remembered');
			assert.deepEqual(sent(again), [[asksFor, 'notifications/initialized']]);
		});

		it('a process that every message ends is started only twice, and nothing is remembered', async () => {
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

		it('a modern server is probed again the next time', async () => {
			const played = play([legacy], { era: 'modern' });
			assert.equal(await played.connect(), 'legacy 2025-11-25: error -32601');
		});

		// covers: negotiate.reprobe
		it('a legacy server that now refuses is probed again, and its era forgotten', async () => {
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

		it('a remembered era stays if a caller aborts', async () => {
			const controller = new AbortController();
			const played = play([{ methods: { initialize: () => undefined } }], { era: 'legacy' });
			const connecting = played.connect(controller.signal);
			await settled();
			controller.abort();
			assert.equal(await connecting, 'AbortError: The operation was cancelled.');
			assert.deepEqual([played.memory.sets, played.memory.get()], [[], 'legacy']);
		});
	});
});
