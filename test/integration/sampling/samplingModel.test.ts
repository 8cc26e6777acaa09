// What a server asks of a model, asked through the editor of a model of another extension.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isAbort } from '../../../src/base/errors.js';
import { askModel, ModelError } from '../../../src/features/sampling/samplingModel.js';
import { describeUnsupported } from '../../../src/editor/l10n/samplingWords.js';
import { readSampling, type SamplingRequest } from '../../../src/core/requests/samplingRequest.js';
import { answerProblem, type SamplingAnswer } from '../../../src/core/requests/samplingRequest.js';
import {
	asked,
	goOn,
	hasScriptedModels,
	haveModels,
	modelCancelled,
	script,
	scriptedModel,
	noScriptedModels,
} from '../scriptedModel.js';
import { eventually } from '../support.js';
import { skip } from '../../support/skip.js';

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const text = (it: string): object => ({ type: 'text', text: it });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pngSize = Buffer.from(png, 'base64').length;
const image = { type: 'image', data: png, mimeType: 'image/png' };
const weather = { name: 'weather.now', description: 'Tells it', inputSchema: { type: 'object' } };

/** As a server would ask it. */
function request(params: object = {}, ...messages: readonly object[]): SamplingRequest {
	return readSampling({ messages: messages.length > 0 ? messages : [user(text('Hello'))], maxTokens: 1000, ...params });
}

