import * as assert from 'node:assert/strict';
import { activate, inState } from '../support.js';

describe('servers that start when the workspace is opened', () => {
	it('all at once, while everything else goes on; who needs a person waits for one', async () => {
		// How often something else had its turn meanwhile.
		let turns = 0;
		const clock = setInterval(() => turns++, 5);
		const api = await activate();
		const names = Array.from({ length: 20 }, (_, index) => `server-${String(index + 1).padStart(2, '0')}`);
		const running = await Promise.all(names.map(it => inState(api, it, 'running')));
		clearInterval(clock);
		assert.deepEqual(
			running.map(it => it.counts.tools),
			names.map(() => 1),
		);
		assert.ok(turns > names.length, `something else had its turn only ${turns} times`);
		await inState(api, 'asking', 'waiting');
		await inState(api, 'dies', 'failed');
		assert.equal(api.servers().find(it => it.name === 'idle')?.state, 'stopped');
	});
});
