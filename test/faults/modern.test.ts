// Servers of 2026-07-28 that do what they must not. That era by itself, with time at a stand, is in
// test/unit/mcp/client: subscriptions, tasks, inputRequired, negotiate.
import * as assert from 'node:assert/strict';
import type { Client } from '../../src/mcp/index.js';
import { call, invalid, network, callTimeoutMs, right, timedOut } from '../support/faults/expected.js';
import {
	answerTo,
	defineHttpFaults,
	type HttpFault,
	ofSubscription,
	type Script,
} from '../support/faults/httpFaults.js';
import { outcomeOf } from '../support/faults/outcome.js';
import { defineStdioFaults, type StdioFault } from '../support/faults/stdioFaults.js';
import { event, json, resultOf, type ScriptedServer, sse } from '../support/httpServer.js';
import { discovery } from '../support/memoryTransport.js';
import { eventually } from '../support/waiting.js';

/** Another answer to one method. */
function to(method: string, answer: Script): Script {
	return (asked, response, count, other) => {
		if (asked.message.method !== method) {
			return undefined;
		}
		return answer(asked, response, count, other) ?? true;
	};
}

/** Servers of both eras: what they say to the probe decides which it is. */
function probed(name: string, answer: Script, era: 'legacy' | 'modern'): HttpFault {
	return {
		name: `server/discover, ${name}`,
		isModern: true,
		any: to('server/discover', answer),
		ask: async client => [client.session.era, await call(client)],
		asked: { value: [era, 'right'] },
	};
}

/** How the stream ends or does not, the calls beside it go on. */
function listening(name: string, answer: Script, ask?: HttpFault['ask']): HttpFault {
	return {
		name: `subscriptions/listen, ${name}`,
		isModern: true,
		any: to('subscriptions/listen', answer),
		ask: async (client, server) => {
			await eventually(() => listens(server) > 0, 'it listens');
			return ask ? ask(client, server) : call(client);
		},
		asked: right,
	};
}

const listens = (server: ScriptedServer): number =>
	server.lines.filter(it => it.startsWith('POST subscriptions/listen')).length;

/** Which lists have changed, up to this one. */
async function changesUpTo(last: string, client: Client): Promise<readonly string[]> {
	const changes: string[] = [];
	const following = client.onDidChangeList(kind => changes.push(kind));
	await eventually(() => changes.includes(last), `${last} have changed`);
	following.dispose();
	return changes;
}

const elicitation = { method: 'elicitation/create', params: { mode: 'form', message: 'more?', requestedSchema: {} } };
const accept = { elicitation: { form: () => Promise.resolve({ action: 'accept', content: {} }) } };
const working = {
	taskId: 't1',
	status: 'working',
	createdAt: '2026-01-01T00:00:00Z',
	lastUpdatedAt: '2026-01-01T00:00:00Z',
	ttlMs: null,
	pollIntervalMs: 1,
};
const fault = (name: string): StdioFault['server'] => ['modernFaults', name];
const manyRounds = { failure: { code: 'tooManyRounds', method: 'tools/call', limit: 10 } } as const;

