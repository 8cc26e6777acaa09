// Servers over HTTP with wrong answers: other ids, several answers, circles, floods, other revisions.
import * as assert from 'node:assert/strict';
import type { Client } from '../../src/mcp/index.js';
import { call, invalid, right } from '../support/faults/expected.js';
import { answerTo, defineHttpFaults } from '../support/faults/httpFaults.js';
import { event, json, resultOf, sse } from '../support/httpServer.js';

defineHttpFaults('faults of answers over HTTP', [
	{
		name: 'a flood of notifications',
		call: (asked, response) => {
			sse(response);
			const log = event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } });
			response.end(log.repeat(20_000) + event(answerTo(asked)));
		},
		asked: right,
		look: ({ log, logged }) => {
			assert.ok(logged >= 5000 && logged < 20_000, `${logged} let through`);
			assert.match(log.lines.join('\n'), /warn: Dropped \d+ notifications/);
		},
	},
	{
		name: 'a flood of requests, and no answer is taken',
		any: ({ message }) => ('result' in message ? true : undefined),
		call: (asked, response) => {
			sse(response);
			const pings = Array.from({ length: 100 }, (_, id) => event({ jsonrpc: '2.0', id: `p${id}`, method: 'ping' }));
			response.end(pings.join('') + event(answerTo(asked)));
		},
		asked: right,
	},
	{
		name: 'wrong ids in JSON',
		call: (asked, response) => json(response, { ...answerTo(asked), id: `0${asked.message.id}` }),
		asked: invalid('no answer to this request'),
	},
	{
		name: 'several answers to one request',
		call: (asked, response) => {
			sse(response);
			const late = { jsonrpc: '2.0', id: asked.message.id, error: { code: 1, message: 'too late' } };
			response.end(event(answerTo(asked)) + event(answerTo(asked, 'second')) + event(late));
		},
		asked: right,
	},
	{
		name: 'no id',
		call: (_, response) => json(response, { jsonrpc: '2.0', result: { content: [] } }),
		asked: invalid('no answer to this request'),
	},
	{
		name: 'result and error together',
		call: (asked, response) => json(response, { ...answerTo(asked), error: { code: 1, message: 'and this' } }),
		asked: invalid('both result and error'),
	},
	{
		name: 'an answer in an array, where there are no batches',
		call: (asked, response) => json(response, [answerTo(asked)]),
		asked: right,
	},
	{
		name: 'our number as a string',
		call: (asked, response) => json(response, { ...answerTo(asked), id: String(asked.message.id) }),
		asked: right,
	},
	{
		name: 'a result beside an error that is null',
		call: (asked, response) => json(response, { ...answerTo(asked), error: null }),
		asked: right,
	},
	{
		name: 'cursors in a circle',
		any: (asked, response, count) => {
			if (asked.message.method !== 'tools/list') {
				return undefined;
			}
			json(response, resultOf(asked, { tools: [], nextCursor: count % 2 === 0 ? 'a' : 'b' }));
			return true;
		},
		ask: client => client.listTools(),
		asked: { value: [] },
	},
	...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18'].map(version => ({
		name: `revision ${version}`,
		version,
		ask: async (client: Client) => [client.session.protocolVersion, await call(client)],
		asked: { value: [version, 'right'] },
	})),
	...['1999-01-01', '2026-07-28', ''].map(version => ({
		name: `the unknown revision ${JSON.stringify(version)}`,
		version,
		connecting: { failure: { code: 'unsupportedVersion', version } } as const,
	})),
]);
