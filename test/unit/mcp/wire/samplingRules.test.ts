import * as assert from 'node:assert/strict';
import { samplingProblem } from '../../../../src/mcp/wire/samplingRules.js';

const text = { type: 'text', text: 'x' };
const use = (id: string): object => ({ type: 'tool_use', id, name: 't', input: {} });
const result = (toolUseId: string): object => ({ type: 'tool_result', toolUseId, content: [] });
const user = (...content: unknown[]): object => ({ role: 'user', content });
const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });

const notSupported = 'Sampling with tools is not supported by this client.';
const mixed = 'A message with tool results is from the user and holds nothing else.';
const noResult = (id: string): string => `No result for the tool use "${id}".`;
const noUse = (id: string): string => `The tool result "${id}" answers no tool use of the message before.`;

// covers: sampling.toolsUndeclared sampling.toolResultOnly sampling.toolBalance
describe('samplingProblem', () => {
	const messages: readonly [string, unknown, string | undefined][] = [
		['nothing', [], undefined],
		['one block that is no list', [{ role: 'user', content: text }], undefined],
		['several blocks', [user(text, text), assistant(text)], undefined],
		[
			'unknown kinds of blocks',
			[user({ type: 'hologram' }, { type: 'audio', data: '', mimeType: 'audio/x' })],
			undefined,
		],
		['a use and its result', [user(text), assistant(use('a')), user(result('a'))], undefined],
		['uses beside text', [user(text), assistant(text, use('a'), use('b')), user(result('b'), result('a'))], undefined],
		[
			'an id used again later',
			[assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
			undefined,
		],
		['a result that is no list', [assistant(use('a')), { role: 'user', content: result('a') }], undefined],
		['a use that is no list', [{ role: 'assistant', content: use('a') }, user(result('a'))], undefined],
		['results beside text', [assistant(use('a')), user(result('a'), text)], mixed],
		['text beside results', [assistant(use('a')), user(text, result('a'))], mixed],
		['results of the assistant', [assistant(use('a')), assistant(result('a'))], mixed],
		['a use without result at the end', [user(text), assistant(use('a'))], noResult('a')],
		['a use followed by text', [assistant(use('a')), user(text)], noResult('a')],
		['one of two results', [assistant(use('a'), use('b')), user(result('a'))], noResult('b')],
		['a result too many', [assistant(use('a')), user(result('a'), result('b'))], noUse('b')],
		['a result twice', [assistant(use('a')), user(result('a'), result('a'))], noUse('a')],
		['a result of nothing', [user(result('a'))], noUse('a')],
		['a result too late', [assistant(use('a')), user(text), user(result('a'))], noResult('a')],
		['a result of an earlier use', [assistant(use('a')), user(result('a')), user(result('a'))], noUse('a')],
		['no list', undefined, 'messages is missing.'],
		['an object', {}, 'messages is missing.'],
		['a text', ['x'], 'A message is not an object.'],
		['null', [null], 'A message is not an object.'],
	];
	for (const [name, value, expected] of messages) {
		it(name, () => {
			assert.equal(samplingProblem({ messages: value, maxTokens: 5 }, true), expected);
			assert.equal(samplingProblem({ messages: value, maxTokens: 5 }, false), expected);
		});
	}

	it('tools and a choice of them only if they were declared', () => {
		const table = [{ tools: [] }, { tools: [{ name: 't', inputSchema: {} }] }, { toolChoice: { mode: 'auto' } }];
		assert.deepEqual(
			table.map(it => samplingProblem({ messages: [], ...it }, false)),
			table.map(() => notSupported),
		);
		assert.deepEqual(
			table.map(it => samplingProblem({ messages: [], ...it }, true)),
			table.map(() => undefined),
		);
	});
});
