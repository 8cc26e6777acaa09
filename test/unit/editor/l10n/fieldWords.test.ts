// What a person reads while a value does not fit its field.
import * as assert from 'node:assert/strict';
import { describeFieldProblem } from '../../../../src/editor/l10n/messages.js';

describe('words for what is wrong with a value', () => {
	it('ask for a value where nothing was typed, and count characters from two on', () => {
		const words = [1, 2].map(limit => describeFieldProblem({ code: 'tooShort', limit }));
		assert.deepEqual(words, ['Enter a value', 'at least 2 characters']);
	});
});
