/** Counting the tokens of requests. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { TokenCounts } from '../../../src/features/sampling/tokenCounts.js';
import { readSampling } from '../../../src/core/requests/sampling.js';

describe('tokens of requests', () => {
	const request = (): ReturnType<typeof readSampling> =>
		readSampling({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 });
	let counts: TokenCounts;
	let asked: number;

	beforeEach(() => {
		counts = new TokenCounts();
		asked = 0;
	});
	afterEach(() => counts.dispose());

	function model(count: () => Promise<number>): vscode.LanguageModelChat {
		const countTokens = (): Promise<number> => {
			asked++;
			return count();
		};
		return { countTokens } as unknown as vscode.LanguageModelChat;
	}

	it('are counted once for a model, however often its sheet opens', async () => {
		const [one, other] = [model(() => Promise.resolve(5)), model(() => Promise.resolve(7))];
		const given = request();
		void counts.begin(one, given);
		assert.equal(await counts.get(one, given), 5);
		assert.equal(await counts.get(one, given), 5);
		assert.equal(asked, 1);
		assert.equal(await counts.get(other, given), 7);
		assert.equal(await counts.get(one, request()), 5);
		assert.equal(asked, 3);
	});

	it('are not known if the model fails or takes long, and are once it has counted them', async () => {
		assert.equal(
			await counts.get(
				model(() => Promise.reject(new Error('no'))),
				request(),
			),
			undefined,
		);
		let end: (tokens: number) => void = () => undefined;
		const slow = model(() => new Promise(resolve => (end = resolve)));
		const given = request();
		assert.equal(await counts.get(slow, given), undefined);
		end(9);
		assert.equal(await counts.get(slow, given), 9);
	});
});
