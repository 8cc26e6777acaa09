import * as assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../src/base/lifecycle.js';
import { leakCheck } from '../../support/leakCheck.js';

describe('leakCheck', () => {
	it('fails the hook, says where the leak was made, and leaves no tracker', async () => {
		const run: { before?: () => void; after?: () => Promise<void> } = {};
		const cleanup = leakCheck({ beforeEach: it => (run.before = it), afterEach: it => (run.after = it) });
		const lines: string[] = [];
		run.before?.();
		cleanup.own(toDisposable(() => lines.push('first owned')));
		cleanup.own(toDisposable(() => lines.push('second owned')));
		cleanup.later(async () => lines.push('later'));
		await run.after?.();
		assert.deepEqual(lines, ['later', 'second owned', 'first owned']);

		run.before?.();
		const store = makeALeak();
		await assert.rejects(async () => run.after?.(), /1 disposables were left:\nDisposableStore made[^]*makeALeak/);
		store.dispose();
		// Nothing is installed any more: this would be a leak.
		makeALeak();
		run.before?.();
		await run.after?.();
	});
});

function makeALeak(): DisposableStore {
	return new DisposableStore();
}
