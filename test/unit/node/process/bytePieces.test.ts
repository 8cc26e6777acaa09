import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BytePieces } from '../../../../src/node/process/bytePieces.js';

describe('BytePieces', () => {
	it('gives the bytes in their order, however they are added', () => {
		const step = fc.record({ add: fc.uint8Array({ maxLength: 20 }), times: fc.integer({ min: 1, max: 600 }) });
		fc.assert(
			fc.property(fc.array(step, { maxLength: 10 }), fc.uint8Array({ maxLength: 9 }), (steps, last) => {
				const pieces = new BytePieces();
				const expected: number[] = [];
				for (const it of steps) {
					for (let time = 0; time < it.times; time++) {
						pieces.add(it.add);
						expected.push(...it.add);
					}
					assert.equal(pieces.length, expected.length);
				}
				assert.deepEqual([...pieces.takeAll(last)], [...expected, ...last]);
				assert.deepEqual([pieces.length, [...pieces.takeAll(last)]], [0, [...last]]);
			}),
			{ numRuns: 50 },
		);
	});
});
