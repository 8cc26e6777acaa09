import * as assert from 'node:assert/strict';
import { AnswerText } from '../../../../src/features/sampling/samplingModel.js';

/** A word is a token, with the blank before it; so is a blank at the end. */
const words = (text: string): number => text.match(/\s?\S+|\s/g)?.length ?? 0;

interface Told {
	readonly shown: readonly string[];
	readonly text: string;
	readonly ended: string | undefined;
	readonly counts: number;
	readonly characters: number;
}

async function read(
	parts: readonly string[],
	maxTokens: number,
	stopSequences: readonly string[] = [],
	tokens: (text: string) => number = words,
): Promise<Told> {
	let counts = 0;
	let characters = 0;
	const answer = new AnswerText({ maxTokens, stopSequences }, text => {
		counts++;
		characters += text.length;
		return Promise.resolve(tokens(text));
	});
	const shown: string[] = [];
	for (const part of parts) {
		shown.push(await answer.add(part));
		if (answer.ended) {
			break;
		}
	}
	const { rest, blocks } = answer.end();
	shown.push(rest);
	const text = blocks.map(it => (it.type === 'text' ? it.text : '')).join('|');
	return { shown, text, ended: answer.ended, counts, characters };
}

describe('the text of an answer', () => {
	it('stays whole, and is shown as it comes', async () => {
		const { shown, text, ended } = await read(['Once ', '', 'upon'], 100);
		assert.deepEqual([shown, text, ended], [['Once ', '', 'upon', ''], 'Once upon', undefined]);
	});

	// covers: sampling.maxTokens
	describe('ends where its tokens end', () => {
		it('within a part', async () => {
			const { text, shown, ended } = await read(['one two', ' three four', ' five'], 3);
			assert.deepEqual([text, shown.join(''), ended], ['one two three', 'one two three', 'maxTokens']);
		});

		it('wherever it is cut into parts', async () => {
			const whole = 'The quick brown fox jumps over the lazy dog.';
			for (let size = 1; size <= whole.length; size++) {
				const parts = whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
				const { text, shown, ended } = await read(parts, 4);
				assert.deepEqual([text, shown.join(''), ended], ['The quick brown fox', 'The quick brown fox', 'maxTokens']);
			}
		});

		it('as estimated, where the model cannot count', async () => {
			const broken = (): number => {
				throw new Error('no tokeniser');
			};
			assert.equal((await read(['x'.repeat(100)], 5, [], broken)).text, 'x'.repeat(20));
			assert.equal((await read(['x'.repeat(100)], 5, [], () => 0)).text, 'x'.repeat(20));
		});

		it('for what tools are called with too', async () => {
			const answer = new AnswerText({ maxTokens: 30, stopSequences: [] }, async it => it.length);
			await answer.add('Let me look.');
			await answer.addBlock({ type: 'tool_use', id: '1', name: 'look', input: {} });
			await answer.addBlock({ type: 'tool_use', id: '2', name: 'look', input: { at: 'everything' } });
			assert.equal(await answer.add('more'), '');
			assert.equal(answer.ended, 'maxTokens');
			assert.deepEqual(
				answer.end().blocks.map(it => (it.type === 'tool_use' ? it.id : it.type)),
				['text', '1'],
			);
		});
	});

	describe('ends before a stop sequence', () => {
		it('wherever it is cut into parts, and shows nothing of it', async () => {
			const whole = 'Say it. STOPS not. STOP And more. END';
			for (let size = 1; size <= whole.length; size++) {
				const parts = whole.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
				const { text, shown, ended } = await read(parts, 100, ['END', 'STOP ']);
				assert.deepEqual([text, shown.join('')], ['Say it. STOPS not. ', 'Say it. STOPS not. ']);
				assert.equal(ended, 'stopSequence');
			}
		});

		it('and is whole where there is none', async () => {
			const { text, shown, ended } = await read(['ab', 'E', 'N'], 100, ['END']);
			assert.deepEqual([text, shown, ended], ['abEN', ['', 'a', 'b', 'EN'], undefined]);
		});
	});

	describe('is counted', () => {
		const word = ' word';
		const long = Array.from({ length: 4000 }, () => word);

		it('never while it is surely short enough', async () => {
			assert.equal((await read(long, 4000 * word.length)).counts, 0);
		});

		it('a few times only where it comes near the limit', async () => {
			const { counts, characters, ended } = await read(long, 4000);
			assert.equal(ended, undefined);
			assert.ok(counts < 60, `${counts} times`);
			assert.ok(characters < 60 * 4000 * word.length, `${characters} characters`);
		});

		it('a few times more where it is too long', async () => {
			const { text, counts } = await read(long, 3000);
			assert.equal(text, word.repeat(3000));
			assert.ok(counts < 80, `${counts} times`);
		});
	});
});
