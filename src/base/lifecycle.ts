/**
 * Disposables, their owners, and events. VS Code has the same concepts, but this folder and the protocol core must
 * run without VS Code.
 */

/** Holds a resource until `dispose` is called. Further calls do nothing. */
export interface Disposable {
	dispose(): void;
}

/** Subscribes a listener until the result is disposed. */
export type Event<T> = (listener: (event: T) => unknown) => Disposable;

/** Receives every disposable that is created, gets an owner, or is disposed. Tests find leaks with it. */
export interface DisposableTracker {
	didCreate(disposable: Disposable): void;
	didAdopt(disposable: Disposable): void;
	didDispose(disposable: Disposable): void;
}

let tracker: DisposableTracker | undefined;

/** Installs the tracker of a test; `undefined` removes it. */
export function setDisposableTracker(value: DisposableTracker | undefined): void {
	tracker = value;
}

/** A Disposable that calls the function once. */
export function toDisposable(dispose: () => void): Disposable {
	let pending: (() => void) | undefined = dispose;
	const result: Disposable = {
		dispose() {
			const run = pending;
			pending = undefined;
			tracker?.didDispose(result);
			run?.();
		},
	};
	tracker?.didCreate(result);
	return result;
}

/** Owns disposables. Disposes them in reverse order, all of them even if some throw. */
export class DisposableStore implements Disposable {
	private readonly items = new Set<Disposable>();
	private disposed = false;

	constructor() {
		tracker?.didCreate(this);
	}

	get isDisposed(): boolean {
		return this.disposed;
	}

	/** Takes ownership of the item. If the store is disposed already, disposes the item at once. */
	add<T extends Disposable>(item: T): T {
		tracker?.didAdopt(item);
		if (this.disposed) {
			item.dispose();
		} else {
			this.items.add(item);
		}
		return item;
	}

	/** Disposes all items; the store can still be used. @throws AggregateError if any item threw */
	clear(): void {
		const items = [...this.items].reverse();
		this.items.clear();
		const errors: unknown[] = [];
		for (const item of items) {
			try {
				item.dispose();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) {
			throw new AggregateError(errors, 'Some resources could not be released.');
		}
	}

	dispose(): void {
		if (!this.disposed) {
			this.disposed = true;
			tracker?.didDispose(this);
			this.clear();
		}
	}
}

/** Base class for classes that own disposables: `this.own(…)` in an initializer or in the constructor. */
export abstract class Owner implements Disposable {
	protected readonly owned = new DisposableStore();

	constructor() {
		tracker?.didAdopt(this.owned);
		tracker?.didCreate(this);
	}

	protected own<T extends Disposable>(item: T): T {
		return this.owned.add(item);
	}

	dispose(): void {
		tracker?.didDispose(this);
		this.owned.dispose();
	}
}

/** Owns at most one disposable. Setting another one disposes the previous one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
	private current: T | undefined;
	private disposed = false;

	constructor() {
		tracker?.didCreate(this);
	}

	get value(): T | undefined {
		return this.current;
	}

	set value(next: T | undefined) {
		if (next === this.current) {
			return;
		}
		const before = this.current;
		this.current = undefined;
		before?.dispose();
		if (next) {
			tracker?.didAdopt(next);
			if (this.disposed) {
				next.dispose();
			} else {
				this.current = next;
			}
		}
	}

	dispose(): void {
		this.disposed = true;
		tracker?.didDispose(this);
		this.value = undefined;
	}
}

interface Listener<T> {
	/** `undefined` after the listener has unsubscribed. */
	call: ((event: T) => unknown) | undefined;
}

/** Fires an Event. A listener that throws does not stop the listeners after it. */
export class Emitter<T> implements Disposable {
	/** Replaced at each change, never modified, so `fire` can iterate over it without a copy. */
	private listeners: readonly Listener<T>[] = [];
	private disposed = false;

	/** @param onError receives what listeners throw; by default it is thrown as an uncaught error */
	constructor(private readonly onError: (error: unknown) => void = reportUncaught) {
		tracker?.didCreate(this);
	}

	/** Lets the owner skip the work of building an event without listeners. */
	get hasListeners(): boolean {
		return this.listeners.length > 0;
	}

	readonly event: Event<T> = call => {
		const listener: Listener<T> = { call };
		if (!this.disposed) {
			this.listeners = [...this.listeners, listener];
		}
		return toDisposable(() => {
			listener.call = undefined;
			this.listeners = this.listeners.filter(it => it !== listener);
		});
	};

	/**
	 * Calls the listeners that were subscribed when `fire` was called, except those that have unsubscribed before
	 * their turn.
	 */
	fire(event: T): void {
		const { listeners } = this;
		for (const listener of listeners) {
			try {
				listener.call?.(event);
			} catch (error) {
				this.onError(error);
			}
		}
	}

	dispose(): void {
		this.disposed = true;
		tracker?.didDispose(this);
		for (const listener of this.listeners) {
			listener.call = undefined;
		}
		this.listeners = [];
	}
}

function reportUncaught(error: unknown): void {
	queueMicrotask(() => {
		throw error;
	});
}
