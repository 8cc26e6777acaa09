/** A transport over HTTP and the scripted server that it talks to, for tests of `StreamableHttp`. */

import { McpError, StreamableHttp } from '../../src/mcp/index.js';
import type { Agreement } from '../../src/mcp/transport/transport.js';
import type { StreamableHttpOptions } from '../../src/mcp/transport/streamableHttp.js';
import { createHttpFetch } from '../../src/node/http/httpFetch.js';
import { type Answer, json, resultOf, ScriptedServer } from './httpServer.js';
import type { Cleanup } from './leakCheck.js';
import { TestLogger } from './testLogger.js';
import { toldBy } from './told.js';
import { eventually, next } from './waiting.js';

export const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} } as const;

export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

export const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} } as const;

export const legacy: Agreement = { era: 'legacy', protocolVersion: '2025-11-25' };

export const modern: Agreement = { era: 'modern', protocolVersion: '2026-07-28' };

export const delays = { reconnect: 10, maxReconnect: 20, close: 50, linger: 30, errorBody: 50 };

export const noted = { jsonrpc: '2.0', method: 'notifications/x' };

export interface Watched {
	readonly server: ScriptedServer;
	readonly transport: StreamableHttp;
	/** What the transport told, in order. */
	readonly told: unknown[];
	readonly log: TestLogger;
}

export interface HttpBench {
	readonly serve: (answer: Answer) => Promise<ScriptedServer>;
	readonly connect: (answer: Answer, options?: Partial<StreamableHttpOptions>) => Promise<Watched>;
	readonly agreed: (answer: Answer, options?: Partial<StreamableHttpOptions>) => Promise<Watched>;
	readonly postOnly: (answer: Answer) => Answer;
	readonly failureOf: (promise: Promise<unknown>) => Promise<unknown>;
	readonly settledAs: (told: unknown[], count?: number) => Promise<void>;
}

/** Of one `describe`: what it starts ends after each test. */
export function httpBench({ own, later }: Cleanup): HttpBench {
	async function serve(answer: Answer): Promise<ScriptedServer> {
		const server = await ScriptedServer.start(answer);
		later(() => server.close());
		return server;
	}

	async function connect(answer: Answer, options: Partial<StreamableHttpOptions> = {}): Promise<Watched> {
		const server = await serve(answer);
		const log = new TestLogger();
		const fetch = createHttpFetch();
		const transport = new StreamableHttp({ url: server.url, fetch, log, delays, ...options });
		const told = toldBy(transport, own);
		later(async () => {
			await transport.close();
			transport.dispose();
			fetch.dispose();
		});
		await transport.start();
		return { server, transport, told, log };
	}

	/** A session has begun and, unless it is refused, the GET stream is open. */
	async function agreed(answer: Answer, options: Partial<StreamableHttpOptions> = {}): Promise<Watched> {
		const it = await connect(async (asked, response) => {
			if (asked.message.method === 'initialize') {
				json(response, resultOf(asked), 200, { 'mcp-session-id': 's1' });
			} else if (asked.message.method === 'notifications/initialized') {
				response.writeHead(202).end();
			} else {
				await answer(asked, response);
			}
		}, options);
		const done = next(it.transport.onDidReceive);
		await it.transport.send(initialize);
		await done;
		it.transport.didAgree(legacy);
		it.told.length = 0;
		await it.transport.send(initialized);
		return it;
	}

	/** GET and DELETE are refused, the rest is answered by the test. */
	const postOnly =
		(answer: Answer): Answer =>
		(asked, response) =>
			asked.method === 'POST' ? answer(asked, response) : response.writeHead(405).end();

	/** What a rejected promise was rejected with. */
	async function failureOf(promise: Promise<unknown>): Promise<unknown> {
		try {
			await promise;
			return 'no failure';
		} catch (error) {
			return error instanceof McpError ? error.failure : error instanceof Error ? error.name : error;
		}
	}

	const settledAs = (told: unknown[], count = 1): Promise<void> =>
		eventually(() => told.length >= count, `${count} events, got ${JSON.stringify(told)}`);

	return {
		serve,
		connect,
		agreed,
		postOnly,
		failureOf,
		settledAs,
	};
}
