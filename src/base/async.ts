/** Waiting, with an end: every helper here takes an AbortSignal or returns something to dispose. */
import { AbortError } from './errors.js';
import { type Disposable, type Event, toDisposable } from './lifecycle.js';

/** A promise and the two functions that settle it. */
export interface Deferred<T> {
	readonly promise: Promise<T>;
	resolve(value: T): void;
	reject(error: unknown): void;
}

/** Makes a Deferred. */
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
 * Settles as `promise` does, or rejects with AbortError as soon as `signal` aborts. The promise itself
 * goes on; its late failure is handled here.
 */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) {
		return promise;
	}
	return new Promise<T>((resolve, reject) => {
		// The promise may never settle: the abort is the end of the wait too.
		const stop = (): void => reject(new AbortError());
		if (signal.aborted) {
			stop();
		} else {
			signal.addEventListener('abort', stop, { once: true });
		}
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}

/** @throws AbortError if `signal` has aborted */
export function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) {
		throw new AbortError();
	}
}

/** Calls `listener` once when `signal` aborts, at once if it already has. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
	if (signal.aborted) {
		listener();
		return { dispose() {} };
	}
	signal.addEventListener('abort', listener, { once: true });
	return toDisposable(() => signal.removeEventListener('abort', listener));
}

/** Settles as `promise` does if that happens within `ms` milliseconds; otherwise gives `undefined`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const expired = new Promise<undefined>(resolve => {
		timer = setTimeout(resolve, ms, undefined);
	});
	try {
		return await Promise.race([promise, expired]);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * What `find` finds: it is asked at once, and at each event. `undefined` if nothing is found within `ms` milliseconds.
 * @param find is given no event when it is asked at once
 */
export function firstFound<E, T>(
	event: Event<E>,
	find: (event?: E) => T | undefined,
	ms: number,
): Promise<T | undefined> {
	const first = deferred<T>();
	const look = (it?: E): void => {
		const found = find(it);
		if (found !== undefined) {
			first.resolve(found);
		}
	};
	const subscription = event(look);
	look();
	return within(first.promise, ms).finally(() => subscription.dispose());
}

/** Resolves after `ms` milliseconds. @throws AbortError as soon as `signal` aborts */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, ms);
		const stop = (): void => {
			clearTimeout(timer);
			reject(new AbortError());
		};
		if (signal?.aborted) {
			stop();
		} else {
			signal?.addEventListener('abort', stop, { once: true });
		}
	});
}

/** A call that happens once, `ms` milliseconds after the last time it was asked for. */
export interface Debounced extends Disposable {
	schedule(): void;
	/** Drops the call that is waiting. */
	cancel(): void;
}

/** Makes a Debounced; disposing it drops the call that is waiting. */
export function debounce(ms: number, call: () => void): Debounced {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let disposed = false;
	return {
		schedule() {
			clearTimeout(timer);
			if (!disposed) {
				timer = setTimeout(call, ms);
			}
		},
		cancel() {
			clearTimeout(timer);
		},
		dispose() {
			disposed = true;
			clearTimeout(timer);
		},
	};
}

/** Runs tasks one after another, in the order they were given; a failure does not stop the next. */
export class Sequencer {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * @param signal gives up the wait at once; a task whose turn comes later is not begun
	 * @throws AbortError as soon as `signal` aborts
	 */
	run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const begin = (): Promise<T> => (signal?.aborted ? Promise.reject(new AbortError()) : task());
		const result = this.last.then(begin, begin);
		this.last = result.catch(() => undefined);
		return signal ? raceAbort(result, signal) : result;
	}
}
