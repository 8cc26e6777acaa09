import * as assert from 'node:assert/strict';
import { LimitedAnswer } from '../../../../src/features/sampling/samplingModel.js';

/** A token is a word with the space before it, or a space at the end. */
const words = (text: string): number => text.match(/\s?\S+|\s/g)?.length ?? 0;

interface Told {
	/** The text that was shown while it arrived. */
	readonly shown: string;
	readonly text: string;
	readonly isFull: boolean;
	readonly counts: number;
}

async function read(
	parts: readonly string[],
	maxTokens: number,
	tokens: (text: string) => number = words,
): Promise<Told> {
	let counts = 0;
	const answer = new LimitedAnswer(maxTokens, text => {
		counts++;
		return Promise.resolve(tokens(text));
	});
	let shown = '';
	for (const part of parts) {
		shown += await answer.addText(part);
		if (answer.isFull) {
			break;
		}
	}
	const told = counts;
	const text = (await answer.end()).map(it => (it.type === 'text' ? it.text : '')).join('|');
	return { shown, text, isFull: answer.isFull, counts: told };
}

describe('the text of an answer', () => {
	it('stays whole, and is shown as it arrives', async () => {
		const { shown, text, isFull } = await read(['Once ', '', 'upon'], 100);
		assert.deepEqual([shown, text, isFull], ['Once upon', 'Once upon', false]);
	});

	// covers: sampling.maxTokens
	describe('ends at the token limit', () => {
		it('wherever it is split into parts', async () => {
			const whole = 'The quick brown fox jumps over the lazy dog.';
			for (let size = 1; size <= whole.length; size++) {
				const parts = whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
				const { text, shown, isFull } = await read(parts, 4);
				assert.ok(whole.startsWith(text) && words(text) <= 4 && text.length > 10, text);
				assert.deepEqual([shown, isFull], [text, true]);
			}
		});

		it('never within a character', async () => {
			const { text } = await read(['\u{1F600}\u{1F600}'], 3, it => it.length);
			assert.equal(text, '\u{1F600}');
		});

		it('as estimated, if the model cannot count', async () => {
			const broken = (): number => {
				throw new Error('no tokeniser');
			};
			assert.equal((await read(['x'.repeat(100)], 5, broken)).text, 'x'.repeat(20));
			assert.equal((await read(['x'.repeat(100)], 5, () => 0)).text, 'x'.repeat(20));
		});

		it('also with the input of tool calls', async () => {
			const answer = new LimitedAnswer(30, async it => it.length);
			await answer.addText('Let me look.');
			await answer.addBlock({ type: 'tool_use', id: '1', name: 'look', input: {} });
			await answer.addBlock({ type: 'tool_use', id: '2', name: 'look', input: { at: 'everything' } });
			assert.equal(answer.isFull, true);
			assert.deepEqual(
				(await answer.end()).map(it => (it.type === 'tool_use' ? it.id : it.type)),
				['text', '1'],
			);
		});
	});

	describe('is counted', () => {
		const word = ' word';
		const long = Array.from({ length: 4000 }, () => word);

		it('never while it cannot exceed the limit', async () => {
			assert.equal((await read(long, 4000 * word.length)).counts, 0);
		});

		it('a few times if it comes near the limit', async () => {
			const { counts, isFull } = await read(long, 4000);
			assert.equal(isFull, false);
			assert.ok(counts < 60, `${counts} times`);
		});

		it('a few times more if it exceeds the limit', async () => {
			const { counts, isFull } = await read(long, 3000);
			assert.equal(isFull, true);
			assert.ok(counts < 80, `${counts} times`);
		});
	});
});
