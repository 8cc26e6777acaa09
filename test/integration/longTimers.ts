/** Ends long waits at once: a test that would sleep to see what silence does says when the silence is over. */
import * as assert from 'node:assert/strict';

type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

export class LongTimers {
	private readonly original: Timers = { setTimeout, clearTimeout };
	private readonly waiting = new Map<unknown, () => void>();

	/** @param ms how long the timers wait that this test ends; no other timer may be as long */
	constructor(ms: number) {
		const { setTimeout: set, clearTimeout: clear } = this.original;
		const setTimer = (callback: (...given: unknown[]) => void, after?: number, ...given: unknown[]): unknown => {
			const timer = set(callback, after, ...given);
			if (after === ms) {
				this.waiting.set(timer, () => callback(...given));
			}
			return timer;
		};
		const clearTimer = (timer: Parameters<typeof clearTimeout>[0]): void => {
			this.waiting.delete(timer);
			clear(timer);
		};
		Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer });
	}

	/** Has each of them that still waits do now what it would do at its end. */
	end(count: number): void {
		const waiting = [...this.waiting];
		assert.equal(waiting.length, count, 'timers that wait');
		for (const [timer, run] of waiting) {
			this.waiting.delete(timer);
			this.original.clearTimeout(timer as NodeJS.Timeout);
			run();
		}
	}

	dispose(): void {
		Object.assign(globalThis, this.original);
	}
}
