/** The texts of the sheets of sampling requests. */
import * as assert from 'node:assert/strict';
import { tail } from '../../../../src/features/sampling/sheets.js';

describe('the end of an answer that arrives', () => {
	it('is marked as cut only if something is missing', () => {
		assert.equal(tail('Green.\n').trim(), 'Green.');
		assert.equal(tail('\n').trim(), '');
		assert.equal(tail(`${'a'.repeat(63)}b`), `${'a'.repeat(63)}b`);
		assert.equal(tail(`x${'a'.repeat(64)}`), `…${'a'.repeat(64)}`);
	});

	it('begins with a whole character, and brings no icons', () => {
		assert.equal(tail(`\u{1F600}${'a'.repeat(63)}`), `…${'a'.repeat(63)}`);
		assert.ok(!tail('$(zap)').includes('$(zap)'));
	});
});
