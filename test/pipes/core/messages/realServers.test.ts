// Recorded messages of real servers: a call with progress, log messages and elicitation, and HTTP headers.
import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import type { Exchange } from '../../../../src/core/messages/exchanges.js';
import { MessageRing } from '../../../../src/core/messages/messageRing.js';
import { Client, StreamableHttp } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { messagesOf } from '../../../support/callMessages.js';
import { discovery } from '../../../support/memoryTransport.js';
import { never, packageFile, realServers } from '../../../support/realServers.js';
import { SentCheck } from '../../../support/sentCheck.js';

describe('the messages of real servers', function () {
	this.timeout(30_000);
	const cleanup = leakCheck();
	const { own, later } = cleanup;
	const { connect } = realServers(cleanup);
	const source = { id: 'everything', name: 'everything', redactor: undefined };
	const methods = (exchanges: readonly Exchange[]): string[] => exchanges.map(it => it.first.facts.method);

	it('over pipes are listed beneath the call that they belong to', async () => {
		const ring = own(new MessageRing());
		const file = packageFile('@modelcontextprotocol/server-everything', 'index.js');
		const { client, person } = await connect(file, { args: ['stdio'], recorder: ring.recorderFor(source) });
		person.form = { action: 'decline' };
		const options = (callId: string) => ({
			origin: { callId, caller: { kind: 'person' } },
			onProgress: () => undefined,
		});
		await client.callTool('trigger-long-running-operation', { duration: 0.3, steps: 3 }, options('slow'));
		await client.callTool('trigger-elicitation-request', {}, options('asks'));
		const [slow, ...others] = messagesOf(ring, 'slow');
		assert.ok(slow && others.length === 0);
		// The server also sends log messages and requests the roots, at any time.
		assert.equal(methods(slow.children).filter(it => it === 'notifications/progress').length, 3);
		assert.equal(slow.outcome?.kind, 'ok');
		const [asks] = messagesOf(ring, 'asks');
		const question = asks?.children.find(it => it.first.facts.method === 'elicitation/create');
		assert.match(question?.end?.text ?? '', /"action":"decline"/);
		assert.equal(question?.end?.channel.direction, 'sent');
	});

	it('over HTTP show the status and the headers, without secrets', async () => {
		const ring = own(new MessageRing());
		const server = await ScriptedServer.start(({ message }, response) => {
			const result = message.method === 'server/discover' ? discovery() : { resultType: 'complete', tools: [] };
			response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' });
			response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }, undefined, 1));
		});
		const fetch = createHttpFetch();
		const headers = { authorization: 'Bearer t' };
		const client = own(
			new Client({
				open: () => new StreamableHttp({ url: server.url, fetch, log: nullLogger, headers }),
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				recorder: ring.recorderFor(source),
				log: nullLogger,
			}),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		later(async () => {
			await client.close();
			fetch.dispose();
			await server.close();
		});
		await client.connect(never);
		await client.send('tools/list', {}, { origin: { callId: 'list' } });
		const [list] = messagesOf(ring, 'list');
		assert.deepEqual(methods(list?.children ?? []), ['POST']);
		const { text = '', facts: { outcome } = {} } = list?.children[0]?.first ?? {};
		assert.deepEqual(outcome, { kind: 'ok', code: 200 });
		const exchange = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, string>>>>;
		assert.equal(exchange['requestHeaders']?.['authorization'], '<redacted>');
		assert.equal(exchange['headers']?.['set-cookie'], '<redacted>');
		assert.match(list?.end?.text ?? '', /\n/);
	});
});
