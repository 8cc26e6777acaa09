// The event loop is never held by what is too large: the work of each of its turns is counted, not the time.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { IdScanner } from '../../../../src/mcp/jsonrpc/idScanner.js';
import { SseParser } from '../../../../src/mcp/transport/sseStream.js';

const limit = 8 * 1024 * 1024;
const chunk = 64 * 1024;
/** What a turn may look through: a megabyte, and what came in it. */
const perTurn = 1024 * 1024 + 2 * chunk;

describe('an event past the limit of which much was kept', () => {
	/** What is told of the bytes, and how much of them each turn has looked through and joined. */
	async function follow(bytes: Uint8Array, isShared = true) {
		const told: unknown[] = [];
		const scanned: number[] = [];
		let [turn, joined] = [0, 0];
		const copy = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
		const push = Reflect.get(IdScanner.prototype, 'push') as IdScanner['push'];
		const set = Reflect.get(copy, 'set') as Uint8Array['set'];
		const scanning = mock.method(IdScanner.prototype, 'push', function (this: IdScanner, part: Uint8Array) {
			turn += part.length;
			push.call(this, part);
		});
		const joining = mock.method(copy, 'set', function (this: Uint8Array, part: ArrayLike<number>, at?: number) {
			joined += part.length;
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
				scanned.push(turn);
				turn = 0;
			}
			while (!isDone()) {
				await new Promise(resolve => {
					setTimeout(resolve, 0);
				});
				scanned.push(turn);
				turn = 0;
			}
		} finally {
			scanning.mock.restore();
			joining.mock.restore();
		}
		const sum = scanned.reduce((all, it) => all + it, 0);
		return { told, joined, sum, most: Math.max(...scanned) };
	}

	const after = 'id: 2\ndata: next\n\n';
	const answer = { responseId: 'ä😀', id: '1' };
	const end = `,"id":"ä😀"}\nid: 1\n\n${after}`;

	it('is looked through little by little as it comes, and never joined: one line', async () => {
		const text = 'x'.repeat(2 * limit);
		const { told, joined, sum, most } = await follow(Buffer.from(`data: {"result":"${text}"${end}`));
		// It was caught up with before its end.
		assert.deepEqual(told, [answer, 'next']);
		assert.ok(joined <= chunk, `${joined} bytes were joined`);
		assert.ok(sum > text.length && sum < text.length + 100, `${sum} bytes were looked through`);
		assert.ok(most <= perTurn, `${most} bytes in one turn`);
	});

	for (const [what, text] of [
		['one line', `data: {"result":"${'😀'.repeat(limit / 4)}"`],
		['many lines', `data: {"result":[\n${'data: 1,\n'.repeat(limit / 3)}data: 1]`],
		['a line after a long one', `data: {"result":"${'x'.repeat(limit - 100)}"\ndata:${' '.repeat(200)}`],
	] as const) {
		it(`takes turns when it ends, and what follows does not wait: ${what}`, async () => {
			const { told, joined, most } = await follow(Buffer.from(text + end));
			assert.deepEqual(told.toSorted(), ['next', answer].toSorted());
			assert.ok(joined <= 2 * limit, `${joined} bytes were joined`);
			assert.ok(most <= perTurn, `${most} bytes in one turn`);
		});
	}

	it('can be left before it is looked through', async () => {
		const bytes = Buffer.from(`data: {"result":"${'x'.repeat(limit)}"${end}`);
		await assert.rejects(follow(bytes, false), { message: 'overlong' });
	});
});
