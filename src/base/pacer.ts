/** Passes things on at once, but the same thing only so often: what is asked for meanwhile is passed on once, afterwards. */
import type { Disposable } from './lifecycle.js';

/** A thing that was passed on a moment ago. */
interface Resting {
	readonly timer: ReturnType<typeof setTimeout>;
	isWanted: boolean;
}

export class Pacer<T extends object> implements Disposable {
	private readonly resting = new Map<T, Resting>();
	private isDisposed = false;

	/** @param ms between two times that the same thing is passed on; nothing is once it is disposed */
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

	/** What waits is not wanted any more. */
	drop(isMeant: (thing: T) => boolean): void {
		for (const [thing, resting] of this.resting) {
			resting.isWanted &&= !isMeant(thing);
		}
	}

	dispose(): void {
		this.isDisposed = true;
		this.resting.forEach(({ timer }) => clearTimeout(timer));
		this.resting.clear();
	}

	private passNow(things: readonly T[]): void {
		for (const it of things) {
			this.resting.set(it, { timer: setTimeout(() => this.wake(it), this.ms), isWanted: false });
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
