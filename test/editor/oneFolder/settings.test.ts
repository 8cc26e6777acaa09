// Covers M3 and M9: settings count for the next start and the next call.
import * as assert from 'node:assert/strict';
import { activate, forgetRecords, records } from '../../integration/support.js';
import { removePolicy, run, set, snapshotOf, writePolicy } from '../support.js';

describe('settings', () => {
	afterEach(async () => {
		await run('server.stop', { server: 'recorder' });
		await set('serverOptions', undefined);
		await set('tools', undefined);
		await set('requestTimeout', undefined);
		removePolicy();
		forgetRecords();
	});

	it('requestTimeout ends the start of a server that never answers', async () => {
		await set('requestTimeout', 0.5);
		const api = await activate();
		await run('server.start', { server: 'silent' });
		assert.equal(snapshotOf(api, 'silent')?.state, 'failed');
	});

	it('serverOptions has a timeout for one tool', async () => {
		await set('serverOptions', { recorder: { toolTimeouts: { say: 0.3 } } });
		writePolicy({ decision: 'allow' });
		const call = { server: 'recorder', tool: 'say', arguments: { silent: true } };
		await assert.rejects(async () => run('tool.run', call), /No response to tools\/call within 300 ms/);
	});

	it('tools disables a tool, for which nothing is started', async () => {
		await set('tools', { recorder: { disabled: ['say'] } });
		const call = { server: 'recorder', tool: 'say', arguments: {} };
		await assert.rejects(async () => run('tool.run', call), /The tool say is disabled\./);
		assert.deepEqual(records(), []);
	});
});
