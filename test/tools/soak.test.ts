// The books of `npm run soak`: what goes wrong there is found, and what may happen is not held against anybody.
import * as assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { durations, enter, judge, type Line, type Outcome, readLedger } from '../soak/editor/ledger.js';
import { leaks, type Measure, measure } from '../soak/editor/measure.js';
import { Random } from '../soak/editor/random.js';

const right: Outcome = { kind: 'right' };
const failed: Outcome = { kind: 'error', code: 'failed', message: 'the connection was closed' };
const life = (number: number, at = 0): Line => ({ kind: 'life', at, life: number });
const began = (id: number, at: number, server = 'a'): Line => ({ kind: 'began', at, id, server, what: 'echo' });
const ended = (id: number, at: number, outcome: Outcome = right): Line => ({ kind: 'ended', at, id, outcome });
const kill = (at: number, server?: string): Line => ({
	kind: 'trouble',
	at,
	what: 'kill',
	settled: at + 100,
	...(server !== undefined && { server }),
});

describe('the books of the soak', () => {
	/** By what happened, what is found; the end of the books is after 200 seconds. */
	const table: Readonly<Record<string, readonly [lines: readonly Line[], found: readonly string[]]>> = {
		'all is well': [[life(1), began(1, 10), ended(1, 20)], []],
		'an answer that never came': [
			[life(1), began(1, 10), began(2, 20), ended(2, 30)],
			['hung: echo of a, begun at 00:00:00.010, has not ended by 00:03:20.000'],
		],
		'an answer that came much too late': [
			[life(1), began(1, 10), ended(1, 100_010)],
			['hung: echo of a, begun at 00:00:00.010, took 100 s'],
		],
		'a call that the reload cut off': [[life(1), began(1, 10), life(2, 100), began(1, 200), ended(1, 300)], []],
		'a call that hung before the reload': [
			[life(1), began(1, 10), life(2, 100_100)],
			['hung: echo of a, begun at 00:00:00.010, has not ended by 00:01:40.100'],
		],
		'an answer to something else': [
			[life(1), began(1, 10), ended(1, 20, { kind: 'wrong', why: 'echo answered no' })],
			['wrong: echo of a, begun at 00:00:00.010: echo answered no'],
		],
		'a rejection that nobody handled': [
			[life(1), { kind: 'accident', at: 5, where: 'the extension host', text: 'unhandled rejection: Error: no' }],
			['accident in the extension host: unhandled rejection: Error: no'],
		],
		'a failure for no reason': [
			[life(1), began(1, 10), ended(1, 20, failed)],
			['failed without a reason: echo of a, begun at 00:00:00.010, at 00:00:00.020: failed, the connection was closed'],
		],
		'a failure of a server that was killed meanwhile': [
			[life(1), began(1, 10), kill(15, 'a'), ended(1, 20, failed), began(2, 200), ended(2, 210)],
			[],
		],
		'a failure of another server than was killed': [
			[life(1), began(1, 10), kill(15, 'b'), ended(1, 20, failed), began(2, 200, 'b'), ended(2, 210)],
			['failed without a reason: echo of a, begun at 00:00:00.010, at 00:00:00.020: failed, the connection was closed'],
		],
		'a failure after what was done to all': [
			[life(1), kill(5), began(1, 10), ended(1, 20, failed), began(2, 200), ended(2, 210)],
			[],
		],
		'a failure before the kill, and one after the server worked again': [
			[
				life(1),
				began(1, 10),
				ended(1, 20, failed),
				kill(30, 'a'),
				began(2, 200),
				ended(2, 210),
				began(3, 220),
				ended(3, 230, failed),
			],
			[
				'failed without a reason: echo of a, begun at 00:00:00.010, at 00:00:00.020: failed, the connection was closed',
				'failed without a reason: echo of a, begun at 00:00:00.220, at 00:00:00.230: failed, the connection was closed',
			],
		],
		'a server that never came back': [
			[life(1), kill(5, 'a'), began(1, 10), ended(1, 20, failed)],
			['did not recover: a, kill at 00:00:00.005'],
		],
		'a server with a fault, which may fail but must end': [
			[
				life(1),
				{ kind: 'began', at: 1, id: 1, server: 'f', what: 'fault', isFault: true },
				ended(1, 2, failed),
				{ kind: 'began', at: 3, id: 2, server: 'f', what: 'fault', isFault: true },
			],
			['hung: fault of f, begun at 00:00:00.003, has not ended by 00:03:20.000'],
		],
	};
	for (const [name, [lines, found]] of Object.entries(table)) {
		it(name, () => assert.deepEqual(judge(lines, 200_000).problems, found));
	}

	it('count what came of calls, and how long it took', () => {
		const lines = [
			life(1),
			began(1, 10),
			ended(1, 14),
			kill(15, 'a'),
			began(2, 20),
			ended(2, 30, failed),
			began(3, 1015),
			ended(3, 1025, right),
			began(4, 1030),
			ended(4, 1040, { kind: 'cancelled' }),
			began(5, 1050),
			life(2, 1060),
		];
		const { counts, longestRecoveryMs } = judge(lines, 2000);
		assert.deepEqual(counts, { right: 2, error: 1, cancelled: 1, 'cut off': 1 });
		assert.equal(longestRecoveryMs, 1000);
		assert.deepEqual(durations(lines, 'echo', 0, 1000), [4]);
	});

	it('are read as they were written, without half a line at their end', () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soak-'));
		try {
			const file = path.join(folder, 'ledger.jsonl');
			enter(file, life(1));
			enter(file, ended(1, 2));
			fs.appendFileSync(file, '{"kind":"beg');
			assert.deepEqual(readLedger(file), [life(1), ended(1, 2)]);
		} finally {
			fs.rmSync(folder, { recursive: true });
		}
	});

	it('have the same chance again', () => {
		const draw = (random: Random): number[] => Array.from({ length: 1000 }, () => random.below(10));
		const first = draw(new Random(7));
		assert.deepEqual(draw(new Random(7)), first);
		assert.notDeepEqual(draw(new Random(8)), first);
		const counts = Array.from({ length: 10 }, (_, digit) => first.filter(it => it === digit).length);
		assert.ok(
			counts.every(it => it > 60 && it < 140),
			counts.join(),
		);
	});
});

