import * as assert from 'node:assert/strict';
import { activate, inState } from '../support.js';

describe('servers that start when the workspace is opened', () => {
	it('all at once, while everything else goes on; who needs a person waits for one', async () => {
		// How long the extension host was busy with something else, at most.
		let longest = 0;
		let last = performance.now();
		const clock = setInterval(() => {
			const now = performance.now();
			longest = Math.max(longest, now - last);
			last = now;
		}, 5);
		const api = await activate();
		const names = Array.from({ length: 20 }, (_, index) => `server-${String(index + 1).padStart(2, '0')}`);
		const running = await Promise.all(names.map(it => inState(api, it, 'running')));
		clearInterval(clock);
		assert.deepEqual(
			running.map(it => it.counts.tools),
			names.map(() => 1),
		);
		assert.ok(longest < 1000, `nothing else went on for ${longest} ms`);
		await inState(api, 'asking', 'waiting');
		await inState(api, 'dies', 'failed');
		assert.equal(api.servers().find(it => it.name === 'idle')?.state, 'stopped');
	});
});
