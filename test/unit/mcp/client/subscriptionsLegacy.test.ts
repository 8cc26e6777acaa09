// Spec 2025-11-25, resources: each resource is subscribed to by a request of its own.
import * as assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { subscriptionBench } from '../../../support/subscriptionBench.js';

describe('subscriptions', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connect, pass, sent, note } = subscriptionBench(cleanup);

	describe('legacy', () => {
		// covers: resources.subscribe resources.unsubscribe
		it('subscribes to each resource once, for any number of subscribers', async () => {
			const { client, transport, seen } = await connect({ era: 'legacy' });
			const wishes = ['x:1', 'x:1', 'x:2'].map(it => client.subscribeResource(it));
			await settled();
			transport.notify('notifications/resources/updated', { uri: 'x:1' });
			wishes[0]?.dispose();
			wishes[0]?.dispose();
			await settled();
			wishes[1]?.dispose();
			await settled();
			wishes[2]?.dispose();
			await settled();
			assert.deepEqual(sent(transport), [
				'> resources/subscribe#3 {"uri":"x:1"}',
				'> resources/subscribe#4 {"uri":"x:2"}',
				'> resources/unsubscribe#5 {"uri":"x:1"}',
				'> resources/unsubscribe#6 {"uri":"x:2"}',
			]);
			assert.deepEqual(seen, ['updated x:1']);
		});

		// covers: resources.subscribeCapability
		it('subscribes only if the server supports it', async () => {
			for (const capabilities of [{}, { resources: {} }, { resources: { subscribe: false, listChanged: true } }]) {
				const { client, transport } = await connect({ era: 'legacy', capabilities });
				client.subscribeResource('x:1').dispose();
				await pass(1000);
				assert.deepEqual(sent(transport), []);
			}
		});

		it('a subscription is acknowledged from the success of its request until it is cancelled', async () => {
			const answers: Deferred<JsonObject>[] = [];
			const { client } = await connect({
				era: 'legacy',
				methods: {
					'resources/subscribe': () => {
						answers.push(deferred());
						return answers.at(-1)?.promise ?? assert.fail();
					},
				},
			});
			const isSubscribed = (): boolean => client.isSubscribed('x:1');
			const wish = client.subscribeResource('x:1');
			await settled();
			assert.ok(!isSubscribed(), 'there is no answer');
			answers[0]?.resolve({});
			await settled();
			assert.deepEqual([isSubscribed(), client.isSubscribed('x:2')], [true, false]);
			wish.dispose();
			assert.ok(!isSubscribed(), 'nobody wants it');
			await settled();
			own(client.subscribeResource('x:1'));
			await settled();
			assert.ok(!isSubscribed(), 'the answer was to another request');
			answers[1]?.reject(new RpcError(-32602, 'no such resource'));
			await settled();
			assert.ok(!isSubscribed(), 'it was refused');
		});

		it('a refusal is logged', async () => {
			const { client, log } = await connect({
				era: 'legacy',
				methods: {
					'resources/subscribe': () => {
						throw new RpcError(-32602, 'no such resource');
					},
				},
			});
			own(client.subscribeResource('x:1'));
			await settled();
			assert.ok(log.lines.includes('warn: resources/subscribe failed: no such resource'), log.lines.join('\n'));
		});

		it('sends one request at a time for a resource, until the state is the last wanted one', async () => {
			const answers: Deferred<JsonObject>[] = [];
			const answer = (): Promise<JsonObject> => {
				answers.push(deferred());
				return answers.at(-1)?.promise ?? assert.fail();
			};
			const { client, transport } = await connect({
				era: 'legacy',
				kind: 'http',
				methods: { 'resources/subscribe': answer, 'resources/unsubscribe': answer },
			});
			const next = async (turn: number): Promise<string[]> => {
				answers[turn]?.resolve({});
				await settled();
				return sent(transport);
			};
			const tab = client.subscribeResource('x:1');
			await settled();
			tab.dispose();
			own(client.subscribeResource('x:2'));
			assert.deepEqual(await next(-1), [
				'> resources/subscribe#3 {"uri":"x:1"}',
				'> resources/subscribe#4 {"uri":"x:2"}',
			]);
			assert.deepEqual((await next(0)).slice(2), ['> resources/unsubscribe#5 {"uri":"x:1"}']);
			const again = client.subscribeResource('x:1');
			again.dispose();
			own(client.subscribeResource('x:1'));
			assert.deepEqual((await next(-1)).slice(3), []);
			assert.deepEqual((await next(2)).slice(3), ['> resources/subscribe#6 {"uri":"x:1"}']);
			assert.deepEqual((await next(3)).slice(4), []);
		});

		it('a subscription that is closed before the answer and opened again needs no new request', async () => {
			const first = deferred<JsonObject>();
			const { client, transport } = await connect({
				era: 'legacy',
				methods: { 'resources/subscribe': () => first.promise },
			});
			const tab = client.subscribeResource('x:1');
			await settled();
			tab.dispose();
			own(client.subscribeResource('x:1'));
			first.resolve({});
			await settled();
			assert.deepEqual(sent(transport), ['> resources/subscribe#3 {"uri":"x:1"}']);
		});

		it('a request without an answer times out, and the wanted state is requested then', async () => {
			const { client, transport, log } = await connect(
				{ era: 'legacy', methods: { 'resources/subscribe': () => undefined } },
				{ timeoutMs: 500 },
			);
			const tab = client.subscribeResource('x:1');
			await pass(499);
			tab.dispose();
			await pass(1);
			assert.deepEqual(sent(transport), [
				'> resources/subscribe#3 {"uri":"x:1"}',
				'> notifications/cancelled {"requestId":3,"reason":"timeout"}',
				'> resources/unsubscribe#4 {"uri":"x:1"}',
			]);
			const timeout = 'warn: resources/subscribe failed: No answer to resources/subscribe within 500 ms.';
			assert.ok(log.lines.includes(timeout), log.lines.join('\n'));
		});

		it('changes are reported with any `_meta`, and no stream is opened', async () => {
			const { transport, seen } = await connect({ era: 'legacy' });
			note(transport, 'tools/list_changed', 77);
			await pass(3_600_000);
			assert.deepEqual([seen, sent(transport)], [['changed tools'], []]);
		});
	});
});
