// Spec 2025-11-25, resources: a subscription is a request for each resource.
import * as assert from 'node:assert/strict';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { subscriptionBench } from '../../../support/subscriptionBench.js';

describe('subscriptions', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connect, pass, sent, note } = subscriptionBench(cleanup);

	describe('legacy', () => {
		// covers: resources.subscribe resources.unsubscribe
		it('each resource once, however often it is wanted', async () => {
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
		it('only where the server can', async () => {
			for (const capabilities of [{}, { resources: {} }, { resources: { subscribe: false, listChanged: true } }]) {
				const { client, transport } = await connect({ era: 'legacy', capabilities });
				client.subscribeResource('x:1').dispose();
				await pass(1000);
				assert.deepEqual(sent(transport), []);
			}
		});

		it('a refusal is a line in the log', async () => {
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

		it('changes are told whatever `_meta` they bring, and no stream is opened', async () => {
			const { transport, seen } = await connect({ era: 'legacy' });
			note(transport, 'tools/list_changed', 77);
			await pass(3_600_000);
			assert.deepEqual([seen, sent(transport)], [['changed tools'], []]);
		});
	});
});
