import * as assert from 'node:assert/strict';
import { TokenBudget } from '../../../../src/features/chat/tokenBudget.js';

describe('the room of a model in a chat', () => {
	const room = (maxInputTokens: number, takesImages = true): TokenBudget =>
		new TokenBudget({ maxInputTokens, takesImages, count: async text => text.length });
	const image = (bytes: number): Uint8Array => new Uint8Array(bytes);

	it('has images as long as as many fit as an answer may have, and never for a model that takes none', async () => {
		assert.equal(room(100_000, false).takesImages, false);
		assert.equal(room(10_000).takesImages, false);
		const large = room(100_000);
		assert.equal(large.takesImages, true);
		await large.take('x'.repeat(40_000), Array(6).fill(image(10)));
		assert.equal(large.takesImages, false);
		assert.equal(large.isFull, false);
	});

	it('counts an image by itself, not by its bytes; all of a turn are no larger than a request can carry', async () => {
		const large = room(1_000_000);
		await large.take('', [image(5_000_000), image(4_999_999)]);
		assert.equal(large.takesImages, true);
		assert.equal(large.isFull, false);
		await large.take('', [image(1)]);
		assert.equal(large.takesImages, false);
	});
});
