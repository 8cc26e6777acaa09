/**
 * Who owns what, and until when: disposables, stores and events. The editor has the same ideas, but
 * this room and the protocol core must run without it.
 */

/** Something that holds a resource until `dispose` is called. Calling it again does nothing. */
export interface Disposable {
	dispose(): void;
}

/** Subscribes a listener; disposing the result unsubscribes it. */
export type Event<T> = (listener: (event: T) => unknown) => Disposable;

/** Told of every disposable that is made, owned by another, or disposed: tests find leaks with it. */
export interface DisposableTracker {
	didCreate(disposable: Disposable): void;
	didAdopt(disposable: Disposable): void;
	didDispose(disposable: Disposable): void;
}

let tracker: DisposableTracker | undefined;

/** Installs the tracker of the running test; `undefined` removes it. */
export function setDisposableTracker(value: DisposableTracker | undefined): void {
	tracker = value;
}

/** Turns a function into a Disposable that calls it once. */
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

/** Owns many disposables and disposes them in reverse order, all of them even if some throw. */
export class DisposableStore implements Disposable {
	private readonly items = new Set<Disposable>();
	private disposed = false;

	constructor() {
		tracker?.didCreate(this);
	}

	get isDisposed(): boolean {
		return this.disposed;
	}

	/** Takes ownership. Added after disposal, it is disposed at once: late arrivals never leak. */
	add<T extends Disposable>(item: T): T {
		tracker?.didAdopt(item);
		if (this.disposed) {
			item.dispose();
		} else {
			this.items.add(item);
		}
		return item;
	}

	/** Disposes what is owned; the store can be used again. @throws AggregateError if any threw. */
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

/** A base for classes that own things: `this.own(…)` in the constructor. */
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

/** Owns at most one disposable; setting another disposes the one before. */
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
	/** `undefined` once it has unsubscribed. */
	call: ((event: T) => unknown) | undefined;
}

/** The firing end of an Event. A listener that throws never stops the ones after it. */
export class Emitter<T> implements Disposable {
	/** Never changed in place: whoever fires goes on with the list it began with, and need not copy it. */
	private listeners: readonly Listener<T>[] = [];
	private disposed = false;

	/** @param onError receives what listeners throw; without it the error is reported as uncaught. */
	constructor(private readonly onError: (error: unknown) => void = reportUncaught) {
		tracker?.didCreate(this);
	}

	/** False lets the firing side skip the work of building the event. */
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

	/** Reaches who listened when it began, unless they have unsubscribed by the time it is their turn. */
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
