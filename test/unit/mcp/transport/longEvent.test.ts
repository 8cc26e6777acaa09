// Events that are too large never hold the event loop or the memory: work and bytes are counted, not the time.
import * as assert from 'node:assert/strict';
import { IdScanner } from '../../../../src/mcp/jsonrpc/idScanner.js';
import { SseParser } from '../../../../src/mcp/transport/sseStream.js';

const limit = 8 * 1024 * 1024;
const chunk = 64 * 1024;
/** Bytes that a turn may scan: a constant, and as much at the end of an event. */
const perTurn = 3 * 256 * 1024;
/** Bytes that may be held beyond the limit: some chunks. */
const slack = 4 * chunk;

describe('an event past the limit of which much was kept', function () {
	this.timeout(20_000);
	/** What is told of the bytes; bytes scanned and joined in one turn at most; bytes received and not scanned at most. */
	async function follow(bytes: Uint8Array, isShared = true, events = 1) {
		const told: unknown[] = [];
		const scanned: number[] = [];
		const joined: number[] = [];
		let [scan, join, all, mostHeld] = [0, 0, 0, 0];
		const endTurn = (): void => {
			scanned.push(scan);
			joined.push(join);
			[scan, join] = [0, 0];
		};
		const copy = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
		const push = Reflect.get(IdScanner.prototype, 'push');
		const set: Uint8Array['set'] = Reflect.get(copy, 'set');
		// No `mock.method`, which keeps every call.
		Reflect.set(IdScanner.prototype, 'push', function (this: IdScanner, part: Uint8Array) {
			scan += part.length;
			all += part.length;
			push.call(this, part);
		});
		Reflect.set(copy, 'set', function (this: Uint8Array, part: ArrayLike<number>, at?: number) {
			join += part.length;
			set.call(this, part, at);
		});
		const parser = new SseParser(
			{
				onEvent: ({ data }) => told.push(data),
				onOversize: ({ responseId }, { id }) => told.push({ responseId, id }),
				...(isShared ? {} : { onOverlong: () => assert.fail('overlong') }),
			},
			limit,
		);
		const isDone = (): boolean => told.filter(it => typeof it === 'object').length === events;
		try {
			for (let at = 0; at < bytes.length; at += chunk) {
				parser.push(bytes.subarray(at, at + chunk));
				mostHeld = Math.max(mostHeld, at + chunk - all);
				endTurn();
			}
			while (!isDone()) {
				await new Promise(resolve => {
					setTimeout(resolve, 0);
				});
				endTurn();
			}
		} finally {
			Reflect.set(IdScanner.prototype, 'push', push);
			Reflect.set(copy, 'set', set);
		}
		return { told, sum: all, mostHeld, mostScanned: Math.max(...scanned), mostJoined: Math.max(...joined) };
	}

	const after = 'id: 2\ndata: next\n\n';
	const answer = { responseId: 'ä😀', id: '1' };
	const end = `,"id":"ä😀"}\nid: 1\n\n${after}`;

	it('is looked through little by little as it comes, and never joined: one line', async () => {
		const text = 'x'.repeat(2 * limit);
		const { told, sum, mostScanned, mostJoined } = await follow(Buffer.from(`data: {"result":"${text}"${end}`));
		// It was caught up with before its end.
		assert.deepEqual(told, [answer, 'next']);
		assert.ok(mostJoined <= chunk, `${mostJoined} bytes were joined`);
		assert.ok(sum > text.length && sum < text.length + 100, `${sum} bytes were looked through`);
		assert.ok(mostScanned <= perTurn, `${mostScanned} bytes in one turn`);
	});

	// What has ended within the limit had to be joined.
	for (const [what, mayJoin, text] of [
		['one line', chunk, `data: {"result":"${'😀'.repeat(limit / 4)}"`],
		['many lines', 2 * chunk, `data: {"result":[\n${`data: ${' '.repeat(1000)}1,\n`.repeat(limit / 1000)}data: 1]`],
		['a line after a long one', limit, `data: {"result":"${'x'.repeat(limit - 100)}"\ndata:${' '.repeat(200)}`],
	] as const) {
		it(`takes turns when it ends, and what follows does not wait: ${what}`, async () => {
			const { told, mostScanned, mostJoined } = await follow(Buffer.from(text + end));
			assert.deepEqual(new Set(told), new Set(['next', answer]));
			assert.ok(mostJoined <= mayJoin, `${mostJoined} bytes were joined`);
			assert.ok(mostScanned <= perTurn, `${mostScanned} bytes in one turn`);
		});
	}

	for (const shape of [':,', '"id":1,', '"":0,', '[{"id":', '\\"', '"\\u0069d":1,']) {
		it(`takes no more turns or memory if it consists of ${shape}`, async () => {
			const text = shape.repeat((2 * limit) / shape.length);
			const { told, mostHeld, mostScanned } = await follow(Buffer.from(`data: {"a":${text}\nid: 1\n\n${after}`));
			assert.deepEqual(told, [{ responseId: undefined, id: '1' }, 'next']);
			assert.ok(mostHeld <= limit + slack, `${mostHeld} bytes were held`);
			assert.ok(mostScanned <= perTurn, `${mostScanned} bytes in one turn`);
		});
	}

	for (const line of [
		'data\n',
		'data:\n',
		'data:x\n',
		'data: xx\n',
		'data:\xff\n',
		'data:\xff\xff\xff\xff\xff\xff\n',
	]) {
		it(`is caught up with before its end, if its lines are ${JSON.stringify(line)}`, async () => {
			const begin = `data: {"id":"ä😀","result":"${'x'.repeat(limit)}"`;
			const lines = Buffer.from(line.repeat((1.5 * limit) / line.length), 'latin1');
			const { told, mostScanned } = await follow(
				Buffer.concat([Buffer.from(begin), lines, Buffer.from(`\nid: 1\n\n${after}`)]),
			);
			assert.equal(told.length, 2);
			// Scanned to its end in the chunk that ended it.
			assert.equal(told[1], 'next');
			assert.ok(mostScanned <= perTurn, `${mostScanned} bytes in one turn`);
		});
	}

	it('takes no more turns or memory if many follow each other', async () => {
		const one = `data: {"result":"${'x'.repeat(limit - chunk)}\ndata: ${'x'.repeat(chunk)}"${end}`;
		const { told, mostHeld, mostScanned } = await follow(Buffer.from(one.repeat(6)), true, 6);
		assert.deepEqual(new Set(told.map(it => JSON.stringify(it))), new Set(['"next"', JSON.stringify(answer)]));
		assert.ok(mostHeld <= limit + slack, `${mostHeld} bytes were held`);
		assert.ok(mostScanned <= perTurn, `${mostScanned} bytes in one turn`);
	});

	it('can be left before it is looked through', async () => {
		const bytes = Buffer.from(`data: {"result":"${'x'.repeat(limit)}"${end}`);
		await assert.rejects(follow(bytes, false), { message: 'overlong' });
	});
});
