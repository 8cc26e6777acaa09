// Time that passes only when a test says so, on every clock that our code reads.
import { mock } from 'node:test';

/** Stops the clocks at `now`, milliseconds; `mock.timers.tick` moves them, and `releaseTime` lets them run again. */
export function stopTime(now = 0): void {
	mock.timers.enable({ apis: ['setTimeout', 'Date'], now });
	mock.method(performance, 'now', () => Date.now());
}

/** Not by `restoreAll`: that puts back, again, what any earlier test has ever replaced, such as `setTimeout`. */
export function releaseTime(): void {
	mock.reset();
}
