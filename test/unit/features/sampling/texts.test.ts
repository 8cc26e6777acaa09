/** The texts in which a person edits what a model is asked, and what it answers. */
import * as assert from 'node:assert/strict';
import type { EditedText } from '../../../../src/editor/documents/textEditing.js';
import {
	answerText,
	DraftText,
	emptyAnswerText,
	isEmpty,
	readAnswer,
	readRequest,
	requestText,
} from '../../../../src/features/sampling/drafts.js';

const user = (text: string): object => ({ role: 'user', content: { type: 'text', text } });

describe('the text of a request', () => {
	const params = { messages: [user('Hello')], systemPrompt: 'Be brief.', maxTokens: 10, temperature: 0.5 };

	it('has what can be edited, and comes to the same request', async () => {
		const text = await requestText(params).read();
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
		it(`is judged: ${text}`, () =>
			assert.throws(() => readRequest(text, params), typeof problem === 'string' ? { message: problem } : problem));
	}
});

describe('the text of an answer', () => {
	const block = { type: 'text', text: 'Green.' } as const;
	const answer = { role: 'assistant', content: block, model: 'm', stopReason: 'maxTokens' } as const;

	it('is a text where the answer is one, and keeps what a text cannot express', async () => {
		const text = answerText(answer);
		assert.deepEqual([text.extension, await text.read()], ['txt', 'Green.']);
		assert.equal(readAnswer('Green.', text), answer);
		assert.deepEqual(readAnswer('Blue.', text), { ...answer, content: { type: 'text', text: 'Blue.' } });
	});

	it('is JSON where the answer is anything else', async () => {
		const several = { ...answer, content: [block, block] };
		const text = answerText(several);
		assert.equal(text.extension, 'json');
		assert.deepEqual(readAnswer(await text.read(), text), several);
		assert.equal(readAnswer('{ "role": ', text), undefined);
	});

	it('is empty until it is written', async () => {
		for (const text of [emptyAnswerText(false), emptyAnswerText(true)]) {
			assert.ok(isEmpty(readAnswer(await text.read(), text)));
		}
		assert.ok(!isEmpty(readAnswer('Green.', emptyAnswerText(false))));
	});
});

describe('a text in a tab', () => {
	let shown: string[];
	let inTab: string | undefined;
	let end: (written: string | undefined) => void;

	beforeEach(() => {
		shown = [];
	});

	function open(text: string): EditedText {
		inTab = text;
		const written = new Promise<string | undefined>(resolve => (end = resolve));
		const show = async (): Promise<void> => void shown.push(text);
		return { written, show, read: async () => inTab, close: () => end(undefined) };
	}

	it('says what is typed while the tab is open; another edit shows the same tab', async () => {
		const text = new DraftText('one', 'txt');
		await text.edit(open, () => undefined);
		inTab = 'two';
		assert.equal(await text.read(), 'two');
		await text.edit(
			() => assert.fail('a second tab'),
			() => undefined,
		);
		assert.deepEqual(shown, ['one', 'one']);
		end(undefined);
	});

	for (const [written, left] of [
		['two', 'two'],
		[undefined, 'one'],
	] as const) {
		it(`is "${left}" after the tab was closed with ${written}, and begins with that again`, async () => {
			const text = new DraftText('one', 'txt');
			const closed = new Promise<boolean>(resolve => void text.edit(open, resolve));
			end(written);
			assert.equal(await closed, written !== undefined);
			assert.equal(await text.read(), left);
			await text.edit(open, () => undefined);
			assert.deepEqual(shown, ['one', left]);
			end(undefined);
		});
	}
});
