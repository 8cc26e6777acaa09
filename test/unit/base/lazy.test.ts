import * as assert from 'node:assert/strict';
import { lazy } from '../../../src/base/lazy.js';

describe('lazy', () => {
	it('makes the value at the first call, and only once', () => {
		let count = 0;
		const value = lazy(() => ({ number: ++count }));
		assert.equal(count, 0);
		const first = value();
		assert.deepEqual([first.number, value() === first, count], [1, true, 1]);
	});

	it('keeps a value of undefined', () => {
		let count = 0;
		const value = lazy(() => void count++);
		value();
		value();
		assert.equal(count, 1);
	});

	it('tries again after an error', () => {
		const errors = [new Error('not yet')];
		const value = lazy(() => {
			const error = errors.pop();
			if (error) {
				throw error;
			}
			return 'made';
		});
		assert.throws(value, { message: 'not yet' });
		assert.equal(value(), 'made');
	});
});
