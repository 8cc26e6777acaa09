// Which HTTP statuses are evidence of an era.
import * as assert from 'node:assert/strict';
import { McpError } from '../../../../src/mcp/jsonrpc/errors.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type MemoryServer, type Method } from '../../../support/memoryTransport.js';
import { asksFor, legacy, negotiationBench, type Played, status } from '../../../support/negotiationBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';
import { settled } from '../../../support/waiting.js';

describe('negotiation', () => {
	const { play, sent, calls, assertNothingLeft } = negotiationBench(leakCheck());

	describe('over HTTP', () => {
		// covers: negotiate.http.noEvidence
		it('401, 403, 407 and 429 are no evidence: they are the failure, with what they came with', async () => {
			const error = { code: -32001, message: 'Unauthorized' };
			for (const code of [401, 403, 407, 429]) {
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

		it('a server that is not there says nothing of an era', async () => {
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

		// covers: negotiate.http.serverError
		it('5xx: initialize decides, and that is not remembered', async () => {
			const error = { code: -32603, message: 'Traceback' };
			for (const code of [500, 502, 503]) {
				for (const body of [undefined, error]) {
					const works = play([status({ 'server/discover': code }, body)]);
					assert.equal(await works.connect(), `legacy 2025-11-25: status ${code}`);
					assert.deepEqual([works.transports.length, works.memory.sets], [1, [undefined]]);
					const broken = play([status({ 'server/discover': code, initialize: code }, body)], { sse: legacy });
					assert.equal(await broken.connect(), body ? 'error -32603' : `"http" ${code}`);
					assert.deepEqual([broken.transports.length, broken.memory.sets], [1, []]);
					assertNothingLeft(broken);
				}
			}
		});

		describe('a server that keeps silent', () => {
			beforeEach(() => stopTime());
			afterEach(() => releaseTime());

			/** Says nothing to the first `times` probes, and the rest to others. */
			function silent(times: number, server: MemoryServer = {}): MemoryServer {
				const answer = server.methods?.['server/discover'];
				const discover: Method = (params, id) => (times-- > 0 ? undefined : answer?.(params, id));
				return { ...server, kind: 'http', methods: { ...server.methods, 'server/discover': discover } };
			}

			/** How it ends if it is `ms` milliseconds after the first message that anything happens. */
			async function after(ms: number, played: Played): Promise<string> {
				let outcome: string | undefined;
				const connecting = played.connect().then(it => {
					outcome = it;
				});
				await settled();
				passTime(ms - 1);
				await settled();
				assert.equal(outcome, undefined);
				passTime(1);
				await connecting;
				return outcome ?? assert.fail();
			}

			// covers: negotiate.http.silence
			it('is asked to initialize after 10 seconds, or when any request times out', async () => {
				for (const [timeoutMs, ms] of [
					[60_000, 10_000],
					[8000, 8000],
				] as const) {
					const played = play([silent(1)], { timeoutMs });
					assert.equal(await after(ms, played), 'legacy 2025-11-25: silence');
					assert.deepEqual(sent(played), [['server/discover', asksFor, 'notifications/initialized']]);
					assert.deepEqual(played.memory.sets, ['legacy']);
				}
			});

			it('and whose silence is ours, while a person signs in, has its time afterwards', async () => {
				const played = play([silent(1)], { timeoutMs: 60_000 });
				const connecting = played.connect();
				await settled();
				const transport = played.transports[0] ?? assert.fail();
				transport.heldUntil = Infinity;
				passTime(100_000);
				await settled();
				transport.heldUntil = 100_000;
				passTime(9999);
				await settled();
				assert.deepEqual(sent(played), [['server/discover']]);
				passTime(1);
				assert.equal(await connecting, 'legacy 2025-11-25: silence');
			});

			it('and refuses initialize is asked once more: it may be modern, and slow to wake up', async () => {
				const refuses = status({ initialize: 404 }, { code: -32601, message: 'x' });
				const slow = silent(1, { ...refuses, methods: { 'server/discover': () => discovery() } });
				const played = play([slow, slow], { timeoutMs: 60_000 });
				assert.equal(await after(10_000, played), 'modern 2026-07-28: discovered');
				assert.deepEqual([calls(played), played.memory.sets], [['start close dispose', 'start'], ['modern']]);
				const broken = silent(1, { ...refuses, methods: { 'server/discover': () => ({}) } });
				assert.equal(await after(10_000, play([broken, broken], { timeoutMs: 60_000 })), 'error -32601');
			});
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
			for (const code of [401, 403, 407, 429, 500]) {
				const played = play([status({ initialize: code })], { sse: legacy });
				assert.match(await played.connect(), new RegExp(`^"http" ${code}`));
				assert.equal(played.transports.length, 1);
			}
			const noWay = play([status({ initialize: 405 })]);
			assert.equal(await noWay.connect(), '"http" 405');
			assertNothingLeft(noWay);
		});

		// covers: negotiate.http.sseEvent
		it('… and one that answers the POST like a GET of HTTP+SSE', async () => {
			const answersAsSse: MemoryServer = {
				kind: 'http',
				onSend: () => {
					throw new McpError({ code: 'legacySse' });
				},
			};
			const sse = { methods: { initialize: () => handshake({}, '2024-11-05') } };
			const played = play([answersAsSse], { sse });
			assert.equal(await played.connect(), 'legacy 2024-11-05: strangeAnswer');
			assert.deepEqual(played.memory.sets, ['legacy']);
			const remembered = play([answersAsSse], { sse, era: 'legacy' });
			assert.equal(await remembered.connect(), 'legacy 2024-11-05: remembered');
			const onStart = (): never => {
				throw new McpError({ code: 'network', why: 'no endpoint event' });
			};
			assert.equal(await play([answersAsSse], { sse: { onStart } }).connect(), '"network" "no endpoint event"');
			assert.equal(await play([answersAsSse]).connect(), '"legacySse"');
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
});
