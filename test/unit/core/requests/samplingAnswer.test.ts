import * as assert from 'node:assert/strict';
import {
	type AnswerBlock,
	answerProblem,
	type AnswerProblem,
	blocksOf,
	readSampling,
	toAnswer,
} from '../../../../src/core/requests/samplingRequest.js';
import { validateSent } from '../../../support/officialSchema.js';

const least = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 };
const tools = [
	{ name: 'weather', inputSchema: { type: 'object' } },
	{ name: 'time', inputSchema: { type: 'object' } },
];
const plain = readSampling(least);
const offering = readSampling({ ...least, tools });
const requiring = readSampling({ ...least, tools, toolChoice: { mode: 'required' } });

const text: AnswerBlock = { type: 'text', text: 'Hi' };
const image: AnswerBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const use: AnswerBlock = { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Bern' } };

/** Throws if the answer must not be sent to a server. */
function send(answer: object, revision: string): void {
	const message = { jsonrpc: '2.0', id: 1, result: { ...answer } } as const;
	validateSent(message, { revision, answered: 'sampling/createMessage' });
}

describe('an answer to a sampling request', () => {
	// covers: sampling.oneBlock
	it('with one block has the block itself, as in every revision', () => {
		const answer = toAnswer([text], 'm', 'endTurn');
		assert.deepEqual(answer, { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' });
		assert.deepEqual(blocksOf(answer), [text]);
		for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
			send(answer, revision);
		}
	});

	it('with several blocks has a list, as in newer revisions', () => {
		const answer = toAnswer([text, use], 'm');
		assert.deepEqual(answer, { role: 'assistant', content: [text, use], model: 'm' });
		assert.deepEqual(blocksOf(answer), [text, use]);
		send(answer, '2025-11-25');
	});

	it('without blocks is an empty text', () => {
		assert.deepEqual(toAnswer([], 'm').content, { type: 'text', text: '' });
		send(toAnswer([], 'm'), '2024-11-05');
	});

	describe('can be sent', () => {
		const good: readonly (readonly [string, object, typeof plain])[] = [
			['a text', toAnswer([text], 'm'), plain],
			['an image', toAnswer([image], 'm'), plain],
			['a use of a tool', toAnswer([use], 'm', 'toolUse'), offering],
			['several uses', toAnswer([text, use, { ...use, id: 'b', name: 'time' }], 'm', 'toolUse'), offering],
			['a use where one is required', toAnswer([use], 'm'), requiring],
		];
		for (const [name, answer, request] of good) {
			it(name, () => {
				assert.equal(answerProblem(answer, request), undefined);
				send(answer, '2025-11-25');
			});
		}
	});

	describe('cannot be sent', () => {
		const of = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, model: 'm', ...more });
		const bad: readonly (readonly [string, unknown, typeof plain, AnswerProblem])[] = [
			['a bare text', 'Hi', plain, { code: 'notAnswer' }],
			['the role of the user', of(text, { role: 'user' }), plain, { code: 'notAnswer' }],
			['no model', of(text, { model: undefined }), plain, { code: 'notAnswer' }],
			['an invalid stop reason', of(text, { stopReason: 5 }), plain, { code: 'notAnswer' }],
			['no block', of([]), plain, { code: 'notAnswer' }],
			['an unknown type', of({ type: 'video' }), plain, { code: 'block', index: 0 }],
			['a text without text', of({ type: 'text' }), plain, { code: 'block', index: 0 }],
			['data of a wrong length', of({ ...image, data: 'AAA' }), plain, { code: 'block', index: 0 }],
			['a use without an id', of({ ...use, id: 1 }), offering, { code: 'block', index: 0 }],
			['a use without input', of({ ...use, input: [] }), offering, { code: 'block', index: 0 }],
			['a tool use if no tools are offered', of(use), plain, { code: 'tool', index: 0 }],
			['a use of a tool that is not offered', of({ ...use, name: 'delete' }), offering, { code: 'tool', index: 0 }],
			['two tool uses with the same id', of([use, use]), offering, { code: 'tool', index: 1 }],
			['a text if a tool use is required', of(text), requiring, { code: 'toolRequired' }],
		];
		for (const [name, answer, request, problem] of bad) {
			it(name, () => assert.deepEqual(answerProblem(answer, request), problem));
		}
	});
});
