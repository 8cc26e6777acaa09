import * as assert from 'node:assert/strict';
import { activate, inState } from '../support.js';

describe('servers that start when the workspace is opened', () => {
	it('all at once, while everything else goes on; who needs a person waits for one', async () => {
		const api = await activate();
		const names = Array.from({ length: 20 }, (_, index) => `server-${String(index + 1).padStart(2, '0')}`);
		const countRunning = (): number =>
			api.servers().filter(it => names.includes(it.name) && it.state === 'running').length;
		// Something else has its turn before all of them run.
		const seen = [countRunning()];
		const clock = setInterval(() => seen.push(countRunning()), 1);
		const running = await Promise.all(names.map(it => inState(api, it, 'running')));
		clearInterval(clock);
		assert.deepEqual(
			running.map(it => it.counts.tools),
			names.map(() => 1),
		);
		assert.ok(seen.length > 1 || seen[0] === names.length, 'nothing else had its turn');
		await inState(api, 'asking', 'waiting');
		await inState(api, 'dies', 'failed');
		assert.equal(api.servers().find(it => it.name === 'idle')?.state, 'stopped');
	});
});
