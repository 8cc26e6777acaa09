import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Versions } from '../../../../src/core/resources/versions.js';

describe('versions', () => {
	it('keeps the last of each, oldest first', () => {
		const versions = new Versions<string>({ count: 2, bytes: 100 });
		for (const it of ['a', 'b', 'c']) {
			versions.add('x', it, 1, 5);
		}
		assert.deepEqual(
			versions.of('x').map(it => it.value),
			['b', 'c'],
		);
		assert.deepEqual(versions.of('y'), []);
	});

	it('never holds more than it may, and never gives a number twice', () => {
		const added = fc.record({ key: fc.constantFrom('a', 'b', 'c'), size: fc.integer({ min: 0, max: 60 }) });
		fc.assert(
			fc.property(fc.array(added, { maxLength: 60 }), all => {
				const versions = new Versions<number>({ count: 3, bytes: 100 });
				const numbers = new Set<number>();
				let count = 0;
				for (const { key, size } of all) {
					versions.add(key, size, size, 0);
					const newest = versions.of(key).at(-1);
					assert.equal(newest?.value, size, 'the newest is there');
					numbers.add(newest.number);
					count++;
					const kept = ['a', 'b', 'c'].flatMap(it => versions.of(it));
					assert.ok(kept.reduce((sum, it) => sum + it.size, 0) <= 100);
					assert.ok(['a', 'b', 'c'].every(it => versions.of(it).length <= 3));
				}
				assert.equal(numbers.size, count);
			}),
		);
	});

	it('does not drop everything for one that is too large', () => {
		const versions = new Versions<string>({ count: 3, bytes: 10 });
		versions.add('x', 'small', 5, 0);
		versions.add('x', 'large', 11, 0);
		assert.deepEqual(
			versions.of('x').map(it => it.value),
			['small'],
		);
	});
});
