// Which HTTP statuses are evidence of an era.
import * as assert from 'node:assert/strict';
import { McpError } from '../../../../src/mcp/jsonrpc/errors.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type MemoryServer } from '../../../support/memoryTransport.js';
import { asksFor, legacy, status, negotiationBench } from '../../../support/negotiationBench.js';

describe('negotiation', () => {
	const { play, sent, calls, assertNothingLeft } = negotiationBench(leakCheck());

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
});
