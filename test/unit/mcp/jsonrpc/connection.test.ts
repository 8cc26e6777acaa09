import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AbortError } from '../../../../src/base/errors.js';
import { Connection } from '../../../../src/mcp/jsonrpc/connection.js';
import type { RequestOptions } from '../../../../src/mcp/jsonrpc/requestOptions.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { Tap } from '../../../../src/mcp/transport/tap.js';
import { defaultLimits, type Limits } from '../../../../src/mcp/limits.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { releaseTime, stopTime } from '../../../support/mockTime.js';
import { type MemoryServer, MemoryTransport } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { next, settled } from '../../../support/waiting.js';

function call(connection: Connection, options?: RequestOptions): Promise<JsonObject> {
	return connection.request('tools/call', { name: 'slow' }, options);
}

/** What became of a request, in one line. */
async function outcome(request: Promise<unknown>): Promise<string> {
	try {
		return `answered ${JSON.stringify(await request)}`;
	} catch (error) {
		if (error instanceof RpcError) {
			return `RpcError ${error.code} ${error.message} ${JSON.stringify(error.data)}`;
		}
		return error instanceof McpError ? `McpError ${JSON.stringify(error.failure)}` : String(error);
	}
}

describe('Connection', () => {
	const { own } = leakCheck();
	let log: TestLogger;
	let tap: Tap;

	function connect(
		server: MemoryServer = {},
		limits: Partial<Limits> = {},
	): { connection: Connection; transport: MemoryTransport } {
		log = new TestLogger();
		const transport = own(new MemoryTransport({ revision: '2025-11-25', ...server }));
		tap = own(new Tap());
		const joined = own(tap.join(transport, () => 'legacy'));
		return { connection: own(new Connection(transport, log, joined, { ...defaultLimits, ...limits })), transport };
	}

	/** Stays without an answer until the test gives one. */
	const silent: MemoryServer = { methods: { 'tools/call': () => undefined } };

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

	// covers: jsonrpc.tooLargeRequest
	it('refuses a request that is too long to be read, unless the peer may not ask', async () => {
		const { connection, transport } = connect(silent);
		const request = call(connection);
		const error = new McpError({ code: 'tooLarge', limit: 10 });
		// An id of the peer's: ours with the same id waits on.
		transport.lose(1, error, true);
		connection.policy = { acceptsRequests: false, acceptsBatches: false, cancelsBy: 'stream' };
		transport.lose(2, error, true);
		await settled();
		assert.deepEqual(transport.sent.slice(1), [
			{ jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'A message is larger than 10 bytes.' } },
		]);
		transport.lose(1, error);
		assert.equal(await outcome(request), 'McpError {"code":"tooLarge","limit":10}');
		connection.dispose();
		transport.lose(3, error, true);
		await settled();
		assert.equal(transport.sent.length, 2);
	});

	// covers: jsonrpc.unknownIgnored jsonrpc.idTypes
	it('ignores answers that nothing waits for', async () => {
		const { connection, transport } = connect(silent);
		const request = call(connection);
		transport.receive({ jsonrpc: '2.0', id: 7, result: { wrong: true } });
		// `1` and `"1"` are different ids.
		transport.receive({ jsonrpc: '2.0', id: '1', result: { wrong: true } });
		transport.receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } });
		transport.receive({ jsonrpc: '2.0', id: 1, result: { right: true } });
		transport.receive({ jsonrpc: '2.0', id: 1, result: { late: true } });
		assert.equal(await outcome(request), 'answered {"right":true}');
		assert.deepEqual(
			log.lines,
			['7', '"1"', 'null', '1'].map(it => `debug: Ignored a response with id ${it} that nothing waits for.`),
		);
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
		assert.deepEqual(log.lines, [
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

	it('an invalid question of the server is none of our requests, whatever its id', async () => {
		const { connection, transport } = connect(silent);
		const request = call(connection);
		transport.receive({ jsonrpc: '2.0', id: 1, method: 'roots/list', params: 5 });
		transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
		assert.equal(await outcome(request), 'answered {}');
	});

	it('does not fill the log with what is invalid', () => {
		const { connection, transport } = connect({}, { notificationsPerSecond: 3 });
		for (let count = 0; count < 10; count++) {
			transport.receive(count % 2 === 0 ? 'text' : []);
		}
		connection.dispose();
		assert.deepEqual(log.lines.slice(3), ['warn: Dropped 7 notifications: the server sends more than 3 in a second.']);
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

	it('answers with an error when a handler throws at once', async () => {
		const { connection, transport } = connect();
		connection.onRequest('roots/list', () => {
			throw new Error('at once');
		});
		transport.request(1, 'roots/list');
		await settled();
		assert.deepEqual(transport.transcript.slice(1), ['> #1 error -32603 at once']);
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

	it('keeps two requests of the server apart that reuse an id', async () => {
		const { connection, transport } = connect();
		const signals: AbortSignal[] = [];
		const gates: (() => void)[] = [];
		connection.onRequest('roots/list', async (_params, signal) => {
			signals.push(signal);
			await new Promise<void>(resolve => {
				gates.push(resolve);
			});
			return { roots: [] };
		});
		transport.request(1, 'roots/list');
		transport.request(1, 'roots/list');
		gates[0]?.();
		await settled();
		// The second is still going on and can still be cancelled.
		transport.notify('notifications/cancelled', { requestId: 1 });
		assert.deepEqual(
			signals.map(it => it.aborted),
			[false, true],
		);
		gates[1]?.();
		await settled();
		assert.equal(transport.sent.length, 1);
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
		assert.deepEqual(seen, ['{"progress":1,"total":3,"message":"one"}', '{"progress":2}']);
		assert.deepEqual(
			transport.sent.map(it => ('params' in it ? it.params : undefined)),
			[{ name: 'slow', _meta: { progressToken: 1 } }, { name: 'slow' }],
		);
	});

	// covers: meta.passedThrough
	it('keeps the _meta of a request when it asks for progress', async () => {
		const { connection, transport } = connect({ methods: { 'tools/call': () => ({}) } });
		await connection.request('tools/call', { name: 'x', _meta: { trace: 'y' } }, { onProgress: () => undefined });
		assert.deepEqual(transport.sent[0], {
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name: 'x', _meta: { trace: 'y', progressToken: 1 } },
		});
	});

	describe('cancellation', () => {
		// covers: cancel.lateAnswer
		it('tells the server, rejects at once and ignores the answer that comes anyway', async () => {
			const { connection, transport } = connect(silent);
			const controller = new AbortController();
			const request = call(connection, { signal: controller.signal });
			controller.abort();
			assert.equal(await outcome(request), 'AbortError: The operation was cancelled.');
			transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
			await settled();
			assert.deepEqual(transport.transcript, [
				'> tools/call#1 {"name":"slow"}',
				'> notifications/cancelled {"requestId":1,"reason":"cancelled"}',
				'< #1 {}',
			]);
		});

		it('sends nothing for a request that was given up before it began', async () => {
			const { connection, transport } = connect(silent);
			assert.equal(await outcome(call(connection, { signal: AbortSignal.abort() })), String(new AbortError()));
			assert.deepEqual(transport.sent, []);
		});

		it('sends nothing after the answer', async () => {
			const { connection, transport } = connect({ methods: { 'tools/call': () => ({}) } });
			const controller = new AbortController();
			await call(connection, { signal: controller.signal });
			controller.abort();
			await settled();
			assert.deepEqual(transport.transcript, ['> tools/call#1 {"name":"slow"}', '< #1 {}']);
		});

		// covers: cancel.neverInitialize
		it('never cancels what must not be cancelled', async () => {
			const { connection, transport } = connect(silent);
			const controller = new AbortController();
			const request = call(connection, { signal: controller.signal, uncancellable: true });
			controller.abort();
			assert.equal(await outcome(request), String(new AbortError()));
			await settled();
			assert.equal(transport.sent.length, 1);
		});
	});

	describe('time-out', () => {
		afterEach(() => releaseTime());

		it('gives up, tells the server and names the method', async () => {
			const { connection, transport } = connect(silent);
			assert.equal(
				await outcome(call(connection, { timeoutMs: 5 })),
				'McpError {"code":"timeout","method":"tools/call","ms":5}',
			);
			await settled();
			assert.equal(transport.transcript.at(-1), '> notifications/cancelled {"requestId":1,"reason":"timeout"}');
		});

		// covers: timeout.resetByProgress
		it('begins anew with every progress', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			let ended = false;
			const request = outcome(call(connection, { timeoutMs: 60, onProgress: () => undefined }));
			void request.then(() => (ended = true));
			for (let progress = 1; progress <= 3; progress++) {
				mock.timers.tick(59);
				transport.notify('notifications/progress', { progressToken: 1, progress });
			}
			mock.timers.tick(59);
			await settled();
			assert.equal(ended, false);
			mock.timers.tick(1);
			assert.match(await request, /"code":"timeout"/);
		});

		it('does not pass while the peer waits for our answer, and begins anew after it', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			let answer: (result: JsonObject) => void = () => undefined;
			connection.onRequest('elicitation/create', () => new Promise(resolve => (answer = resolve)));
			const request = outcome(call(connection, { timeoutMs: 60 }));
			mock.timers.tick(50);
			transport.request(1, 'elicitation/create');
			mock.timers.tick(10_000);
			await settled();
			answer({ action: 'decline' });
			await settled();
			mock.timers.tick(40);
			transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
			assert.equal(await request, 'answered {}');
			const silentAgain = outcome(call(connection, { timeoutMs: 60 }));
			mock.timers.tick(60);
			assert.match(await silentAgain, /"code":"timeout"/);
		});

		// covers: auth.held
		it('does not pass while what was sent waits on our side, and begins anew after it', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			transport.heldUntil = Infinity;
			let ended = '';
			const request = outcome(call(connection, { timeoutMs: 60 })).then(it => (ended = it));
			mock.timers.tick(10_000);
			transport.heldUntil = Date.now();
			mock.timers.tick(59);
			await settled();
			assert.equal(ended, '');
			mock.timers.tick(1);
			assert.match(await request, /"code":"timeout"/);
		});

		it('does not exist for 0', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			const request = call(connection, { timeoutMs: 0 });
			mock.timers.tick(1e9);
			await settled();
			transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
			assert.equal(await outcome(request), 'answered {}');
		});
	});

	describe('end', () => {
		it('rejects what is in flight and everything after it', async () => {
			const { connection, transport } = connect(silent);
			const signals: AbortSignal[] = [];
			connection.onRequest('roots/list', async (_params, signal) => {
				signals.push(signal);
				return new Promise(() => undefined);
			});
			transport.request(1, 'roots/list');
			const requests = [call(connection), call(connection, { timeoutMs: 1000 })];
			transport.end({ expected: false, exitCode: 1 });
			requests.push(call(connection));
			assert.deepEqual(await Promise.all([...requests, connection.notify('notifications/initialized')].map(outcome)), [
				'McpError {"code":"closed"}',
				'McpError {"code":"closed"}',
				'McpError {"code":"closed"}',
				'McpError {"code":"closed"}',
			]);
			assert.deepEqual(
				signals.map(it => it.aborted),
				[true],
			);
		});

		it('leaves no timer, not of requests that come after it either', async () => {
			// Mocha sets its own once the test waits.
			await settled();
			const timers = (): number => process.getActiveResourcesInfo().filter(it => it === 'Timeout').length;
			const before = timers();
			const { connection, transport } = connect(silent);
			const options = { timeoutMs: 60_000, maxTotalMs: 90_000 };
			const requests = [call(connection, options)];
			assert.equal(timers(), before + 1);
			transport.end({ expected: true });
			requests.push(call(connection, options));
			assert.deepEqual(await Promise.all(requests.map(outcome)), Array(2).fill('McpError {"code":"closed"}'));
			assert.equal(timers(), before);
		});

		it('is also the end of our side', async () => {
			const { connection, transport } = connect(silent);
			const request = call(connection);
			connection.dispose();
			transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
			assert.equal(await outcome(request), 'McpError {"code":"closed"}');
		});

		it('rejects a request that cannot be sent', async () => {
			const { connection } = connect({
				onSend: () => {
					throw new McpError({ code: 'closed' });
				},
			});
			assert.equal(await outcome(call(connection, { timeoutMs: 1000 })), 'McpError {"code":"closed"}');
		});

		it('takes and sends nothing more, whatever the transport still does', async () => {
			const { connection, transport } = connect();
			const heard: string[] = [];
			let finish: (() => void) | undefined;
			connection.onNotification('notifications/tools/list_changed', () => heard.push('changed'));
			connection.onRequest('roots/list', async () => {
				await new Promise<void>(resolve => {
					finish = resolve;
				});
				return { roots: [] };
			});
			transport.request(1, 'roots/list');
			// Of a transport that has been told to close, and is not there yet: half of a conversation is none.
			connection.onNotification('notifications/last', () => connection.dispose());
			transport.notify('notifications/last');
			transport.notify('notifications/tools/list_changed');
			finish?.();
			await settled();
			assert.deepEqual([heard, transport.sent], [[], []]);
			assert.equal(await outcome(call(connection)), 'McpError {"code":"closed"}');
			assert.deepEqual(transport.sent, []);
		});

		it('of a transport that has told it: what comes after is not heard', () => {
			const { connection, transport } = connect();
			const heard: string[] = [];
			connection.onNotification('notifications/tools/list_changed', () => heard.push('changed'));
			transport.end({ expected: false });
			transport.notify('notifications/tools/list_changed');
			assert.deepEqual(heard, []);
		});

		it('swallows an answer that cannot be sent any more', async () => {
			const { connection, transport } = connect();
			const gate = new AbortController();
			connection.onRequest('roots/list', async () => {
				await new Promise(resolve => {
					gate.signal.addEventListener('abort', resolve);
				});
				return { roots: [] };
			});
			transport.request(1, 'roots/list');
			transport.end({ expected: true });
			gate.abort();
			await settled();
			assert.deepEqual(transport.sent, []);
		});
	});

	it('fails a request beyond what may be in flight, and that one alone', async () => {
		const { connection, transport } = connect(silent, { requestsInFlight: 2 });
		const requests = [call(connection), call(connection), call(connection)].map(outcome);
		assert.equal(await requests[2], 'McpError {"code":"tooManyRequests","limit":2}');
		transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
		assert.equal(await requests[0], 'answered {}');
		const next = outcome(call(connection));
		transport.receive({ jsonrpc: '2.0', id: 2, result: {} });
		transport.receive({ jsonrpc: '2.0', id: 3, result: {} });
		assert.deepEqual([await requests[1], await next], ['answered {}', 'answered {}']);
	});

	it('leaves requests of a peer that does not read its answers, and goes on', async () => {
		let isReading = false;
		let waiting: (() => void)[] = [];
		let tried = 0;
		const { connection, transport } = connect({
			methods: { 'tools/call': () => ({}) },
			onSend: message => {
				if ('method' in message || isReading) {
					return undefined;
				}
				tried++;
				return new Promise(resolve => waiting.push(resolve));
			},
		});
		const flood = async (id: string): Promise<number> => {
			tried = 0;
			for (let index = 0; index < 6000; index++) {
				transport.request(`${index}${id}`, 'ping');
			}
			await settled();
			return tried;
		};
		const short = await flood('');
		assert.ok(short > 4000 && short <= 5000, `${short} answers`);
		transport.lose(7, new McpError({ code: 'tooLarge', limit: 1 }), true);
		await settled();
		assert.equal(tried, short, 'what is too long to be read has no answer either');
		assert.match(log.lines.join('\n'), /warn: Left a request of the server unanswered/);
		assert.equal(await outcome(call(connection)), 'answered {}');
		waiting.forEach(it => it());
		await settled();
		waiting = [];
		// What an answer must repeat is kept too.
		const long = await flood('x'.repeat(2000));
		assert.ok(long > 400 && long < 500, `${long} answers`);
		waiting.forEach(it => it());
		await settled();
		isReading = true;
		transport.sent.length = 0;
		transport.request('again', 'ping');
		await settled();
		assert.deepEqual(transport.sent, [{ jsonrpc: '2.0', id: 'again', result: {} }]);
	});

	it('leaves what is beyond the limit of answers owed, and takes as many again once they are sent', async () => {
		const { connection, transport } = connect({}, { answersOwed: 3.5 });
		const answer = new Map<number, () => void>();
		connection.onRequest(
			'roots/list',
			({ n }) => new Promise(resolve => answer.set(Number(n), () => resolve({ roots: [] }))),
		);
		const ask = async (...numbers: number[]): Promise<void> => {
			numbers.forEach(n => transport.request(n, 'roots/list', { n }));
			await settled();
		};
		await ask(1, 2, 3, 4);
		assert.deepEqual([...answer.keys()], [1, 2, 3]);
		answer.get(2)?.();
		await settled();
		await ask(5, 6);
		assert.deepEqual([...answer.keys()], [1, 2, 3, 5]);
	});

	it('drops chatter beyond a limit, says so, and never what tells of changes', async () => {
		stopTime();
		try {
			const { connection, transport } = connect(silent, { notificationsPerSecond: 3 });
			const heard: string[] = [];
			own(connection.onChatter('notifications/message', ({ data }) => heard.push(String(data))));
			own(connection.onNotification('notifications/tools/list_changed', () => heard.push('changed')));
			for (let index = 0; index < 5; index++) {
				transport.notify('notifications/message', { data: index });
			}
			transport.notify('notifications/tools/list_changed');
			mock.timers.tick(1000);
			transport.notify('notifications/message', { data: 'later' });
			assert.deepEqual(heard, ['0', '1', '2', 'changed', 'later']);
			assert.deepEqual(log.lines, ['warn: Dropped 2 notifications: the server sends more than 3 in a second.']);
			await settled();
		} finally {
			releaseTime();
		}
	});

	// covers: tap.onePoint
	it('shows everything that crosses the wire at one point', async () => {
		const { connection, transport } = connect({ methods: { 'tools/call': () => ({ ok: true }) } });
		const seen: string[] = [];
		const subscription = tap.onDidTransfer(it => {
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
