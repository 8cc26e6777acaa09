// Spec 2026-07-28: subscriptions are streams, and a server may end or refuse them.
import * as assert from 'node:assert/strict';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject, RequestId } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { all, allLists, subscriptionBench } from '../../../support/subscriptionBench.js';

describe('subscriptions', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connect, pass, sent, note, acknowledge } = subscriptionBench(cleanup);

	describe('modern', () => {
		// covers: listen.filter listen.optIn
		it('opens one stream for all changes that the server can report', async () => {
			const table: readonly [JsonObject, string[]][] = [
				[all, [`> subscriptions/listen#2 {"notifications":{${allLists}}}`]],
				[
					{ tools: { listChanged: true }, prompts: {} },
					['> subscriptions/listen#2 {"notifications":{"toolsListChanged":true}}'],
				],
				[{ tools: {}, resources: { subscribe: true } }, []],
				[{}, []],
			];
			for (const [capabilities, expected] of table) {
				const { transport } = await connect({ capabilities });
				await pass(20);
				assert.deepEqual(sent(transport), expected);
			}
		});

		it('opens a stream for all changes if the capabilities are unknown', async () => {
			const { client, transport } = await connect({}, { mode: 'modern' });
			own(client.subscribeResource('x:1'));
			await pass(20);
			assert.deepEqual(sent(transport), [
				`> subscriptions/listen#1 {"notifications":{${allLists},"resourceSubscriptions":["x:1"]}}`,
			]);
		});

		// covers: listen.correlate listen.noTimeout
		it('reports the notifications that belong to the stream', async () => {
			const { transport, seen } = await connect({}, { timeoutMs: 50 });
			await pass(20);
			acknowledge(transport, 2, { toolsListChanged: true });
			await pass(3_600_000);
			note(transport, 'tools/list_changed', 2);
			note(transport, 'resources/updated', 2, { uri: 'x:1' });
			note(transport, 'prompts/list_changed', 7);
			note(transport, 'resources/updated', '2', { uri: 'x:2' });
			note(transport, 'resources/list_changed');
			note(transport, 'resources/updated', 2, { uri: 5 });
			assert.deepEqual(seen, ['changed tools', 'updated x:1', 'changed resources']);
			assert.equal(sent(transport).length, 1);
		});

		// covers: listen.noGap listen.cancelStdio listen.acknowledged
		it('another subscription opens a new stream; the old stream is closed when the server acknowledges the new one', async () => {
			const { client, transport, seen } = await connect();
			await pass(20);
			acknowledge(transport, 2);
			const one = own(client.subscribeResource('x:1'));
			own(client.subscribeResource('x:1'));
			own(client.subscribeResource('x:2'));
			await pass(20);
			note(transport, 'tools/list_changed', 2);
			acknowledge(transport, 3);
			note(transport, 'tools/list_changed', 2);
			note(transport, 'prompts/list_changed', 3);
			await settled();
			one.dispose();
			await pass(1000);
			assert.deepEqual(sent(transport), [
				`> subscriptions/listen#2 {"notifications":{${allLists}}}`,
				`> subscriptions/listen#3 {"notifications":{${allLists},"resourceSubscriptions":["x:1","x:2"]}}`,
				'> notifications/cancelled {"requestId":2,"reason":"cancelled"}',
			]);
			assert.deepEqual(seen, ['changed tools', 'changed prompts']);
		});

		it('keeps only the first and the last stream open if the server never acknowledges', async () => {
			const { client, transport, seen } = await connect();
			await pass(20);
			for (let count = 0; count < 50; count++) {
				own(client.subscribeResource(`x:${count}`));
				await pass(20);
			}
			const open = new Set<RequestId>();
			for (const it of transport.sent) {
				if ('id' in it && 'method' in it && it.method === 'subscriptions/listen') {
					open.add(it.id);
				} else if ('method' in it && it.method === 'notifications/cancelled') {
					open.delete(it.params?.['requestId'] as RequestId);
				}
			}
			assert.deepEqual([...open], [2, 52]);
			note(transport, 'tools/list_changed', 2);
			note(transport, 'tools/list_changed', 51);
			note(transport, 'prompts/list_changed', 52);
			assert.deepEqual(seen, ['changed tools', 'changed prompts']);
		});

		it('unsubscribing opens a stream without the resource; the last unsubscription closes the stream', async () => {
			const { client, transport } = await connect({ capabilities: { resources: { subscribe: true } } });
			const wishes = ['x:1', 'x:2'].map(it => client.subscribeResource(it));
			await pass(20);
			wishes[0]?.dispose();
			wishes[0]?.dispose();
			await pass(20);
			acknowledge(transport, 3);
			wishes[1]?.dispose();
			await pass(20);
			assert.deepEqual(sent(transport), [
				'> subscriptions/listen#2 {"notifications":{"resourceSubscriptions":["x:1","x:2"]}}',
				'> subscriptions/listen#3 {"notifications":{"resourceSubscriptions":["x:2"]}}',
				'> notifications/cancelled {"requestId":2,"reason":"cancelled"}',
				'> notifications/cancelled {"requestId":3,"reason":"cancelled"}',
			]);
		});

		// covers: listen.cancelHttp cancel.httpStream
		it('cancels by closing the stream over HTTP', async () => {
			const { client, transport } = await connect({ kind: 'http' });
			await pass(20);
			acknowledge(transport, 2);
			own(client.subscribeResource('x:1'));
			await pass(20);
			acknowledge(transport, 3);
			await client.close();
			assert.deepEqual(
				sent(transport).filter(it => !it.startsWith('> subscriptions/listen')),
				['x #2', 'x #3'],
			);
		});

		// covers: listen.graceful
		it('does not reopen a stream that the server ends with a result', async () => {
			let end: (result: JsonObject) => void = () => undefined;
			const { client, transport, seen } = await connect({
				methods: { 'subscriptions/listen': () => new Promise(resolve => (end = resolve)) },
			});
			await pass(20);
			end({ resultType: 'complete' });
			await pass(3_600_000);
			note(transport, 'tools/list_changed', 2);
			assert.deepEqual([sent(transport).length, seen], [1, []]);
			own(client.subscribeResource('x:1'));
			await pass(20);
			assert.equal(sent(transport).length, 2);
		});

		it('a resource counts as subscribed from the acknowledgement that names it until the stream ends', async () => {
			const ends: ((result: JsonObject) => void)[] = [];
			const { client, transport, seen } = await connect({
				methods: { 'subscriptions/listen': () => new Promise(resolve => ends.push(resolve)) },
			});
			const states = (): boolean[] => ['x:1', 'x:2'].map(it => client.isSubscribed(it));
			own(client.subscribeResource('x:1'));
			await pass(20);
			assert.deepEqual(states(), [false, false], 'opened');
			acknowledge(transport, 2, { toolsListChanged: true });
			assert.deepEqual(states(), [false, false], 'not granted');
			acknowledge(transport, 2, { resourceSubscriptions: ['x:1', 'x:2'] });
			assert.deepEqual(states(), [true, false], 'granted');
			own(client.subscribeResource('x:2'));
			await pass(20);
			assert.deepEqual(states(), [true, true], 'the stream before tells of both');
			acknowledge(transport, 3, { resourceSubscriptions: ['x:2'] });
			assert.deepEqual(states(), [false, true], 'the stream before is closed');
			ends[1]?.({ resultType: 'complete' });
			await settled();
			assert.deepEqual([states(), seen], [[false, false], []], 'ended by the server');
			own(client.subscribeResource('x:3'));
			await pass(20);
			acknowledge(transport, 4, { resourceSubscriptions: ['x:1', 'x:2', 'x:3'] });
			assert.deepEqual(states(), [true, true]);
			const everything = ['changed tools', 'changed resources', 'changed prompts'];
			assert.deepEqual(seen, [...everything, 'updated x:1', 'updated x:2', 'updated x:3'], 'there was a gap');
		});

		// covers: listen.retry listen.nonFatal listen.serverCancels
		it('reopens a broken stream with growing delays, and stops after the last', async () => {
			const { client, transport, log } = await connect({
				methods: {
					'subscriptions/listen': () => {
						throw new RpcError(-32603, 'Subscription limit reached');
					},
				},
			});
			await pass(20);
			const times: number[] = [];
			let count = 1;
			for (let second = 1; second <= 300; second++) {
				await pass(1000);
				if (sent(transport).length > count) {
					count = sent(transport).length;
					times.push(second);
				}
			}
			assert.deepEqual(times, [1, 3, 7, 15, 31, 63]);
			assert.equal(
				log.lines.filter(it => it.startsWith('warn')).join(),
				'warn: The server does not keep a subscription open; changes are not noticed.',
			);
			assert.equal(client.session.era, 'modern');
		});

		it('reopens a stream that the server cancels or loses; a stream that has worked does not count as a failure', async () => {
			const { transport } = await connect();
			await pass(20);
			for (let round = 0; round < 20; round++) {
				const id = round + 2;
				acknowledge(transport, id);
				await pass(30_000);
				if (round % 2 === 0) {
					transport.notify('notifications/cancelled', { requestId: id, reason: 'restart' });
				} else {
					transport.lose(id, new McpError({ code: 'network', why: 'x' }));
				}
				await pass(1000);
				assert.equal(sent(transport).length, round + 2);
			}
		});

		// covers: listen.missed
		it('reports everything as changed after a stream was reopened', async () => {
			const { client, transport, seen } = await connect();
			own(client.subscribeResource('x:1'));
			await pass(20);
			acknowledge(transport, 2);
			transport.lose(2, new McpError({ code: 'network', why: 'x' }));
			await pass(1000);
			transport.lose(3, new McpError({ code: 'network', why: 'x' }));
			await pass(2000);
			assert.deepEqual(seen, [], 'Server "is not there yet"');
			acknowledge(transport, 4);
			const everything = ['changed tools', 'changed resources', 'changed prompts', 'updated x:1'];
			assert.deepEqual(seen, everything);
			own(client.subscribeResource('x:2'));
			await pass(20);
			acknowledge(transport, 5);
			assert.deepEqual(seen, everything, 'nothing was missed');
		});

		// covers: listen.missed
		it('a message over the limit ends the stream, and everything is reported as changed after it was reopened', async () => {
			const { transport, seen } = await connect();
			await pass(20);
			acknowledge(transport, 2);
			transport.lose(2, new McpError({ code: 'tooLarge', limit: 10 }));
			await pass(1000);
			assert.deepEqual(
				sent(transport),
				[2, 3].map(it => `> subscriptions/listen#${it} {"notifications":{${allLists}}}`),
			);
			assert.deepEqual(seen, []);
			acknowledge(transport, 3);
			assert.deepEqual(seen, ['changed tools', 'changed resources', 'changed prompts']);
		});

		it('a subscription while a broken stream waits to be reopened opens one stream, not two', async () => {
			const { client, transport } = await connect();
			await pass(20);
			transport.lose(2, new McpError({ code: 'network', why: 'x' }));
			await pass(500);
			own(client.subscribeResource('x:1'));
			await pass(20);
			await pass(5000);
			assert.deepEqual(sent(transport), [
				`> subscriptions/listen#2 {"notifications":{${allLists}}}`,
				`> subscriptions/listen#3 {"notifications":{${allLists},"resourceSubscriptions":["x:1"]}}`,
			]);
		});

		it('closes the old stream and tries again if the server refuses a second one', async () => {
			let open = 0;
			const { client, transport } = await connect({
				methods: {
					'subscriptions/listen': () => {
						if (open > 0) {
							open = 0;
							throw new RpcError(-32603, 'Subscription limit reached');
						}
						open++;
						return undefined;
					},
				},
			});
			await pass(20);
			acknowledge(transport, 2);
			own(client.subscribeResource('x:1'));
			await pass(20);
			await pass(1000);
			assert.deepEqual(sent(transport).slice(1), [
				`> subscriptions/listen#3 {"notifications":{${allLists},"resourceSubscriptions":["x:1"]}}`,
				'> notifications/cancelled {"requestId":2,"reason":"cancelled"}',
				`> subscriptions/listen#4 {"notifications":{${allLists},"resourceSubscriptions":["x:1"]}}`,
			]);
		});

		it('does not ask again if the server has no subscriptions, or has ended', async () => {
			const unknown = await connect({
				methods: {
					'subscriptions/listen': () => {
						throw new RpcError(-32601, 'no');
					},
				},
			});
			await pass(20);
			await pass(3_600_000);
			assert.equal(sent(unknown.transport).length, 1);
			const gone = await connect();
			await pass(20);
			gone.transport.end({ expected: false });
			await pass(3_600_000);
			assert.equal(sent(gone.transport).length, 1);
			assert.ok(!gone.log.lines.some(it => it.startsWith('warn')), gone.log.lines.join('\n'));
		});

		it('accepts an acknowledgement of fewer resources, of another stream or of none', async () => {
			const { client, transport, log } = await connect();
			await pass(20);
			acknowledge(transport, 2, { toolsListChanged: true });
			assert.ok(log.lines.includes('debug: The server does not tell of promptsListChanged, resourcesListChanged.'));
			acknowledge(transport, 99);
			own(client.subscribeResource('x:1'));
			await pass(20);
			note(transport, 'subscriptions/acknowledged');
			await settled();
			assert.equal(sent(transport).at(-1), '> notifications/cancelled {"requestId":2,"reason":"cancelled"}');
		});

		it('never sends the subscription methods of the other era', async () => {
			const { client, transport } = await connect();
			client.subscribeResource('x:1').dispose();
			await pass(20);
			assert.ok(!sent(transport).some(it => /resources\/(un)?subscribe/.test(it)));
		});
	});

	it('a subscription that is disposed after the client does nothing', async () => {
		for (const era of ['modern', 'legacy'] as const) {
			const { client, transport } = await connect({ era });
			const subscription = client.subscribeResource('x:1');
			await pass(20);
			const before = sent(transport).length;
			client.dispose();
			subscription.dispose();
			await pass(1000);
			assert.equal(
				sent(transport)
					.slice(before)
					.filter(it => it.includes('subscribe')).length,
				0,
			);
		}
	});
});
