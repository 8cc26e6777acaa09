import * as assert from 'node:assert/strict';
import { definitionText, estimateTokens } from '../../../../src/core/calls/modelTools.js';

// `test/pipes/core/calls/modelTools.test.ts` compares the estimates with a tokenizer.
describe('the tokens of a tool', () => {
	it('are the tokens of the members that models get', () => {
		const tool = { name: 'weed', description: 'Weeds.', inputSchema: { type: 'object' }, _meta: { x: 1 } };
		assert.equal(definitionText(tool), '{"description":"Weeds.","inputSchema":{"type":"object"},"name":"weed"}');
	});

	it('grow with words, other scripts, numbers and punctuation', () => {
		assert.deepEqual(
			['', 'word', 'two words', 'camelCase', 'x'.repeat(90), '123456', '":{"', '读取文件', ' \n\t '].map(
				estimateTokens,
			),
			[0, 1, 2, 2, 10, 2, 1, 2, 0],
		);
	});

	it('grow in proportion for a text that is too long to be examined as a whole', () => {
		const sentence = 'Reads one file of a folder.\n'.padEnd(100);
		assert.equal(estimateTokens(sentence.repeat(10_000)) / estimateTokens(sentence.repeat(1000)), 10);
	});
});
