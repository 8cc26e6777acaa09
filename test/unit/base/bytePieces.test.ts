import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BytePieces } from '../../../src/base/bytePieces.js';

describe('BytePieces', () => {
	it('gives the bytes in their order, however they are added and taken', () => {
		const step = fc.oneof(
			fc.record({ add: fc.uint8Array({ maxLength: 20 }), times: fc.integer({ min: 1, max: 600 }) }),
			fc.record({ take: fc.integer({ min: 1, max: 50 }), times: fc.integer({ min: 1, max: 600 }) }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 10 }), fc.uint8Array({ maxLength: 9 }), (steps, last) => {
				const pieces = new BytePieces();
				const expected: number[] = [];
				for (const it of steps) {
					for (let time = 0; time < it.times; time++) {
						if ('add' in it) {
							pieces.add(it.add);
							expected.push(...it.add);
						} else {
							const taken = pieces.take(it.take);
							assert.deepEqual(taken === undefined, expected.length === 0);
							assert.ok(taken === undefined || (taken.length > 0 && taken.length <= it.take));
							assert.deepEqual([...(taken ?? [])], expected.splice(0, taken?.length ?? 0));
						}
					}
					assert.equal(pieces.length, expected.length);
					assert.deepEqual([...pieces.head(9)], expected.slice(0, 9));
				}
				assert.deepEqual([...pieces.takeAll(last)], [...expected, ...last]);
				assert.deepEqual([pieces.length, pieces.take(1)], [0, undefined]);
			}),
			{ numRuns: 50 },
		);
	});
});
