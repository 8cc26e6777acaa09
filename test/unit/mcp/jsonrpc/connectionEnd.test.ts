// Requests that end without a response: by their caller, by a time-out, or because the connection ends.
import * as assert from 'node:assert/strict';
import { clock } from '../../../../src/base/clock.js';
import { AbortError } from '../../../../src/base/errors.js';
import { McpError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { call, outcome, connectionBench } from '../../../support/connectionBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Connection', () => {
	const { connect, silent } = connectionBench(leakCheck());

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
				passTime(59);
				transport.notify('notifications/progress', { progressToken: 1, progress });
			}
			passTime(59);
			await settled();
			assert.equal(ended, false);
			passTime(1);
			assert.match(await request, /"code":"timeout"/);
		});

		it('does not pass while the peer waits for our answer, and begins anew after it', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			let answer: (result: JsonObject) => void = () => undefined;
			connection.onRequest('elicitation/create', () => new Promise(resolve => (answer = resolve)));
			const request = outcome(call(connection, { timeoutMs: 60 }));
			passTime(50);
			transport.request(1, 'elicitation/create');
			passTime(10_000);
			await settled();
			answer({ action: 'decline' });
			await settled();
			passTime(40);
			transport.receive({ jsonrpc: '2.0', id: 1, result: {} });
			assert.equal(await request, 'answered {}');
			const silentAgain = outcome(call(connection, { timeoutMs: 60 }));
			passTime(60);
			assert.match(await silentAgain, /"code":"timeout"/);
		});

		// covers: auth.held
		it('does not pass while what was sent waits on our side, and begins anew after it', async () => {
			const { connection, transport } = connect(silent);
			stopTime();
			transport.heldUntil = Infinity;
			let ended = '';
			const request = outcome(call(connection, { timeoutMs: 60 })).then(it => (ended = it));
			passTime(10_000);
			transport.heldUntil = clock.now();
			passTime(59);
			await settled();
			assert.equal(ended, '');
			passTime(1);
			assert.match(await request, /"code":"timeout"/);
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

		it('fails requests with its reason, where that is known', async () => {
			const { connection, transport } = connect(silent);
			const request = call(connection);
			transport.end({ expected: false, error: new McpError({ code: 'tooLarge', limit: 1 }) });
			assert.equal(await outcome(request), 'McpError {"code":"tooLarge","limit":1}');
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
			// The transport has been told to close but has not ended yet: a one-way conversation must not continue.
			connection.onNotification('notifications/last', () => connection.dispose());
			transport.notify('notifications/last');
			transport.notify('notifications/tools/list_changed');
			finish?.();
			await settled();
			assert.deepEqual([heard, transport.sent], [[], []]);
			assert.equal(await outcome(call(connection)), 'McpError {"code":"closed"}');
			assert.deepEqual(transport.sent, []);
		});
	});
});
