/** Passes things on at once, but each only once in an interval. Requests within the interval are passed on at its end. */
import { clock, type Timer } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';

/** A thing that was passed on within the interval. */
interface Resting {
	readonly timer: Timer;
	isWanted: boolean;
}

export class Throttler<T extends object> implements Disposable {
	private readonly resting = new Map<T, Resting>();
	private isDisposed = false;

	/** @param ms the interval in milliseconds */
	constructor(
		private readonly ms: number,
		private readonly pass: (things: readonly T[]) => void,
	) {}

	ask(things: readonly T[]): void {
		if (this.isDisposed) {
			return;
		}
		const due: T[] = [];
		for (const it of things) {
			const resting = this.resting.get(it);
			if (resting) {
				resting.isWanted = true;
			} else {
				due.push(it);
			}
		}
		this.passNow(due);
	}

	/** Cancels waiting requests. */
	drop(isMeant: (thing: T) => boolean): void {
		for (const [thing, resting] of this.resting) {
			resting.isWanted &&= !isMeant(thing);
		}
	}

	dispose(): void {
		this.isDisposed = true;
		this.resting.forEach(({ timer }) => clock.clearTimeout(timer));
		this.resting.clear();
	}

	private passNow(things: readonly T[]): void {
		for (const it of things) {
			this.resting.set(it, { timer: clock.setTimeout(() => this.wake(it), this.ms), isWanted: false });
		}
		if (things.length > 0) {
			this.pass(things);
		}
	}

	private wake(thing: T): void {
		const isWanted = this.resting.get(thing)?.isWanted === true;
		this.resting.delete(thing);
		if (isWanted) {
			this.passNow([thing]);
		}
	}
}
