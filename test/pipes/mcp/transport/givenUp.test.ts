import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import { AbortError } from '../../../../src/base/errors.js';
import { Client, StreamableHttp } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake } from '../../../support/memoryTransport.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { eventually } from '../../../support/waiting.js';

describe('a request over HTTP of the older era that nobody waits for any more', () => {
	const { own, later } = leakCheck();

	for (const streams of [false, true]) {
		it(`is cancelled by a notification, and holds no connection: ${streams ? 'a stream that stalls' : 'no answer'}`, async () => {
			let stalled = 0;
			const server = await ScriptedServer.start(({ method, message }, response) => {
				if (message.method === 'initialize') {
					response.writeHead(200, { 'content-type': 'application/json' });
					response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: handshake() }));
				} else if (message.method === 'tools/call') {
					stalled++;
					response.on('close', () => stalled--);
					if (streams) {
						response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
					}
				} else {
					response.writeHead(method === 'GET' ? 405 : 202).end();
				}
			});
			const fetch = createHttpFetch();
			const client = own(
				new Client({
					open: () => new StreamableHttp({ url: server.url, fetch, log: nullLogger }),
					clientInfo: { name: 'test', version: '1' },
					mode: 'legacy',
					timeoutMs: 15_000,
					log: nullLogger,
				}),
			);
			own(client.onDidTransfer(new SentCheck().follow));
			later(async () => {
				await client.close();
				fetch.dispose();
				await server.close();
			});
			await client.connect(new AbortController().signal);
			const impatient = new AbortController();
			const calls = [
				client.callTool('slow', {}, { timeoutMs: 30 }).catch((error: unknown) => error),
				client.callTool('slow', {}, { signal: impatient.signal }).catch((error: unknown) => error),
			];
			await eventually(() => stalled > 0, 'Server "has been asked"');
			impatient.abort();
			const [timedOut, aborted] = await Promise.all(calls);
			assert.deepEqual((timedOut as { failure?: unknown }).failure, { code: 'timeout', method: 'tools/call', ms: 30 });
			assert.ok(aborted instanceof AbortError);
			await eventually(() => stalled === 0, 'the connections are free');
			await eventually(
				() => server.lines.filter(it => it === 'POST notifications/cancelled').length === 2,
				'Server "has been told"',
			);
		});
	}
});
