import * as assert from 'node:assert/strict';
import { type JsonObject, RpcError, RpcErrorCode } from '../../../../src/mcp/index.js';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';

const hello = { role: 'user', content: { type: 'text', text: 'Hello' } };
const weather = { name: 'weather', description: 'Tells it', inputSchema: { type: 'object' } };
const use = { type: 'tool_use', id: 'u1', name: 'weather', input: { city: 'Bern' } };
const result = { type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: 'rain' }] };

const least = { messages: [hello], maxTokens: 10 };

describe('a sampling request', () => {
	it('with required members only', () => {
		assert.deepEqual(readSampling(least), {
			messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
			systemPrompt: undefined,
			hints: [],
			includeContext: 'none',
			temperature: undefined,
			maxTokens: 10,
			stopSequences: [],
			tools: [],
			toolChoice: 'auto',
		});
	});

	it('with all members', () => {
		const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
		const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
		const request = readSampling({
			messages: [
				{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture, sound] },
				{ role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }, use] },
				{ role: 'user', content: [{ ...result, structuredContent: { rain: true }, isError: true }] },
			],
			systemPrompt: 'Be short.',
			modelPreferences: {
				hints: [{ name: 'sonnet' }, { name: 'claude' }],
				costPriority: 0.2,
				speedPriority: 0,
				intelligencePriority: 1,
			},
			includeContext: 'thisServer',
			temperature: 0.5,
			maxTokens: 1000,
			stopSequences: ['END', '\n\n'],
			tools: [weather],
			toolChoice: { mode: 'required' },
		});
		assert.deepEqual(request, {
			messages: [
				{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture, sound] },
				{ role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }, use] },
				{
					role: 'user',
					content: [{ ...result, structuredContent: { rain: true }, isError: true }],
				},
			],
			systemPrompt: 'Be short.',
			hints: ['sonnet', 'claude'],
			includeContext: 'thisServer',
			temperature: 0.5,
			maxTokens: 1000,
			stopSequences: ['END', '\n\n'],
			tools: [weather],
			toolChoice: 'required',
		});
	});

	describe('is read tolerantly', () => {
		const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
			[
				'null for what is absent',
				{
					systemPrompt: null,
					modelPreferences: null,
					includeContext: null,
					temperature: null,
					stopSequences: null,
					tools: null,
					toolChoice: null,
				},
				{},
			],
			['a context nobody knows', { includeContext: 'everything' }, {}],
			['stop sequences that are none', { stopSequences: ['', 1, 'x'] }, { stopSequences: ['x'] }],
			[
				'preferences that make no sense',
				{ modelPreferences: { hints: [{ name: '' }, 'gpt', {}, { name: 'x' }], costPriority: 7, speedPriority: '1' } },
				{ hints: ['x'] },
			],
			['a message without content', { messages: [hello, { role: 'assistant', content: [] }, hello] }, {}],
			[
				'no message beside a system prompt',
				{ messages: [], systemPrompt: 'Say hello.' },
				{ messages: [], systemPrompt: 'Say hello.' },
			],
		];
		for (const [name, sent, read] of cases) {
			it(name, () => {
				const { messages, ...rest } = readSampling({ ...least, ...sent });
				const { messages: _, ...expected } = { ...readSampling(least), ...read };
				assert.deepEqual(rest, expected);
				assert.equal(messages.length, ((sent['messages'] as unknown[] | undefined) ?? [0]).length);
			});
		}

		it('a tool use without input, and a tool result without content', () => {
			const { input: _, ...bare } = use;
			const { content: __, ...empty } = result;
			const { messages } = readSampling({
				...least,
				messages: [hello, { role: 'assistant', content: bare }, { role: 'user', content: empty }],
			});
			assert.deepEqual(messages.slice(1), [
				{ role: 'assistant', content: [{ ...use, input: {} }] },
				{ role: 'user', content: [{ ...result, content: [], structuredContent: undefined, isError: false }] },
			]);
		});
	});

	it('keeps unexpected types of blocks', () => {
		const link = { type: 'resource_link', uri: 'x:1', name: 'one' };
		const thought = { type: 'thought', of: 'you' };
		const { messages } = readSampling({ ...least, messages: [{ role: 'user', content: [link, thought] }] });
		assert.deepEqual(messages[0]?.content, [link, { type: 'unknown', raw: thought }]);
	});

	describe('is refused', () => {
		const asking = (content: unknown, role: unknown = 'user'): JsonObject => ({ messages: [{ role, content }] });
		const cases: readonly (readonly [JsonObject, RegExp])[] = [
			[{ messages: undefined }, /^messages is missing/],
			[{ messages: [] }, /^messages is empty/],
			[asking([]), /^messages is empty/],
			[asking(hello.content, 'system'), /^messages\[0\]\.role is "system"/],
			[asking('Hello'), /^messages\[0\]\.content is not an object/],
			[asking({ text: 'Hello' }), /^messages\[0\]\.content\.type is missing/],
			[asking({ type: 'text' }), /^messages\[0\]\.content lacks its text/],
			[asking({ type: 'image', mimeType: 'image/png' }), /lacks its data/],
			[
				{
					messages: [
						{ role: 'user', content: use },
						{ role: 'user', content: result },
					],
				},
				/^messages\[0\]\.content is a tool use, and only a message of the assistant/,
			],
			[{ messages: [hello, { role: 'assistant', content: use }] }, /No result for the tool use "u1"/],
			[asking(result), /answers no tool use/],
			[asking([result, hello.content]), /holds nothing else/],
			[{ maxTokens: undefined }, /^maxTokens is missing/],
			[{ maxTokens: 0 }, /^maxTokens is 0/],
			[{ systemPrompt: ['Be short.'] }, /^systemPrompt is not a string/],
			[{ tools: weather }, /^tools is not an array/],
			[{ tools: [{ name: 'weather' }] }, /^tools\[0\]\.inputSchema is not an object/],
			[{ tools: [weather, weather] }, /^tools\[1\] has the name "weather" of another/],
			[{ tools: [weather], toolChoice: { mode: 'any' } }, /^toolChoice\.mode is "any"/],
			[{ toolChoice: { mode: 'required' } }, /requires a tool/],
		];
		for (const [sent, why] of cases) {
			it(JSON.stringify(sent), () => {
				assert.throws(
					() => readSampling({ ...least, ...sent }),
					(error: unknown) => {
						assert.ok(error instanceof RpcError);
						assert.equal(error.code, RpcErrorCode.invalidParams);
						assert.match(error.message, why);
						return true;
					},
				);
			});
		}

		const uses: readonly (readonly [string, JsonObject, JsonObject, RegExp])[] = [
			['a use without an id', { id: undefined }, { toolUseId: undefined }, /lacks its id/],
			['a use whose input is no object', { input: [] }, {}, /input is not an object/],
			['a result whose content is no list', {}, { content: 'rain' }, /content is not an array/],
		];
		for (const [name, inUse, inResult, why] of uses) {
			it(name, () => {
				const messages = [
					hello,
					{ role: 'assistant', content: [{ ...use, ...inUse }] },
					{ role: 'user', content: [{ ...result, ...inResult }] },
				];
				assert.throws(() => readSampling({ ...least, messages }), why);
			});
		}

		it('two tool uses with the same id', () => {
			const messages = [hello, { role: 'assistant', content: [use, use] }, { role: 'user', content: [result] }];
			assert.throws(() => readSampling({ ...least, messages }), /has the id "u1" of another/);
		});
	});
});
