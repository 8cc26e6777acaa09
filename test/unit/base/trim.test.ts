import * as assert from 'node:assert/strict';
import { trimEnd, trimEnds } from '../../../src/base/trim.js';

describe('trim', () => {
	it('takes the given characters off the ends, and nothing between', () => {
		assert.deepEqual(
			['', '/', '//', 'a', '/a', 'a/', '-/a-/b/-', 'é/'].map(it => [trimEnd(it, '/-'), trimEnds(it, '/-')]),
			[
				['', ''],
				['', ''],
				['', ''],
				['a', 'a'],
				['/a', 'a'],
				['a', 'a'],
				['-/a-/b', 'a-/b'],
				['é', 'é'],
			],
		);
	});
});
