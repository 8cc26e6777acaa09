// Statuses over HTTP: failing servers, sessions that die, redirects.
import type { Client } from '../../src/mcp/index.js';
import { call, refused, right } from '../support/faults/expected.js';
import { defineHttpFaults, type HttpFault, type Script } from '../support/faults/httpFaults.js';
import { type Outcome, outcomeOf } from '../support/faults/outcome.js';
import { json } from '../support/httpServer.js';

/** Where a call was last sent to: the servers are on any port. */
async function redirectOf(client: Client): Promise<unknown> {
	const outcome: Outcome = await outcomeOf(call(client));
	const failure = 'failure' in outcome ? outcome.failure : undefined;
	return failure && 'to' in failure ? `${failure.code} ${new URL(failure.to).pathname}` : outcome;
}

defineHttpFaults('faults of statuses over HTTP', [
	{
		name: 'a 503 that says when, and a JSON-RPC error',
		call: (asked, response) => {
			const error = { code: -32000, message: 'busy' };
			json(response, { jsonrpc: '2.0', id: asked.message.id, error }, 503, { 'retry-after': '7' });
		},
		asked: {
			failure: {
				code: 'http',
				status: 503,
				error: { code: -32000, message: 'busy' },
				challenge: undefined,
				retryAfterMs: 7000,
			},
		},
	},
	...(
		[
			[404, undefined],
			[404, { code: -32001, message: 'Session not found' }],
			[400, { code: -32000, message: 'Bad Request: No valid session ID provided' }],
		] as const
	).flatMap(([status, error]): HttpFault[] => {
		const forget: Script = (_, response) =>
			error ? json(response, { jsonrpc: '2.0', id: null, error }, status) : response.writeHead(status).end();
		const name = `${status} ${error?.code ?? ''}`;
		return [
			{ name: `a session that dies: ${name}`, call: forget, asked: right },
			{
				name: `sessions that die one after another: ${name}`,
				call: forget,
				always: true,
				asked: { failure: { code: 'sessionLost' } },
				again: { failure: { code: 'sessionLost' } },
			},
		];
	}),
	{
		name: 'a storm of 5xx',
		call: (_, response, count) =>
			response.writeHead([500, 502, 503, 504][count % 4] ?? 500, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
		always: true,
		ask: async client =>
			(await Promise.all(Array.from({ length: 40 }, () => outcomeOf(call(client))))).map(it =>
				'failure' in it && 'status' in it.failure ? it.failure.status : it,
			),
		asked: { value: Array.from({ length: 40 }, (_, index) => [500, 502, 503, 504][index % 4]) },
	},
	{
		name: 'a 5xx at the beginning',
		any: (_, response) => response.writeHead(503).end(),
		connecting: refused(503),
	},
	{
		name: 'a redirect to another origin',
		call: (_, response) => response.writeHead(307, { location: 'http://127.0.0.2:1/there?x' }).end(),
		asked: { failure: { code: 'redirected', to: 'http://127.0.0.2:1/there' } },
	},
	{
		name: 'a circle of redirects, once',
		call: (_, response) => response.writeHead(307, { location: '/round' }).end(),
		any: ({ path }, response) =>
			path === '/round' ? response.writeHead(307, { location: '/round' }).end() : undefined,
		ask: redirectOf,
		asked: { value: 'tooManyRedirects /round' },
	},
	{
		name: 'a circle of redirects',
		call: (_, response) => response.writeHead(307, { location: '/mcp' }).end(),
		always: true,
		ask: redirectOf,
		asked: { value: 'tooManyRedirects /mcp' },
	},
	{
		name: 'a redirect that would make a GET of it',
		call: (_, response) => response.writeHead(302, { location: '/mcp' }).end(),
		ask: redirectOf,
		asked: { value: 'redirected /mcp' },
	},
]);
