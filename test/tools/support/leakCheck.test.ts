import * as assert from 'node:assert/strict';
import {
	DisposableStore,
	Emitter,
	MutableDisposable,
	Owner,
	setDisposableTracker,
	toDisposable,
} from '../../../src/base/lifecycle.js';
import { leakCheck, LeakTracker } from '../../support/leakCheck.js';

class Thing extends Owner {
	readonly emitter = this.own(new Emitter<void>());
}

/** The names of what `run` leaves behind. */
function leaksOf(run: () => void): string[] {
	const tracker = new LeakTracker();
	setDisposableTracker(tracker);
	try {
		run();
	} finally {
		setDisposableTracker(undefined);
	}
	return tracker.leaks().map(it => it.split('\n', 1)[0] ?? '');
}

describe('leakCheck', () => {
	it('reports what is neither disposed nor owned', () => {
		const table: Record<string, () => void> = {
			'a function': () => void toDisposable(() => undefined),
			'a store': () => void new DisposableStore(),
			'a store with something in it': () => void new DisposableStore().add(toDisposable(() => undefined)),
			'a slot': () => void new MutableDisposable(),
			'an owner, not what it owns': () => void new Thing(),
			'a subscription': () => {
				using(new Emitter<void>(), emitter => emitter.event(() => undefined));
			},
			'nothing: disposed': () => using(new Thing(), () => undefined),
			'nothing: owned by what is disposed': () =>
				using(new DisposableStore(), store => {
					store.add(new Thing());
					store
						.add(new Emitter<void>())
						.event(() => undefined)
						.dispose();
				}),
			'nothing: added after the end': () =>
				using(new DisposableStore(), store => {
					store.dispose();
					store.add(new Thing());
				}),
			'nothing: replaced in a slot': () =>
				using(new MutableDisposable<Thing>(), slot => {
					slot.value = new Thing();
					slot.value = new Thing();
				}),
		};
		assert.deepEqual(Object.fromEntries(Object.entries(table).map(([name, run]) => [name, leaksOf(run)])), {
			'a function': ['a disposable made'],
			'a store': ['DisposableStore made'],
			'a store with something in it': ['DisposableStore made'],
			'a slot': ['MutableDisposable made'],
			'an owner, not what it owns': ['Thing made'],
			'a subscription': ['a disposable made'],
			'nothing: disposed': [],
			'nothing: owned by what is disposed': [],
			'nothing: added after the end': [],
			'nothing: replaced in a slot': [],
		});
	});

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

function using<T extends { dispose(): void }>(thing: T, use: (thing: T) => unknown): void {
	use(thing);
	thing.dispose();
}
