import * as assert from 'node:assert/strict';
import { chooseModels, type ModelFacts, modelKey } from '../../../../src/core/requests/modelChoice.js';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';

const model = (id: string, more: Partial<ModelFacts> = {}): ModelFacts => ({
	id,
	vendor: 'copilot',
	family: id,
	name: id,
	...more,
});

const gpt = model('gpt-4o', { name: 'GPT-4o' });
const gptMini = model('gpt-4o-mini', { name: 'GPT-4o mini' });
const sonnet = model('claude-3.5-sonnet', { name: 'Claude Sonnet 3.5' });
const haiku = model('claude-3.5-haiku', { name: 'Claude Haiku 3.5' });
const opus = model('claude-opus-4', { name: 'Claude Opus 4' });
const gemini = model('gemini-2.0-pro', { name: 'Gemini 2.0 Pro', vendor: 'google' });
const all = [gpt, gptMini, sonnet, haiku, opus, gemini];

/** Hints as a server sends them. */
function preferring(modelPreferences: object): readonly string[] {
	const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
	return readSampling({ messages, maxTokens: 1, modelPreferences }).hints;
}

const hinting = (...names: readonly string[]): object => ({ hints: names.map(name => ({ name })) });

// covers: sampling.hints
describe('the model that preferences select', () => {
	const firsts: readonly (readonly [string, object, ModelFacts])[] = [
		['nothing', {}, gpt],
		['a hint', hinting('sonnet'), sonnet],
		['a hint in capitals', hinting('OPUS'), opus],
		['a name with spaces', hinting('Claude Haiku'), haiku],
		['dashes for dots', hinting('claude-3-5-sonnet'), sonnet],
		['a vendor', hinting('google'), gemini],
		['the first of two', hinting('haiku', 'opus'), haiku],
		['the second of two', hinting('llama', 'opus'), opus],
		['a hint that matches no model', hinting('llama'), gpt],
		['a hint without letters', hinting('--', 'haiku'), haiku],
		['a hint that joins parts of words', hinting('4omini'), gpt],
		['an exact name', hinting('gpt-4o-mini', 'gpt-4o'), gptMini],
		['a price', { costPriority: 1 }, gpt],
		['a hint and a price', { ...hinting('claude'), costPriority: 1 }, sonnet],
	];
	for (const [name, preferences, expected] of firsts) {
		it(name, () => assert.equal(chooseModels(all, preferring(preferences))[0], expected));
	}

	it("is the person's own first, and has all others behind it in their order", () => {
		const choices = chooseModels(all, preferring(hinting('haiku', 'gpt')), { chosen: modelKey(gemini) });
		assert.deepEqual(
			choices.map(it => it.id),
			['gemini-2.0-pro', 'claude-3.5-haiku', 'gpt-4o', 'gpt-4o-mini', 'claude-3.5-sonnet', 'claude-opus-4'],
		);
	});

	it("is the next best one if the person's own is gone", () => {
		const [first] = chooseModels(all, preferring({}), { chosen: 'gone/gemini-2.0-pro' });
		assert.equal(first, gpt);
	});

	it('is one that can be asked, unless the person has chosen another', () => {
		const isFit = (it: ModelFacts): boolean => it !== haiku;
		const [first, ...others] = chooseModels(all, preferring(hinting('haiku')), { isFit });
		assert.equal(first, gpt);
		assert.equal(others.at(-1), haiku);
		assert.equal(chooseModels(all, preferring({}), { isFit, chosen: modelKey(haiku) })[0], haiku);
	});

	it('is none if there is no model', () => assert.deepEqual(chooseModels([], preferring(hinting('x'))), []));
});
