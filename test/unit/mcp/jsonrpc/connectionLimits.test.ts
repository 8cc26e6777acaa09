// The limits on a peer that sends too many requests, responses or notifications.
import * as assert from 'node:assert/strict';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { call, outcome, connectionBench } from '../../../support/connectionBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Connection', () => {
	const bench = connectionBench(leakCheck());
	const { connect, silent } = bench;

	it('leaves requests of a peer that does not read the answers, and continues', async () => {
		let isReading = false;
		const waiting: (() => void)[] = [];
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
		const flood = async (): Promise<number> => {
			tried = 0;
			for (let index = 0; index < 6000; index++) {
				transport.request(String(index), 'ping');
			}
			await settled();
			return tried;
		};
		assert.equal(await flood(), 5000);
		assert.match(bench.log.lines.join('\n'), /warn: Left a request of the server unanswered/);
		assert.equal(await outcome(call(connection)), 'answered {}');
		waiting.forEach(it => it());
		await settled();
		isReading = true;
		transport.sent.length = 0;
		transport.request('again', 'ping');
		await settled();
		assert.deepEqual(transport.sent, [{ jsonrpc: '2.0', id: 'again', result: {} }]);
	});

	it('drops log and progress messages beyond a limit and says so, but keeps announcements of changes', async () => {
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
