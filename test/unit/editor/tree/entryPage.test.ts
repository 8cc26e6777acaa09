import * as assert from 'node:assert/strict';
import { lineIds, pageOf, pageSize } from '../../../../src/editor/tree/treeNodes.js';

describe('pages of a long list', () => {
	const list = (length: number): number[] => Array.from({ length }, (_, index) => index);

	const table: readonly (readonly [length: number, shown: number, lines: number, left: number])[] = [
		[0, pageSize, 0, 0],
		[1, pageSize, 1, 0],
		[pageSize, pageSize, pageSize, 0],
		[pageSize + 1, pageSize, pageSize, 1],
		[100_000, pageSize, pageSize, 99_000],
		[2500, 2 * pageSize, 2000, 500],
		[10, 3 * pageSize, 10, 0],
	];
	for (const [length, shown, lines, left] of table) {
		it(`${length} entries, ${shown} shown: ${lines} lines, ${left} left`, () => {
			const all = list(length);
			const page = pageOf(all, shown);
			assert.deepEqual({ ...page, entries: page.entries.length }, { entries: lines, left });
			assert.deepEqual(page.entries, all.slice(0, lines));
		});
	}

	it('looks at no entry beyond the page', () => {
		const all = new Proxy(list(5000), {
			get: (target, key) => {
				assert.ok(!(typeof key === 'string' && Number(key) >= pageSize), `looked at ${String(key)}`);
				return Reflect.get(target, key) as unknown;
			},
		});
		assert.equal(pageOf(all, pageSize).entries.length, pageSize);
	});

	it('tells the same key twice apart, and keeps ids when the list grows', () => {
		const before = lineIds(['a', 'b', 'a', '0/a']);
		assert.deepEqual(before, ['0/a', '0/b', '1/a', '0/0/a']);
		assert.deepEqual(lineIds(['a', 'b', 'a', '0/a', 'a', 'c']).slice(0, 4), before);
		assert.equal(new Set(before).size, before.length);
	});
});
