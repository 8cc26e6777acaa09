// Time that passes only when a test says so, on every clock that our code reads.
import { mock } from 'node:test';
import { settled } from './waiting.js';

/** Far beyond what a slow machine needs, below mocha's limit for a test. */
const deadlineNs = 15_000_000_000n;

/** Stops the clocks at `now`, milliseconds; `mock.timers.tick` moves them, and `releaseTime` lets them run again. */
export function stopTime(now = 0): void {
	mock.timers.enable({ apis: ['setTimeout', 'Date'], now });
	mock.method(performance, 'now', () => Date.now());
}

/** Not by `restoreAll`: that puts back, again, what any earlier test has ever replaced, such as `setTimeout`. */
export function releaseTime(): void {
	mock.reset();
}

/** Resolves when `condition` holds; for what other processes do while time is stopped. */
export async function eventuallyStopped(condition: () => boolean, what: string): Promise<void> {
	for (const end = process.hrtime.bigint() + deadlineNs; !condition();) {
		if (process.hrtime.bigint() > end) {
			throw new Error(`Not within ${deadlineNs} ns: ${what}.`);
		}
		await settled();
	}
}