describe('a sampling request to a model', () => {
	let model: vscode.LanguageModelChat;
	let source: vscode.CancellationTokenSource;

	before(async function () {
		if (!hasScriptedModels) {
			skip(this, noScriptedModels);
		}
		model = await scriptedModel('scripted');
	});
	beforeEach(() => {
		source = new vscode.CancellationTokenSource();
	});
	afterEach(() => source.dispose());
	after(async () => {
		if (hasScriptedModels) {
			await haveModels('scripted');
		}
	});

	/** Fails unless the answer may be sent for the request. */
	async function ask(of: SamplingRequest, onText?: (text: string) => void): Promise<SamplingAnswer> {
		const answer = await askModel(model, of, { token: source.token, ...(onText ? { onText } : {}) });
		assert.equal(answerProblem(answer, of), undefined);
		return answer;
	}

	it('sends the system prompt first, and passes the text on as it arrives', async () => {
		await script('Good ', { wait: true }, 'day.');
		const shown: string[] = [];
		const asking = request(
			{ systemPrompt: 'Be polite.', temperature: 0.5, maxTokens: 100, stopSequences: ['1', '2'] },
			user([text('Say'), text('hello\u202E.')]),
			assistant(text('Hello')),
			assistant(text(' ')),
			user(text('Better')),
		);
		const end = ask(asking, it => void shown.push(it));
		await eventually('the first part', () => shown[0]);
		await goOn();
		assert.deepEqual(await end, {
			role: 'assistant',
			content: { type: 'text', text: 'Good day.' },
			model: 'scripted',
			stopReason: 'endTurn',
		});
		assert.equal(shown.join(''), 'Good day.');
		const { requests } = await asked();
		assert.deepEqual(requests, [
			{
				model: 'scripted',
				messages: [
					{ role: 'user', parts: [{ text: 'Be polite.' }] },
					{ role: 'user', parts: [{ text: 'Say' }, { text: 'hello\\u{202e}.' }] },
					{ role: 'assistant', parts: [{ text: 'Hello' }] },
					{ role: 'user', parts: [{ text: 'Better' }] },
				],
				toolMode: vscode.LanguageModelChatToolMode.Auto,
				modelOptions: { max_tokens: 100, temperature: 0.5, stop: ['1', '2'] },
			},
		]);
	});

	describe('ends, and stops the model', () => {
		it('at the token limit', async () => {
			await script('12345', '67890', { wait: true }, 'more');
			const { content, stopReason } = await ask(request({ maxTokens: 7 }));
			assert.deepEqual([content, stopReason], [text('1234567'), 'maxTokens']);
			await modelCancelled();
		});

		it('when it is cancelled', async () => {
			await script('So far', { wait: true }, 'more');
			const end = ask(request(), () => source.cancel());
			await assert.rejects(end, isAbort);
			await modelCancelled();
		});

		it('when it is cancelled, even if the model continues', async () => {
			await script('So far', { deaf: true }, 'more');
			// Not before the next part is waited for.
			const end = ask(request(), () => setTimeout(() => source.cancel(), 10));
			await assert.rejects(end, isAbort);
			await goOn();
		});
	});

	describe('with tools', () => {
		const use = { type: 'tool_use', id: 'c1', name: 'weather.now', input: { city: 'Bern' } };
		const call = { callId: 'c1', name: 'weather_now', input: { city: 'Bern' } };

		it('returns tool uses with the names of the server', async () => {
			const again = { callId: 'c1', name: 'weather_now', input: {} };
			await script('Let me look.', { toolCall: call }, { toolCall: again });
			const answer = await ask(request({ tools: [weather] }));
			assert.deepEqual(answer, {
				role: 'assistant',
				content: [text('Let me look.'), use, { ...use, id: 'c1-2', input: {} }],
				model: 'scripted',
				stopReason: 'toolUse',
			});
			const [sent] = (await asked()).requests;
			assert.deepEqual(
				[sent?.tools, sent?.toolMode],
				[
					[{ name: 'weather_now', description: 'Tells it', inputSchema: { type: 'object' } }],
					vscode.LanguageModelChatToolMode.Auto,
				],
			);
		});

		it('continues with tool results', async () => {
			await script('Rain.');
			const results = [
				{ type: 'tool_result', toolUseId: 'c1', content: [text('rain'), image] },
				{ type: 'tool_result', toolUseId: 'c2', structuredContent: { sun: false } },
				{ type: 'tool_result', toolUseId: 'c3', content: [text('no idea')], isError: true },
			];
			const uses = ['c1', 'c2', 'c3'].map(id => ({ ...use, id }));
			const { stopReason } = await ask(request({ tools: [weather] }, user(text('?')), assistant(uses), user(results)));
			assert.equal(stopReason, 'endTurn');
			assert.deepEqual((await asked()).requests[0]?.messages.slice(1), [
				{ role: 'assistant', parts: ['c1', 'c2', 'c3'].map(callId => ({ toolCall: { ...call, callId } })) },
				{
					role: 'user',
					parts: [
						{
							toolResult: { callId: 'c1', content: [{ text: 'rain' }, { text: `[image · image/png · ${pngSize} B]` }] },
						},
						{ toolResult: { callId: 'c2', content: [{ text: '{"sun":false}' }] } },
						{ toolResult: { callId: 'c3', content: [{ text: '[the tool failed]' }, { text: 'no idea' }] } },
					],
				},
			]);
		});
	});

	describe('with images', () => {
		const looking = request({}, user([text('What is it?'), image]));

		it('is refused with a reason by a model that does not accept images', async () => {
			await script('A cat.');
			await assert.rejects(
				ask(looking),
				(error: unknown) =>
					error instanceof ModelError &&
					error.message === "The request contains images, which Scripted doesn't support.",
			);
			assert.equal((await asked()).requests.length, 0);
			assert.deepEqual(describeUnsupported(looking, model), [
				"The request contains images, which Scripted doesn't support.",
			]);
		});

		describe('to a model that accepts them', () => {
			before(async () => {
				model = await scriptedModel('seeing-mini-2');
			});
			after(async () => {
				model = await scriptedModel('scripted');
			});

			it('sends images, and receives images', async () => {
				await script('A cat. ', { data: { mimeType: 'image/png', base64: png } });
				const answer = await ask(looking);
				assert.deepEqual(answer.content, [text('A cat. '), image]);
				assert.equal(answer.model, 'seeing-mini-2');
				assert.deepEqual((await asked()).requests[0]?.messages, [
					{ role: 'user', parts: [{ text: 'What is it?' }, { data: { mimeType: 'image/png', bytes: pngSize } }] },
				]);
				assert.deepEqual(describeUnsupported(looking, model), []);
			});
		});
	});

	it('with audio is refused with a reason', async () => {
		const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
		await assert.rejects(ask(request({}, user(sound))), /^ModelError: The request contains audio/);
	});

	describe('that fails says why', () => {
		const cases = [
			['NotFound', 'Scripted is no longer available. Select another model.'],
			['NoPermissions', "The editor doesn't allow MCP Workbench to use Scripted."],
			['Blocked', "Scripted isn't accepting requests: over quota"],
			[undefined, "Scripted didn't answer: over quota"],
		] as const;
		for (const [code, message] of cases) {
			it(code ?? 'in the words of the model', async () => {
				await script('So far', { fail: 'over quota', ...(code ? { code } : {}) });
				await assert.rejects(ask(request()), (error: unknown) => {
					assert.ok(error instanceof ModelError);
					assert.equal(error.message, message);
					return true;
				});
			});
		}
	});

	it('says which parts are not honored', () => {
		const asking = request({ systemPrompt: 'Be short.', includeContext: 'allServers', temperature: 1 });
		const context = 'The server asks to include context from servers. Only these messages are sent.';
		assert.deepEqual(describeUnsupported(asking, model), [context]);
		assert.deepEqual(describeUnsupported(asking, undefined), [context]);
		assert.deepEqual(describeUnsupported(request(), model), []);
	});
});
