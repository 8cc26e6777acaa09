// Finds what a test made and nobody released: call `leakCheck()` at the top of a describe.
import * as assert from 'node:assert/strict';
import { type Disposable, type DisposableTracker, setDisposableTracker } from '../../src/base/lifecycle.js';

/** What mocha's hooks are to us; tests of the check itself pass their own. */
export interface Hooks {
	beforeEach(run: () => void): void;
	afterEach(run: () => Promise<void>): void;
}

export interface Cleanup {
	/** Disposes it after the test and before the check; gives it back. */
	readonly own: <T extends Disposable>(disposable: T) => T;
	/** Runs after the test, before what is owned is disposed. The last one runs first. */
	readonly later: (run: () => Promise<unknown>) => void;
}

/**
 * Remembers where each disposable was made until it is disposed or something else owns it. An owner that is
 * not disposed is a leak itself, so what is owned need not be followed further.
 */
export class LeakTracker implements DisposableTracker {
	private readonly open = new Map<Disposable, Error>();

	didCreate(disposable: Disposable): void {
		this.open.set(disposable, new Error(disposable.constructor.name));
	}

	didAdopt(disposable: Disposable): void {
		this.open.delete(disposable);
	}

	didDispose(disposable: Disposable): void {
		this.open.delete(disposable);
	}

	/** One text for each leak: its class, and the lines of ours that made it. */
	leaks(): string[] {
		return Array.from(this.open.values(), ({ message, stack = '' }) => {
			const frames = stack.split('\n').filter(it => it.includes(' at ') && !it.includes('node:internal'));
			// The tracker's own frame says nothing.
			return [`${message === 'Object' ? 'a disposable' : message} made`, ...frames.slice(1, 7)].join('\n');
		});
	}
}

/** Fails a test after which a disposable is left that was neither disposed nor given to an owner. */
export function leakCheck(hooks: Hooks = globalThis): Cleanup {
	let tracker = new LeakTracker();
	let owned: Disposable[] = [];
	let pending: (() => Promise<unknown>)[] = [];
	hooks.beforeEach(() => {
		tracker = new LeakTracker();
		owned = [];
		pending = [];
		setDisposableTracker(tracker);
	});
	hooks.afterEach(async () => {
		try {
			for (const run of pending.reverse()) {
				await run();
			}
			for (const disposable of owned.reverse()) {
				disposable.dispose();
			}
		} finally {
			setDisposableTracker(undefined);
		}
		const leaks = tracker.leaks();
		assert.equal(leaks.length, 0, `${leaks.length} disposables were left:\n${leaks.join('\n')}`);
	});
	return {
		own: disposable => {
			owned.push(disposable);
			return disposable;
		},
		later: run => {
			pending.push(run);
		},
	};
}
