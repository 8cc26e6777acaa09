/** The texts in which a person edits a sampling request and its answer. */
import * as assert from 'node:assert/strict';
import {
	answerText,
	emptyAnswerText,
	readAnswer,
	readRequest,
	requestText,
} from '../../../../src/features/sampling/drafts.js';

const user = (text: string): object => ({ role: 'user', content: { type: 'text', text } });

describe('the text of a request', () => {
	const params = { messages: [user('Hello')], systemPrompt: 'Be brief.', maxTokens: 10, temperature: 0.5 };

	it('has the members that can be edited, and is read back as the same request', () => {
		const text = requestText(params);
		assert.deepEqual(JSON.parse(text), { systemPrompt: 'Be brief.', messages: params.messages, maxTokens: 10 });
		assert.equal(readRequest(text, params).isEdited, false);
	});

	it('changes the messages, the system prompt and the limit, and nothing else', () => {
		const text = JSON.stringify({ messages: [user('Hi')], maxTokens: 20, temperature: 1 });
		const { request, isEdited } = readRequest(text, params);
		assert.equal(isEdited, true);
		assert.deepEqual(
			[request.systemPrompt, request.maxTokens, request.temperature, request.messages[0]?.content],
			[undefined, 20, 0.5, [{ type: 'text', text: 'Hi' }]],
		);
	});

	for (const [text, problem] of [
		['{ "messages": ', "The edited request isn't a JSON object."],
		['[]', "The edited request isn't a JSON object."],
		['{ "maxTokens": 1 }', "The edited request can't be sent: messages is missing."],
		[
			JSON.stringify({ messages: [user('x')], maxTokens: 0 }),
			/^Error: The edited request can't be sent: maxTokens is 0/,
		],
	] as const) {
		it(`is checked: ${text}`, () =>
			assert.throws(() => readRequest(text, params), typeof problem === 'string' ? { message: problem } : problem));
	}
});

describe('the text of an answer', () => {
	const block = { type: 'text', text: 'Green.' } as const;
	const answer = { role: 'assistant', content: block, model: 'm', stopReason: 'maxTokens' } as const;

	it('is plain text for an answer with one text, and keeps the other members', () => {
		const text = answerText(answer);
		assert.deepEqual(text, { text: 'Green.', extension: 'txt', before: answer });
		assert.deepEqual(readAnswer(text), answer);
		assert.deepEqual(readAnswer({ ...text, text: 'Blue.' }), { ...answer, content: { type: 'text', text: 'Blue.' } });
	});

	it('is JSON for any other answer', () => {
		const several = { ...answer, content: [block, block] };
		const text = answerText(several);
		assert.equal(text.extension, 'json');
		assert.deepEqual(readAnswer(text), several);
		assert.equal(readAnswer({ ...text, text: '{ "role": ' }), undefined);
	});

	it('starts empty for an answer by hand, as text or as JSON', () => {
		for (const isJson of [false, true]) {
			const empty = { role: 'assistant', content: { type: 'text', text: '' }, model: 'human', stopReason: 'endTurn' };
			assert.deepEqual(readAnswer(emptyAnswerText(isJson)), empty);
		}
	});
});
