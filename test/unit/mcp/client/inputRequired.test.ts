import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { nullLogger } from '../../../../src/base/log.js';
import { Client } from '../../../../src/mcp/client/client.js';
import type { ClientHandlers } from '../../../../src/mcp/client/handlers.js';
import { finishRounds, type RoundTrips } from '../../../../src/mcp/client/inputRequired.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Decoded } from '../../../../src/mcp/wire/codec.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, type Method, MemoryTransport } from '../../../support/memoryTransport.js';
import { eventually, settled } from '../../../support/waiting.js';

type Reply = Exclude<Decoded, { kind: 'invalid' }>;

const done: Reply = { kind: 'complete', result: { content: [] } };
const params = { name: 't', arguments: { a: 1 } };
const roots = { method: 'roots/list' };
const form = {
	method: 'elicitation/create',
	params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
};

function asks(requests: JsonObject, state?: string): Reply {
	return { kind: 'inputRequired', requests, state };
}

describe('finishRounds', () => {
	/** Sends `replies` in turn, the last one for ever. Returns what happened, in order. */
	async function play(replies: readonly Reply[], options: { method?: string; answer?: RoundTrips['answer'] } = {}) {
		const happened: unknown[] = [];
		let turn = 0;
		const answer = options.answer ?? ((method: string) => Promise.resolve({ answered: method }));
		let outcome: unknown;
		try {
			const send = (next: JsonObject): Promise<Reply> => {
				happened.push(next);
				return Promise.resolve(replies[Math.min(turn++, replies.length - 1)] ?? done);
			};
			outcome = await finishRounds(options.method ?? 'tools/call', params, await send(params), {
				send,
				answer: (method, input, signal) => {
					happened.push(`${method} ${JSON.stringify(input)}`);
					return answer(method, input, signal);
				},
				delay: ms => {
					happened.push(ms);
					return Promise.resolve();
				},
			});
		} catch (error) {
			outcome = error instanceof McpError ? error.failure : error;
		}
		return { happened, outcome };
	}

	it('sends a request once if it needs no input', async () => {
		const task: Reply = { kind: 'task', task: { taskId: 't' } };
		assert.deepEqual(await play([done]), { happened: [params], outcome: done });
		assert.deepEqual(await play([task]), { happened: [params], outcome: task });
	});

	// covers: rounds.fulfilBeforeRetry rounds.bareResults rounds.stateExact
	it('answers every question under its key, and returns the state byte by byte', async () => {
		const state = '{"a": 1}\n\u0000 \ud83d\ude00 =?base64?YQ==?= \u00e9';
		assert.deepEqual(await play([asks({ r: roots, f: form }, state), done]), {
			happened: [
				params,
				'roots/list {}',
				`elicitation/create ${JSON.stringify(form.params)}`,
				{
					...params,
					inputResponses: { r: { answered: 'roots/list' }, f: { answered: 'elicitation/create' } },
					requestState: state,
				},
			],
			outcome: done,
		});
	});

	// covers: rounds.noStateInvented rounds.stateOfLastRound
	it('sends the state of the last round only, and none if none was given', async () => {
		const { happened } = await play([asks({ r: roots }, 's1'), asks({ f: form }), asks({ r: roots }, ''), done]);
		assert.deepEqual(
			happened.filter(it => typeof it === 'object'),
			[
				params,
				{ ...params, inputResponses: { r: { answered: 'roots/list' } }, requestState: 's1' },
				{ ...params, inputResponses: { f: { answered: 'elicitation/create' } } },
				{ ...params, inputResponses: { r: { answered: 'roots/list' } }, requestState: '' },
			],
		);
	});

	// covers: rounds.pacing
	it('waits before the next round if a server asks for no input', async () => {
		assert.deepEqual(await play([asks({}, 'a'), asks({ r: roots }, 'b'), asks({}, 'c'), done]), {
			happened: [
				params,
				250,
				{ ...params, requestState: 'a' },
				'roots/list {}',
				{ ...params, inputResponses: { r: { answered: 'roots/list' } }, requestState: 'b' },
				250,
				{ ...params, requestState: 'c' },
			],
			outcome: done,
		});
	});

	// covers: rounds.limit
	it('fails after ten rounds, without another question', async () => {
		const { happened, outcome } = await play([asks({ r: roots }, 's')]);
		assert.deepEqual(outcome, { code: 'tooManyRounds', method: 'tools/call', limit: 10 });
		assert.equal(happened.filter(it => typeof it === 'object').length, 11);
		assert.equal(happened.filter(it => it === 'roots/list {}').length, 10);
		const tenth = await play([...Array.from({ length: 10 }, () => asks({ r: roots })), done]);
		assert.equal(tenth.outcome, done);
	});

	// covers: rounds.refused
	it('does not ask again if one input is refused, and cancels the other questions', async () => {
		const asked: string[] = [];
		const { happened, outcome } = await play([asks({ f: form, r: roots }), done], {
			answer: (method, _params, signal) => {
				if (method === 'roots/list') {
					return Promise.reject(new RpcError(-1, 'no'));
				}
				return new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => {
						asked.push(`${method} taken back`);
						reject(new AbortError());
					});
				});
			},
		});
		assert.deepEqual(outcome, { code: 'inputRefused', method: 'tools/call' });
		assert.deepEqual(asked, ['elicitation/create taken back']);
		assert.equal(happened.filter(it => typeof it === 'object').length, 1);
	});

	it('can be cancelled by the answer to a question', async () => {
		const { outcome } = await play([asks({ r: roots }), done], { answer: () => Promise.reject(new AbortError()) });
		assert.ok(outcome instanceof AbortError);
	});

	it('refuses an invalid question', async () => {
		const outcomes = await Promise.all(
			[{ x: null }, { x: 'roots/list' }, { x: {} }, { x: { method: 5 } }].map(
				async it => (await play([asks(it), done])).outcome,
			),
		);
		assert.deepEqual(
			outcomes,
			outcomes.map(() => ({ code: 'invalidResult', method: 'tools/call', why: 'input request "x"' })),
		);
	});

	// covers: rounds.onlyThree
	it('accepts only three methods', async () => {
		const allowed = ['tools/call', 'prompts/get', 'resources/read'];
		const others = ['tools/list', 'completion/complete', 'server/discover', 'subscriptions/listen'];
		const outcomes = await Promise.all(
			[...allowed, ...others].map(async method => (await play([asks({ r: roots }), done], { method })).outcome),
		);
		assert.deepEqual(outcomes, [
			...allowed.map(() => done),
			...others.map(method => ({ code: 'invalidResult', method, why: 'it may not ask for input' })),
		]);
	});

	it('keeps keys with a special meaning in JavaScript', async () => {
		const requests = JSON.parse('{"__proto__": {"method": "roots/list"}, "constructor": {"method": "roots/list"}}');
		const { happened } = await play([asks(requests), done]);
		const { inputResponses } = happened.at(-1) as { inputResponses: object };
		assert.deepEqual(Object.keys(inputResponses), ['__proto__', 'constructor']);
	});
});

