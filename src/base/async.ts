/**
 * Promises, timers and waits that can be cancelled: every helper takes an AbortSignal, has a time limit, or returns
 * something to dispose.
 */
import { clock, type Timer } from './clock.js';
import { AbortError } from './errors.js';
import { type Disposable, type Event, toDisposable } from './lifecycle.js';

/** A promise with the two functions that settle it. */
export interface Deferred<T> {
	readonly promise: Promise<T>;
	resolve(value: T): void;
	reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
	let resolve!: (value: T) => void;
	let reject!: (error: unknown) => void;
	const promise = new Promise<T>((onResolve, onReject) => {
		resolve = onResolve;
		reject = onReject;
	});
	return { promise, resolve, reject };
}

/**
 * Settles as `promise` does, or rejects with AbortError as soon as `signal` aborts. An abort does not stop the work
 * behind the promise; a later rejection of the promise is ignored.
 */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) {
		return promise;
	}
	return new Promise<T>((resolve, reject) => {
		// The promise may never settle, so the abort settles the result and removes the listener.
		const stop = (): void => reject(new AbortError());
		if (signal.aborted) {
			stop();
		} else {
			signal.addEventListener('abort', stop, { once: true });
		}
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}

/**
 * Calls `listener` once when `signal` aborts, or at once if the signal has aborted already. Disposing the result
 * removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
	if (signal.aborted) {
		listener();
		return { dispose() {} };
	}
	signal.addEventListener('abort', listener, { once: true });
	return toDisposable(() => signal.removeEventListener('abort', listener));
}

/** Settles as `promise` does if that happens within `ms` milliseconds; otherwise resolves with `undefined`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
	let timer: Timer | undefined;
	const expired = new Promise<undefined>(resolve => {
		timer = clock.setTimeout(() => resolve(undefined), ms);
	});
	try {
		return await Promise.race([promise, expired]);
	} finally {
		clock.clearTimeout(timer);
	}
}

/**
 * Calls `find` at once and at each event, and resolves with the first value that it returns. Resolves with
 * `undefined` if there is none within `ms` milliseconds.
 * @param find called without an event the first time
 */
export function firstFound<E, T>(
	event: Event<E>,
	find: (event?: E) => T | undefined,
	ms: number,
): Promise<T | undefined> {
	const first = deferred<T>();
	const check = (it?: E): void => {
		const found = find(it);
		if (found !== undefined) {
			first.resolve(found);
		}
	};
	const subscription = event(check);
	check();
	return within(first.promise, ms).finally(() => subscription.dispose());
}

/** Resolves after `ms` milliseconds. @throws AbortError as soon as `signal` aborts */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = clock.setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, ms);
		const stop = (): void => {
			clock.clearTimeout(timer);
			reject(new AbortError());
		};
		if (signal?.aborted) {
			stop();
		} else {
			signal?.addEventListener('abort', stop, { once: true });
		}
	});
}

/** Delays a call. Each `schedule` restarts the delay, so that a burst leads to one call. */
export interface Debounced extends Disposable {
	/** @param afterMs replaces the default delay, in milliseconds */
	schedule(afterMs?: number): void;
	/** Drops the pending call. `schedule` can be called again. */
	cancel(): void;
}

/** The caller disposes the result, which drops the pending call for good. */
export function debounce(ms: number, call: () => void): Debounced {
	let timer: Timer | undefined;
	let disposed = false;
	return {
		schedule(afterMs = ms) {
			clock.clearTimeout(timer);
			if (!disposed) {
				timer = clock.setTimeout(call, afterMs);
			}
		},
		cancel() {
			clock.clearTimeout(timer);
		},
		dispose() {
			disposed = true;
			clock.clearTimeout(timer);
		},
	};
}

/** Runs tasks one after another, in the order of `run`. A task runs even if the one before failed. */
export class Sequencer {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * @param signal rejects the result at once; a task that has not begun is skipped
	 * @throws AbortError as soon as `signal` aborts
	 */
	run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const begin = (): Promise<T> => (signal?.aborted ? Promise.reject(new AbortError()) : task());
		const result = this.last.then(begin, begin);
		this.last = result.catch(() => undefined);
		return signal ? raceAbort(result, signal) : result;
	}
}
