// Requests, responses and notifications in both directions.
import * as assert from 'node:assert/strict';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { TransportNoise } from '../../../../src/mcp/transport/transport.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { next, settled } from '../../../support/waiting.js';
import { call, outcome, connectionBench } from '../../../support/connectionBench.js';

describe('Connection', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const bench = connectionBench(cleanup);
	const { connect, silent } = bench;

	// covers: jsonrpc.ids
	it('matches answers to requests by id, in any order', async () => {
		const { connection, transport } = connect(silent);
		const requests = [call(connection), call(connection), call(connection)];
		transport.receive({ jsonrpc: '2.0', id: 3, result: { n: 3 } });
		transport.receive({ jsonrpc: '2.0', id: 1, error: { code: 5, message: 'no', data: [1] } });
		transport.receive({ jsonrpc: '2.0', id: 2, result: { n: 2 } });
		assert.deepEqual(await Promise.all(requests.map(outcome)), [
			'RpcError 5 no [1]',
			'answered {"n":2}',
			'answered {"n":3}',
		]);
	});

	// covers: jsonrpc.unknownIgnored jsonrpc.idTypes
	it('ignores answers that nothing waits for', async () => {
		const { connection, transport } = connect(silent);
		const request = call(connection);
		const noise: TransportNoise[] = [];
		own(connection.onDidReceiveNoise(it => noise.push(it)));
		transport.receive({ jsonrpc: '2.0', id: 7, result: { wrong: true } });
		transport.receive({ jsonrpc: '2.0', id: 0, result: { wrong: true } });
		transport.receive({ jsonrpc: '2.0', id: '01', result: { wrong: true } });
		transport.receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } });
		transport.receive({ jsonrpc: '2.0', id: 1, result: { right: true } });
		transport.receive({ jsonrpc: '2.0', id: 1, result: { late: true } });
		assert.equal(await outcome(request), 'answered {"right":true}');
		assert.deepEqual(
			bench.log.lines,
			['"01"', 'null', '1'].map(it => `debug: Ignored a response with id ${it} that nothing waits for.`),
		);
		assert.deepEqual(noise, [
			{ text: '7', kind: 'unknownId' },
			{ text: '0', kind: 'unknownId' },
		]);
	});

	it('gives the caller the text of the message that answers', async () => {
		const { connection, transport } = connect(silent);
		let text = '';
		const request = connection.request('tools/call', { name: 'x' }, { timeoutMs: 0, onAnswer: it => (text = it) });
		transport.receive({ jsonrpc: '2.0', id: 1, result: { content: [] } });
		await request;
		assert.equal(text, '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
	});

	it('takes an answer whose id is our number as a string', async () => {
		const { connection, transport } = connect(silent);
		const requests = [call(connection), call(connection)];
		transport.receive({ jsonrpc: '2.0', id: '2', error: { code: 5, message: 'no' } });
		transport.receive({ jsonrpc: '2.0', id: '1', result: { right: true } });
		assert.deepEqual(await Promise.all(requests.map(outcome)), ['answered {"right":true}', 'RpcError 5 no undefined']);
	});

	// covers: jsonrpc.oneOfResultError
	it('fails the request whose answer breaks the protocol, and no other', async () => {
		const { connection, transport } = connect(silent);
		const requests = [call(connection), call(connection)];
		for (const message of ['text', [], { id: 9 }, { jsonrpc: '2.0', id: 1, result: 5 }]) {
			transport.receive(message);
		}
		transport.receive({ jsonrpc: '2.0', id: 2, result: {} });
		assert.deepEqual(await Promise.all(requests.map(outcome)), [
			'McpError {"code":"invalidResult","method":"tools/call","why":"result is not an object"}',
			'answered {}',
		]);
		assert.deepEqual(bench.log.lines, [
			'warn: Ignored an invalid message: not an object.',
			'warn: Ignored a batch: this revision has none.',
			'warn: Ignored an invalid message: neither a request nor a response.',
			'warn: Ignored an invalid message: result is not an object.',
		]);
	});

	it('fails the requests that are answered in a batch where there may be none, and no other', async () => {
		const { connection, transport } = connect(silent);
		const requests = [call(connection), call(connection), call(connection), call(connection)];
		transport.receive([
			{ jsonrpc: '2.0', id: 1, result: {} },
			{ jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } },
			{ jsonrpc: '2.0', id: 3, method: 'ping' },
			null,
		]);
		for (const id of [3, 4]) {
			transport.receive({ jsonrpc: '2.0', id, result: {} });
		}
		const refused = 'McpError {"code":"invalidResult","method":"tools/call","why":"a batch"}';
		assert.deepEqual(await Promise.all(requests.map(outcome)), [refused, refused, 'answered {}', 'answered {}']);
	});

	// covers: ping.answered jsonrpc.unknownRequest jsonrpc.unknownNotification
	it('answers ping, and says which methods it does not know', async () => {
		const { transport } = connect();
		transport.request('a', 'ping');
		transport.request(5, 'no/such');
		transport.notify('notifications/no/such');
		await settled();
		assert.deepEqual(transport.transcript, [
			'< ping#"a"',
			'< no/such#5',
			'< notifications/no/such',
			'> #5 error -32601 Method not found: no/such',
			'> #"a" {}',
		]);
	});

	it('answers with what the handler gives or throws', async () => {
		const { connection, transport } = connect();
		const answers: Record<string, () => JsonObject> = {
			ok: () => ({ roots: [] }),
			rpcError: () => {
				throw new RpcError(-32602, 'bad', { field: 'x' });
			},
			error: () => {
				throw new Error('internal');
			},
		};
		connection.onRequest('roots/list', params =>
			Promise.resolve().then(() => answers[String(params['which'])]?.() ?? {}),
		);
		for (const which of Object.keys(answers)) {
			transport.request(which, 'roots/list', { which });
		}
		await settled();
		assert.deepEqual(transport.transcript.slice(3), [
			'> #"ok" {"roots":[]}',
			'> #"rpcError" error -32602 bad {"field":"x"}',
			'> #"error" error -32603 internal',
		]);
	});

	// covers: cancel.inbound
	it('does not answer a request that the server has cancelled', async () => {
		const { connection, transport } = connect();
		const reasons: unknown[] = [];
		connection.onRequest('roots/list', async (_params, signal) => {
			await new Promise<void>(resolve => {
				signal.addEventListener('abort', () => resolve());
			});
			reasons.push(signal.aborted);
			return { roots: [] };
		});
		transport.request(1, 'roots/list');
		transport.notify('notifications/cancelled', { requestId: '1' });
		transport.notify('notifications/cancelled', {});
		await settled();
		assert.deepEqual(reasons, []);
		transport.notify('notifications/cancelled', { requestId: 1, reason: 'enough' });
		await settled();
		assert.deepEqual([reasons, transport.sent], [[true], []]);
	});

	// covers: progress.token progress.message
	it('delivers progress to the request whose token it names', async () => {
		const { connection, transport } = connect(silent);
		const seen: string[] = [];
		const request = call(connection, { onProgress: it => seen.push(JSON.stringify(it)) });
		const other = call(connection);
		for (const params of [
			{ progressToken: 1, progress: 1, total: 3, message: 'one' },
			{ progressToken: 1, progress: 2, total: 'x', message: 5 },
			{ progressToken: 1, progress: 'x' },
			{ progressToken: '1', progress: 3 },
			{ progressToken: 2, progress: 4 },
			{ progressToken: 9, progress: 5 },
			{ progress: 6 },
		]) {
			transport.notify('notifications/progress', params);
		}
		for (const id of [1, 2]) {
			transport.receive({ jsonrpc: '2.0', id, result: {} });
		}
		await Promise.all([request, other]);
		transport.notify('notifications/progress', { progressToken: 1, progress: 7 });
		assert.deepEqual(seen, ['{"progress":1,"total":3,"message":"one"}', '{"progress":2}', '{"progress":3}']);
		assert.deepEqual(
			transport.sent.map(it => ('params' in it ? it.params : undefined)),
			[{ name: 'slow', _meta: { progressToken: 1 } }, { name: 'slow' }],
		);
	});

	// covers: meta.passedThrough
	it('keeps the _meta of a request when it asks for progress', async () => {
		const { connection, transport } = connect({ methods: { 'tools/call': () => ({}) } });
		await connection.request(
			'tools/call',
			{ name: 'x', _meta: { trace: 'y' } },
			{ timeoutMs: 0, onProgress: () => undefined },
		);
		assert.deepEqual(transport.sent[0], {
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name: 'x', _meta: { trace: 'y', progressToken: 1 } },
		});
	});

	// covers: tap.onePoint
	it('shows everything that crosses the wire at one point', async () => {
		const { connection, transport } = connect({ methods: { 'tools/call': () => ({ ok: true }) } });
		const seen: string[] = [];
		const subscription = bench.tap.onDidTransfer(it => {
			assert.ok(it.kind === 'message');
			seen.push(`${it.direction} ${it.text} ${it.size} ${it.transport} ${it.era}`);
		});
		await call(connection);
		transport.receive('gärbage😀');
		transport.request('p', 'ping');
		await next(transport.onDidSend);
		subscription.dispose();
		await call(connection);
		assert.deepEqual(seen, [
			'sent {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}} 71 stdio legacy',
			'received {"jsonrpc":"2.0","id":1,"result":{"ok":true}} 45 stdio legacy',
			'received "gärbage😀" 14 stdio legacy',
			'received {"jsonrpc":"2.0","id":"p","method":"ping"} 42 stdio legacy',
			'sent {"jsonrpc":"2.0","id":"p","result":{}} 38 stdio legacy',
		]);
	});
});