describe('Client, rounds', () => {
	const { own } = leakCheck();

	async function connect(methods: Readonly<Record<string, Method>>, handlers: ClientHandlers) {
		const transport = new MemoryTransport({ methods: { 'server/discover': () => discovery(), ...methods } });
		const client = own(
			new Client({
				open: () => transport,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				handlers,
				log: nullLogger,
			}),
		);
		await client.connect(new AbortController().signal);
		return { client, transport };
	}

	const input = (requests: JsonObject, requestState?: string): JsonObject => ({
		resultType: 'input_required',
		inputRequests: requests,
		...(requestState === undefined ? {} : { requestState }),
	});

	function sent({ transcript }: MemoryTransport): string[] {
		return transcript.filter(it => it.startsWith('>') && !it.includes('server/discover'));
	}

	// covers: rounds.newId rounds.noLeak carriers.oneHandler
	it('every round has its own request id, and no other request is affected', async () => {
		let release = (): void => undefined;
		const asked = new Promise<void>(resolve => (release = resolve));
		const { client, transport } = await connect(
			{
				'tools/call': ({ name, inputResponses }) =>
					name === 'asks' && !inputResponses
						? input({ r: roots }, 'secret')
						: { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(inputResponses ?? null) }] },
			},
			{
				roots: () => [{ uri: 'file:///a' }],
				elicitation: {
					form: async () => {
						await asked;
						return { action: 'decline' };
					},
				},
			},
		);
		const first = client.callTool('asks', {});
		const other = client.callTool('other', {});
		assert.deepEqual((await other).content, [{ type: 'text', text: 'null' }]);
		release();
		assert.deepEqual((await first).content, [{ type: 'text', text: '{"r":{"roots":[{"uri":"file:///a"}]}}' }]);
		await client.callTool('other', {});
		assert.deepEqual(sent(transport), [
			'> tools/call#2 {"name":"asks","arguments":{}}',
			'> tools/call#3 {"name":"other","arguments":{}}',
			'> tools/call#4 {"name":"asks","arguments":{},"inputResponses":{"r":{"roots":[{"uri":"file:///a"}]}},"requestState":"secret"}',
			'> tools/call#5 {"name":"other","arguments":{}}',
		]);
	});

	it('prompts and resources may ask too; rounds of one call do not disturb those of another', async () => {
		const twice: Method = ({ inputResponses, requestState }) =>
			inputResponses === undefined
				? input({ a: form }, 'one')
				: requestState === 'one'
					? input({ b: form }, 'two')
					: {
							resultType: 'complete',
							messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(inputResponses) } }],
							contents: [{ uri: 'x:', text: JSON.stringify(inputResponses) }],
						};
		let count = 0;
		const { client } = await connect(
			{ 'prompts/get': twice, 'resources/read': twice },
			{ elicitation: { form: () => Promise.resolve({ action: 'accept', content: { n: ++count } }) } },
		);
		const [prompt, resource] = await Promise.all([client.getPrompt('p', {}), client.readResource('x:1')]);
		const texts = [JSON.stringify(prompt.messages), resource[0]?.text ?? ''];
		assert.ok(
			texts.every(it => /b/.test(it) && !/"a\\?":/.test(it)),
			texts.join('\n'),
		);
		assert.equal(count, 4);
	});

	// covers: sampling.validatedInRounds elicitation.undeclaredMode
	it('refuses an invalid round without a question', async () => {
		const unbalanced = {
			messages: [{ role: 'user', content: { type: 'tool_result', toolUseId: 'x', content: [] } }],
			maxTokens: 1,
		};
		const requests = [
			{ method: 'sampling/createMessage', params: unbalanced },
			{ method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://example.com' } },
			{ method: 'elicitation/create', params: { message: 'm' } },
			{ method: 'no/such' },
			{ method: 'ping' },
		];
		const asked: string[] = [];
		const ask = (what: string) => (): Promise<JsonObject> => {
			asked.push(what);
			return Promise.resolve({});
		};
		const { client, transport } = await connect(
			{ 'tools/call': it => input({ x: requests[Number(it['name'])] }) },
			{ sampling: { handle: ask('sampling'), tools: true }, elicitation: { form: ask('form') } },
		);
		for (const index of requests.keys()) {
			await assert.rejects(client.callTool(String(index), {}), {
				failure: { code: 'inputRefused', method: 'tools/call' },
			});
		}
		assert.deepEqual([asked, sent(transport).length], [[], requests.length]);
	});

	// covers: modern.resultType.absent
	it('an absent resultType is a complete answer, whatever else it holds', async () => {
		const { client, transport } = await connect(
			{ 'tools/call': () => ({ content: [], inputRequests: { r: roots }, requestState: 's' }) },
			{ roots: () => [] },
		);
		assert.deepEqual((await client.callTool('t', {})).content, []);
		assert.equal(sent(transport).length, 1);
	});

	it('an unknown resultType is an error', async () => {
		const { client } = await connect({ 'tools/call': () => ({ resultType: 'later', content: [] }) }, {});
		await assert.rejects(client.callTool('t', {}), {
			failure: { code: 'invalidResult', method: 'tools/call', why: 'unknown resultType "later"' },
		});
	});

	it('a call that is cancelled during a question asks no more', async () => {
		const controller = new AbortController();
		let told = false;
		const { client, transport } = await connect(
			{ 'tools/call': () => input({ f: form }) },
			{
				elicitation: {
					form: (_params, signal) =>
						new Promise((_resolve, reject) => {
							signal.addEventListener('abort', () => {
								told = true;
								reject(new AbortError());
							});
							controller.abort();
						}),
				},
			},
		);
		await assert.rejects(client.callTool('t', {}, { signal: controller.signal }), AbortError);
		await settled();
		assert.deepEqual([told, sent(transport)], [true, ['> tools/call#2 {"name":"t","arguments":{}}']]);
	});

	it('a call that is cancelled between two rounds is not sent again', async () => {
		const controller = new AbortController();
		const { client, transport } = await connect(
			{ 'tools/call': () => ({ resultType: 'input_required', requestState: 's' }) },
			{},
		);
		const call = client.callTool('t', {}, { signal: controller.signal });
		await eventually(() => transport.transcript.some(it => it.includes('input_required')), 'the first answer came');
		controller.abort();
		await assert.rejects(call, AbortError);
		await settled();
		assert.equal(sent(transport).length, 1);
	});
});
