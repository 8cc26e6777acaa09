// Configured revisions and modes, and aborted negotiations.
import * as assert from 'node:assert/strict';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake, type MemoryServer } from '../../../support/memoryTransport.js';
import { eventually, settled } from '../../../support/waiting.js';
import {
	type Played,
	asksFor,
	dying,
	legacy,
	modern,
	status,
	negotiationBench,
} from '../../../support/negotiationBench.js';

describe('negotiation', () => {
	const { play, sent, calls, assertNothingLeft } = negotiationBench(leakCheck());

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

	// covers: negotiate.abort
	describe('taken back', () => {
		let isOver = false;
		beforeEach(() => (isOver = false));

		/** Aborts as soon as `when` is true; the client must keep nothing. */
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
				// Not if the activity has ended by itself, because nothing waits for it then.
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
