// Whatever comes for the requests in flight, in whatever order, each is settled once, by the first thing that settles it.
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { call, legacyConnection } from '../support/connectionBench.js';
import { McpError } from '../../src/mcp/jsonrpc/errors.js';
import { Tap } from '../../src/mcp/transport/tap.js';
import { type Outcome, outcomeOf } from '../support/faults/outcome.js';
import { leakCheck } from '../support/leakCheck.js';
import { MemoryTransport } from '../support/memoryTransport.js';
import { TestLogger } from '../support/testLogger.js';
import { settled } from '../support/waiting.js';

const kinds = [
	'result',
	'error',
	'both',
	'resultAsText',
	'idAsText',
	'unknownId',
	'progress',
	'serverCancels',
	'serverAsks',
	'abort',
	'lose',
] as const;

/** `tag` tells one answer from another. */
interface Event {
	readonly kind: (typeof kinds)[number] | 'end';
	readonly at: number;
	readonly tag: number;
}

const event = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(7), tag: fc.nat() });
const play = fc.tuple(fc.array(event, { maxLength: 40 }), fc.option(fc.nat(40))).map(([events, end]): Event[] => {
	const all: Event[] = [...events];
	if (end !== null) {
		all.splice(end, 0, { kind: 'end', at: 0, tag: 0 });
	}
	return all;
});

/** What an event makes of a request that still waits. */
function outcomeBy({ kind, tag }: Event): Outcome | undefined {
	switch (kind) {
		case 'result':
		case 'idAsText':
			return { value: { tag } };
		case 'error':
			return { rpc: [tag, 'no'] };
		case 'both':
		case 'resultAsText':
			return {
				failure: {
					code: 'invalidResult',
					method: 'tools/call',
					why: kind === 'both' ? 'both result and error' : 'result is not an object',
				},
			};
		case 'abort':
			return { aborted: true };
		case 'lose':
			return { failure: { code: 'network', why: String(tag) } };
		default:
			return undefined;
	}
}

describe('interleaving', function () {
	this.timeout(20_000);
	const { own } = leakCheck();

	it('settles each request once', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 8 }), play, async (count, events) => {
				const transport = own(
					new MemoryTransport({ revision: '2025-11-25', methods: { 'tools/call': () => undefined } }),
				);
				const log = new TestLogger();
				const tap = own(new Tap());
				const connection = own(legacyConnection(transport, log, tap));
				const aborts = Array.from({ length: count }, () => new AbortController());
				const expected: (Outcome | undefined)[] = aborts.map(() => undefined);
				const progress: string[] = [];
				const expectedProgress: string[] = [];
				const outcomes = aborts.map(({ signal }, index) =>
					outcomeOf(call(connection, { signal, onProgress: it => progress.push(`${index} ${it.progress}`) })),
				);
				// All are sent before anything comes.
				await settled();
				let isOver = false;
				for (const it of events) {
					const at = it.at % count;
					const id = at + 1;
					if (!isOver && !expected[at]) {
						expected[at] = outcomeBy(it);
						if (it.kind === 'progress') {
							expectedProgress.push(`${at} ${it.tag}`);
						}
					}
					if (it.kind === 'end') {
						isOver = true;
					}
					happen(it, id, aborts[at] ?? new AbortController());
				}
				assert.equal(connection.isAtWork, !isOver && expected.includes(undefined));
				connection.dispose();
				assert.equal(connection.isAtWork, false);
				assert.deepEqual(
					await Promise.all(outcomes),
					expected.map(it => it ?? { failure: { code: 'closed' } }),
				);
				assert.deepEqual(progress, expectedProgress);
				await settled();

				function happen({ kind, tag }: Event, id: number, abort: AbortController): void {
					const jsonrpc = '2.0';
					const result = { tag };
					const error = { code: tag, message: 'no' };
					switch (kind) {
						case 'result':
							return transport.receive({ jsonrpc, id, result });
						case 'error':
							return transport.receive({ jsonrpc, id, error });
						case 'both':
							return transport.receive({ jsonrpc, id, result, error });
						case 'resultAsText':
							return transport.receive({ jsonrpc, id, result: 'text' });
						case 'idAsText':
							return transport.receive({ jsonrpc, id: String(id), result });
						case 'unknownId':
							return transport.receive({ jsonrpc, id: id + 1000, result });
						case 'progress':
							return transport.notify('notifications/progress', { progressToken: id, progress: tag });
						case 'serverCancels':
							return transport.notify('notifications/cancelled', { requestId: id });
						case 'serverAsks':
							return transport.request(id, 'ping');
						case 'abort':
							return abort.abort();
						case 'lose':
							return transport.lose(id, new McpError({ code: 'network', why: String(tag) }));
						case 'end':
							return transport.end({ expected: false });
					}
				}
			}),
			{ numRuns: 300 },
		);
	});
});
