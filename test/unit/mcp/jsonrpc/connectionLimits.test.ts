// The limits on a peer that sends too many requests, responses or notifications.
import * as assert from 'node:assert/strict';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { call, outcome, connectionBench } from '../../../support/connectionBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Connection', () => {
	const bench = connectionBench(leakCheck());
	const { connect, silent } = bench;

	it('does not fill the log with what is invalid', () => {
		const { connection, transport } = connect({}, { notificationsPerSecond: 3 });
		for (let count = 0; count < 10; count++) {
			transport.receive(count % 2 === 0 ? 'text' : []);
		}
		connection.dispose();
		assert.deepEqual(bench.log.lines.slice(3), [
			'warn: Dropped 7 notifications: the server sends more than 3 in a second.',
		]);
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
		assert.match(bench.log.lines.join('\n'), /warn: Left a request of the server unanswered/);
		assert.equal(await outcome(call(connection)), 'answered {}');
		waiting.forEach(it => it());
		await settled();
		waiting = [];
		// The texts that a response must repeat are kept in memory too.
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
			connection.onRateLimitedNotification('notifications/message', ({ data }) => heard.push(String(data)));
			connection.onNotification('notifications/tools/list_changed', () => heard.push('changed'));
			for (let index = 0; index < 5; index++) {
				transport.notify('notifications/message', { data: index });
			}
			transport.notify('notifications/tools/list_changed');
			passTime(1000);
			transport.notify('notifications/message', { data: 'later' });
			assert.deepEqual(heard, ['0', '1', '2', 'changed', 'later']);
			assert.deepEqual(bench.log.lines, ['warn: Dropped 2 notifications: the server sends more than 3 in a second.']);
			await settled();
		} finally {
			releaseTime();
		}
	});
});
