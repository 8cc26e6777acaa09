import * as assert from 'node:assert/strict';
import { argumentsWithSecrets } from '../../../../src/features/approvals/approval.js';

describe('arguments with secrets', () => {
	it('are found by their names and by their values at any depth', () => {
		const args = { a: 'open sesame', b: 'no', c: { d: ['sesame'] }, sesame: 1 };
		assert.deepEqual(
			argumentsWithSecrets(args, text => text.includes('sesame')),
			['a', 'c', 'sesame'],
		);
	});
});
