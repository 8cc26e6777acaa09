import * as assert from 'node:assert/strict';
import {
	type ChoiceReason,
	chooseModels,
	type ModelFacts,
	modelKey,
} from '../../../../src/core/requests/modelChoice.js';
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
describe('the model that preferences lead to', () => {
	const firsts: readonly (readonly [string, object, ModelFacts, ChoiceReason])[] = [
		['nothing', {}, gpt, { kind: 'noHint' }],
		['a hint', hinting('sonnet'), sonnet, { kind: 'hint', hint: 'sonnet' }],
		['a hint in capitals', hinting('OPUS'), opus, { kind: 'hint', hint: 'OPUS' }],
		['a name as people write it', hinting('Claude Haiku'), haiku, { kind: 'hint', hint: 'Claude Haiku' }],
		['dashes for dots', hinting('claude-3-5-sonnet'), sonnet, { kind: 'hint', hint: 'claude-3-5-sonnet' }],
		['a vendor', hinting('google'), gemini, { kind: 'hint', hint: 'google' }],
		['the first of two', hinting('haiku', 'opus'), haiku, { kind: 'hint', hint: 'haiku' }],
		['the second of two', hinting('llama', 'opus'), opus, { kind: 'hint', hint: 'opus' }],
		['a hint that names nobody', hinting('llama'), gpt, { kind: 'noMatch', hint: 'llama' }],
		['a hint of signs alone', hinting('--', 'haiku'), haiku, { kind: 'hint', hint: 'haiku' }],
		['no part of a word, joined', hinting('4omini'), gpt, { kind: 'noMatch', hint: '4omini' }],
		['the one that is called so', hinting('gpt-4o-mini', 'gpt-4o'), gptMini, { kind: 'hint', hint: 'gpt-4o-mini' }],
		['a price', { costPriority: 1 }, gpt, { kind: 'noHint' }],
		['a hint and a price', { ...hinting('claude'), costPriority: 1 }, sonnet, { kind: 'hint', hint: 'claude' }],
	];
	for (const [name, preferences, expected, reason] of firsts) {
		it(name, () => assert.deepEqual(chooseModels(all, preferring(preferences))[0], { model: expected, reason }));
	}

	it("is the person's own first, and has all others behind it in their order", () => {
		const choices = chooseModels(all, preferring(hinting('haiku', 'gpt')), { chosen: modelKey(gemini) });
		assert.deepEqual(
			choices.map(it => [it.model.id, it.reason.kind]),
			[
				['gemini-2.0-pro', 'person'],
				['claude-3.5-haiku', 'hint'],
				['gpt-4o', 'hint'],
				['gpt-4o-mini', 'hint'],
				['claude-3.5-sonnet', 'other'],
				['claude-opus-4', 'other'],
			],
		);
	});

	it("is the next best where the person's own is gone", () => {
		const [first] = chooseModels(all, preferring({}), { chosen: 'gone/gemini-2.0-pro' });
		assert.deepEqual(first, { model: gpt, reason: { kind: 'noHint' } });
	});

	it('is one that can be asked, unless the person has chosen another', () => {
		const isFit = (it: ModelFacts): boolean => it !== haiku;
		const [first, ...others] = chooseModels(all, preferring(hinting('haiku')), { isFit });
		assert.equal(first?.model, gpt);
		assert.equal(others.at(-1)?.model, haiku);
		assert.equal(chooseModels(all, preferring({}), { isFit, chosen: modelKey(haiku) })[0]?.model, haiku);
	});

	it('is none where there is none', () => assert.deepEqual(chooseModels([], preferring(hinting('x'))), []));
});
