import * as assert from 'node:assert/strict';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';
import {
	answerProblem,
	type AnswerBlock,
	type AnswerProblem,
	blocksOf,
	toAnswer,
} from '../../../../src/core/requests/samplingAnswer.js';
import { validateSent } from '../../../support/officialSchema.js';

const least = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 };
const tools = [
	{ name: 'weather', inputSchema: { type: 'object' } },
	{ name: 'time', inputSchema: { type: 'object' } },
];
const plain = readSampling(least);
const offering = readSampling({ ...least, tools });
const refusing = readSampling({ ...least, tools, toolChoice: { mode: 'none' } });
const requiring = readSampling({ ...least, tools, toolChoice: { mode: 'required' } });

const text: AnswerBlock = { type: 'text', text: 'Hi' };
const image: AnswerBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const audio: AnswerBlock = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
const use: AnswerBlock = { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Bern' } };

/** Throws if the answer must not be sent to a server. */
function send(answer: object, revision: string): void {
	const message = { jsonrpc: '2.0', id: 1, result: { ...answer } } as const;
	validateSent(message, { revision, answered: 'sampling/createMessage' });
}

describe('an answer to a sampling request', () => {
	// covers: sampling.oneBlock
	it('of one block holds it as it is, as every revision knows it', () => {
		const answer = toAnswer([text], 'm', 'endTurn');
		assert.deepEqual(answer, { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' });
		assert.deepEqual(blocksOf(answer), [text]);
		for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
			send(answer, revision);
		}
	});

	it('of several holds a list, as the newer ones know it', () => {
		const answer = toAnswer([text, use], 'm');
		assert.deepEqual(answer, { role: 'assistant', content: [text, use], model: 'm' });
		assert.deepEqual(blocksOf(answer), [text, use]);
		send(answer, '2025-11-25');
	});

	it('of nothing is an empty text', () => {
		assert.deepEqual(toAnswer([], 'm').content, { type: 'text', text: '' });
		send(toAnswer([], 'm'), '2024-11-05');
	});

	describe('may be sent', () => {
		const good: readonly (readonly [string, object, typeof plain])[] = [
			['a text', toAnswer([text], 'm'), plain],
			['an image', toAnswer([image], 'm'), plain],
			['a sound', toAnswer([audio], 'm'), plain],
			['a list of one', { role: 'assistant', content: [text], model: 'm', stopReason: 'tired' }, plain],
			['a use of a tool', toAnswer([use], 'm', 'toolUse'), offering],
			['several uses', toAnswer([text, use, { ...use, id: 'b', name: 'time' }], 'm', 'toolUse'), offering],
			['a text where tools could be used', toAnswer([text], 'm'), offering],
			['a text where no tool may be used', toAnswer([text], 'm'), refusing],
			['a use where one is required', toAnswer([use], 'm'), requiring],
		];
		for (const [name, answer, request] of good) {
			it(name, () => {
				assert.equal(answerProblem(answer, request), undefined);
				send(answer, '2025-11-25');
			});
		}
	});

	describe('may not be sent', () => {
		const of = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, model: 'm', ...more });
		const bad: readonly (readonly [string, unknown, typeof plain, AnswerProblem])[] = [
			['a text by itself', 'Hi', plain, { code: 'notObject' }],
			['a list', [of(text)], plain, { code: 'notObject' }],
			['null', null, plain, { code: 'notObject' }],
			['what the user says', of(text, { role: 'user' }), plain, { code: 'role' }],
			['nobody says', of(text, { role: undefined }), plain, { code: 'role' }],
			['no model', of(text, { model: undefined }), plain, { code: 'model' }],
			['a model without a name', of(text, { model: '' }), plain, { code: 'model' }],
			['a reason that is none', of(text, { stopReason: 5 }), plain, { code: 'stopReason' }],
			['no content', of(undefined), plain, { code: 'noContent' }],
			['no block', of([]), plain, { code: 'noContent' }],
			['a block that is a text', of('Hi'), plain, { code: 'kind', index: 0, type: undefined }],
			['a block of null', of([text, null]), plain, { code: 'kind', index: 1, type: undefined }],
			['a kind nobody knows', of({ type: 'video' }), plain, { code: 'kind', index: 0, type: 'video' }],
			[
				'the result of a tool',
				of({ type: 'tool_result', toolUseId: 'a', content: [] }),
				offering,
				{ code: 'kind', index: 0, type: 'tool_result' },
			],
			['a text without text', of({ type: 'text' }), plain, { code: 'member', index: 0, name: 'text' }],
			['an image without data', of({ ...image, data: 1 }), plain, { code: 'member', index: 0, name: 'data' }],
			['a sound of no type', of({ ...audio, mimeType: null }), plain, { code: 'member', index: 0, name: 'mimeType' }],
			['data that is none', of([text, { ...image, data: 'a b' }]), plain, { code: 'notBase64', index: 1 }],
			['data of a wrong length', of({ ...image, data: 'AAA' }), plain, { code: 'notBase64', index: 0 }],
			['no data', of({ ...image, data: '' }), plain, { code: 'notBase64', index: 0 }],
			['a use without an id', of({ ...use, id: 1 }), offering, { code: 'member', index: 0, name: 'id' }],
			['a use without a name', of({ ...use, name: null }), offering, { code: 'member', index: 0, name: 'name' }],
			['a use without input', of({ ...use, input: [] }), offering, { code: 'member', index: 0, name: 'input' }],
			['a use where there are no tools', of(use), plain, { code: 'toolsNotOffered', index: 0 }],
			['a use where none is allowed', of([text, use]), refusing, { code: 'toolsNotOffered', index: 1 }],
			[
				'a use of another tool',
				of({ ...use, name: 'delete' }),
				offering,
				{ code: 'unknownTool', index: 0, tool: 'delete' },
			],
			['two uses with one id', of([use, use]), offering, { code: 'sameId', index: 1, id: 'a' }],
			['a text where a use is required', of(text), requiring, { code: 'toolRequired' }],
		];
		for (const [name, answer, request, problem] of bad) {
			it(name, () => assert.deepEqual(answerProblem(answer, request), problem));
		}
	});
});
