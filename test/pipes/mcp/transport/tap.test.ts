import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import { Client, StreamableHttp, type WireEvent } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { discovery } from '../../../support/memoryTransport.js';

// covers: tap.onePoint tap.facts
describe('the tap of a client over HTTP', () => {
	const { own, later } = leakCheck();

	it('joins messages and exchanges in their order, with time, size, era, transport and no secret', async () => {
		const server = await ScriptedServer.start(({ message }, response) => {
			const result = message.method === 'server/discover' ? discovery() : { resultType: 'complete', tools: [] };
			response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' });
			response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }, undefined, 1));
		});
		const fetch = createHttpFetch();
		let transport: StreamableHttp | undefined;
		const client = own(
			new Client({
				open: () => {
					transport = new StreamableHttp({
						url: server.url,
						fetch,
						log: nullLogger,
						headers: { authorization: 'Bearer t' },
					});
					return transport;
				},
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log: nullLogger,
			}),
		);
		later(async () => {
			await client.close();
			fetch.dispose();
			await server.close();
		});
		const events: WireEvent[] = [];
		const began = Date.now();
		own(client.onDidTransfer(new SentCheck().follow));
		const subscription = client.onDidTransfer(it => events.push(it));
		await client.connect(new AbortController().signal);
		await client.listTools();
		subscription.dispose();
		await client.listTools();
		assert.deepEqual(
			events.map(it =>
				it.kind === 'message'
					? `${it.direction} ${it.era} ${it.transport} ${it.size === Buffer.byteLength(it.text)} ${it.text.includes('\n')}`
					: `${it.method} ${it.status} #${it.id} ${it.era} ${it.transport} ${it.requestHeaders['authorization']} ${it.headers['set-cookie']}`,
			),
			[
				'sent undefined http true false',
				'POST 200 #1 undefined http <redacted> <redacted>',
				'received undefined http true true',
				'sent modern http true false',
				'POST 200 #2 modern http <redacted> <redacted>',
				'received modern http true true',
			],
		);
		assert.ok(events.every(it => it.time >= began && it.time <= Date.now()));
		assert.equal(JSON.stringify(events).includes('Bearer'), false);
	});
});
