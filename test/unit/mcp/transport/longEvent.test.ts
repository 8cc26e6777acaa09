// The event loop is never held by what is too large: the work of each of its turns is counted, not the time.
import * as assert from 'node:assert/strict';
import { IdScanner } from '../../../../src/mcp/jsonrpc/idScanner.js';
import { SseParser } from '../../../../src/mcp/transport/sseStream.js';

const limit = 8 * 1024 * 1024;
const chunk = 64 * 1024;
/** What a turn may look through: a megabyte, what came in it, and as much for the end of the event. */
const perTurn = 3 * 1024 * 1024;

describe('an event past the limit of which much was kept', function () {
	this.timeout(20_000);
	/** What is told of the bytes, and how much of them was looked through, and joined, in one turn at most. */
	async function follow(bytes: Uint8Array, isShared = true) {
		const told: unknown[] = [];
		const scanned: number[] = [];
		const joined: number[] = [];
		let [scan, join] = [0, 0];
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
		const isDone = (): boolean => told.some(it => typeof it === 'object');
		try {
			for (let at = 0; at < bytes.length; at += chunk) {
				parser.push(bytes.subarray(at, at + chunk));
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
		const sum = scanned.reduce((all, it) => all + it, 0);
		return { told, sum, mostScanned: Math.max(...scanned), mostJoined: Math.max(...joined) };
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

	it('can be left before it is looked through', async () => {
		const bytes = Buffer.from(`data: {"result":"${'x'.repeat(limit)}"${end}`);
		await assert.rejects(follow(bytes, false), { message: 'overlong' });
	});
});