describe('the measures of the soak', function () {
	this.timeout(30_000);

	it('find more memory than a tenth of what there was', () => {
		const before = { heapMb: 50, resources: {}, files: {}, listeners: {} };
		assert.deepEqual(leaks(before, { ...before, heapMb: 54.9 }), []);
		assert.deepEqual(leaks(before, { ...before, heapMb: 55.1 }), ['heap: 55.1 MB, was 50.0 MB']);
	});

	it('find timers, listeners and sockets that were left, and nothing once they are gone', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		// A collection takes long in the process of all tests, whose memory is no measure either.
		const look = async (): Promise<Measure> => ({ ...(await measure(2)), heapMb: 0 });
		const before = await look();
		assert.ok((await measure(1)).heapMb > 1);
		const timers = Array.from({ length: 30 }, () => setTimeout(() => undefined, 60_000));
		const listen = (): void => undefined;
		process.on('SIGUSR2', listen);
		const sockets = Array.from({ length: 3 }, () => connect((server.address() as AddressInfo).port, '127.0.0.1'));
		const found = leaks(before, await look()).join('\n');
		for (const what of ['resource Timeout:', 'resource TCPSocketWrap:', 'listener SIGUSR2:']) {
			assert.ok(found.includes(what), `${what} in ${found}`);
		}
		assert.ok(process.platform !== 'linux' || found.includes('file socket:'), found);
		timers.forEach(clearTimeout);
		process.off('SIGUSR2', listen);
		sockets.forEach(it => it.destroy());
		server.close();
		assert.deepEqual(leaks(before, await look()), []);
	});
});
