import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Budget, charsBudget, endOfPiece } from '../../../../src/features/languageModelTools/untrustedContent.js';

const words = (max: number): Budget => ({ max, count: async text => text.split(/\s+/).length });

describe('the budget of a model', () => {
	it('leaves whole what fits', async () => {
		assert.equal(await endOfPiece('short', 0, charsBudget), 5);
		assert.equal(await endOfPiece('a b c', 2, words(10)), 5);
	});

	it("cuts at a line's end, if one is near, and never in the middle of a character", async () => {
		const lines = 'x'.repeat(99).concat('\n').repeat(500);
		assert.equal(await endOfPiece(lines, 0, { ...charsBudget, max: 1050 }), 1000);
		const emoji = '🌱'.repeat(20_000);
		const end = await endOfPiece(emoji, 0, { ...charsBudget, max: 1001 });
		assert.equal(end % 2, 0);
	});

	it('always fits, always gets on, and leaves nothing out', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ maxLength: 3000, unit: fc.constantFrom('a', ' ', '\n', '🌱', 'ü') }),
				fc.integer({ min: 1, max: 800 }),
				async (text, max) => {
					let from = 0;
					let whole = '';
					while (from < text.length) {
						const end = await endOfPiece(text, from, { max, count: it => it.length });
						assert.ok(end > from);
						assert.ok(end - from <= Math.max(max, 200));
						whole += text.slice(from, end);
						from = end;
					}
					assert.equal(whole, text);
				},
			),
		);
	});
});