defineHttpFaults('faults of the modern era over HTTP', [
	probed(
		'garbage',
		(_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"jsonrpc":');
		},
		'legacy',
	),
	probed(
		'answered twice',
		(asked, response) => {
			sse(response);
			const late = resultOf(asked, { ...discovery(), supportedVersions: ['1999-01-01'] });
			response.end(event(resultOf(asked, discovery())) + event(late));
		},
		'modern',
	),
	probed(
		'result and error together',
		(asked, response) => json(response, { ...resultOf(asked, discovery()), error: { code: 1, message: 'and this' } }),
		'legacy',
	),
	probed(
		'the answer to another id',
		(asked, response) => json(response, { ...resultOf(asked, discovery()), id: 1000 }),
		'legacy',
	),
	{ ...probed('never', () => true, 'legacy'), options: { timeoutMs: 20_000, probeMs: 50 } },
	{
		name: 'a response for another id, in JSON',
		isModern: true,
		call: (asked, response) => json(response, { ...answerTo(asked), id: 1000 }),
		asked: invalid('no answer to this request'),
	},
	{
		name: 'responses for other ids, on an event stream',
		isModern: true,
		call: (asked, response) => {
			sse(response);
			response.end([1000, `0${asked.message.id}`, null].map(id => event({ ...answerTo(asked), id })).join(''));
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'an unknown resultType',
		isModern: true,
		call: (asked, response) => json(response, resultOf(asked, { resultType: 'perhaps', content: [] })),
		asked: invalid('unknown resultType "perhaps"'),
	},
	{
		name: 'input_required that never ends',
		isModern: true,
		options: { handlers: accept },
		call: (asked, response) =>
			json(response, resultOf(asked, { resultType: 'input_required', inputRequests: { more: elicitation } })),
		always: true,
		asked: manyRounds,
		again: manyRounds,
		look: ({ server }) => assert.equal(server.lines.filter(it => it.startsWith('POST tools/call')).length, 22),
	},
	{
		name: 'cursors in a circle',
		isModern: true,
		any: to('tools/list', (asked, response, count) =>
			json(response, resultOf(asked, { tools: [], nextCursor: count % 2 === 0 ? 'a' : 'b' })),
		),
		ask: client => client.listTools(),
		asked: { value: [] },
	},
	{
		name: 'a task that never ends',
		isModern: true,
		call: (asked, response) => json(response, resultOf(asked, { ...working, resultType: 'task' })),
		any: (asked, response) => {
			switch (asked.message.method) {
				case 'tasks/get':
					json(response, resultOf(asked, { ...working, resultType: 'complete' }));
					return true;
				case 'tasks/cancel':
					json(response, resultOf(asked, { resultType: 'complete' }));
					return true;
				default:
					return undefined;
			}
		},
		ask: async (client, server) => {
			const giveUp = new AbortController();
			const calling = outcomeOf(call(client, giveUp.signal));
			const polls = (): number => server.lines.filter(it => it.startsWith('POST tasks/get')).length;
			await eventually(() => polls() >= 3, 'it is asked for');
			giveUp.abort();
			const outcome = await calling;
			await eventually(() => server.lines.at(-1)?.startsWith('POST tasks/cancel') === true, 'it is cancelled');
			const before = polls();
			// Three times as long as it waits between two.
			await new Promise(resolve => {
				setTimeout(resolve, 100);
			});
			return [outcome, polls() - before, await call(client)];
		},
		asked: { value: [{ aborted: true }, 0, 'right'] },
	},
	listening('silence', () => true),
	listening('an event stream that says nothing', (_, response) => sse(response)),
	listening('refused', (_, response) => response.writeHead(500).end()),
	listening('an end at once', (_, response) => {
		sse(response);
		response.end();
	}),
	listening('an answer at once', (asked, response) => json(response, resultOf(asked, { resultType: 'complete' }))),
	{
		name: 'subscriptions/listen, another subscription acknowledged, and news of it',
		isModern: true,
		any: to('subscriptions/listen', ({ message: { id } }, response) => {
			sse(response);
			response.write(
				event(ofSubscription(1000, 'subscriptions/acknowledged')) +
					event(ofSubscription(1000, 'tools/list_changed')) +
					event(ofSubscription(String(id), 'prompts/list_changed')) +
					event(ofSubscription(id, 'resources/list_changed')),
			);
		}),
		ask: async client => [await changesUpTo('resources', client), await call(client)],
		asked: { value: [['resources'], 'right'] },
	},
]);

defineStdioFaults('faults of the modern era on stdio', [
	...(
		[
			['discoverGarbage', 'legacy', callTimeoutMs],
			['discoverTwice', 'modern', 10_000],
			['discoverBoth', 'legacy', 10_000],
			['discoverOtherId', 'legacy', callTimeoutMs],
			['discoverNever', 'legacy', callTimeoutMs],
		] as const
	).map(([name, era, probeMs]): StdioFault => ({
		name,
		server: fault(name),
		options: { probeMs },
		ask: async client => [client.session.era, await call(client)],
		asked: { value: [era, 'right'] },
	})),
	{ name: 'a response for another id', server: fault('otherId'), isSilent: true, asked: timedOut('tools/call') },
	{
		name: 'an unknown resultType',
		server: fault('unknownResultType'),
		asked: invalid('unknown resultType "perhaps"'),
	},
	{
		name: 'input_required that never ends',
		server: fault('endlessInput'),
		options: { handlers: accept },
		asked: manyRounds,
	},
	{
		name: 'cursors in a circle',
		server: fault('cyclicCursors'),
		ask: client => client.listTools(),
		asked: { value: [] },
	},
	{
		name: 'a task that never ends',
		server: fault('endlessTask'),
		ask: async client => {
			const giveUp = new AbortController();
			const sent: string[] = [];
			const following = client.onDidTransfer(it => {
				if (it.kind === 'message' && it.direction === 'sent') {
					sent.push(String((it.message as { method?: unknown }).method));
				}
			});
			const calling = outcomeOf(call(client, giveUp.signal));
			await eventually(() => sent.filter(it => it === 'tasks/get').length >= 3, 'it is asked for');
			giveUp.abort();
			const outcome = await calling;
			following.dispose();
			return [outcome, sent.at(-1), await call(client)];
		},
		asked: { value: [{ aborted: true }, 'tasks/cancel', 'right'] },
	},
	...['listenSilence', 'listenEnds', 'listenError', 'listenCancelled'].map((name): StdioFault => ({
		name,
		server: fault(name),
		asked: right,
	})),
	{
		name: 'another subscription acknowledged, and news of it',
		server: fault('listenOther'),
		ask: async client => [await changesUpTo('resources', client), await call(client)],
		asked: { value: [['resources'], 'right'] },
	},
]);
