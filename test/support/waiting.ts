// Waiting for something to happen, never for time to pass. A deadline only says that it did not happen.
import { readFileSync } from 'node:fs';
import type { Event } from '../../src/base/lifecycle.js';

/** Far beyond what a slow machine needs, below mocha's limit for a test. */
const deadlineMs = 15_000;

/** Resolves with the first event that `accept` likes. */
export function next<T>(event: Event<T>, accept: (value: T) => boolean = () => true): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		const subscription = event(value => {
			if (accept(value)) {
				finish();
				resolve(value);
			}
		});
		const timer = setTimeout(() => {
			finish();
			reject(new Error(`No such event within ${deadlineMs} ms.`));
		}, deadlineMs);
		const finish = (): void => {
			clearTimeout(timer);
			subscription.dispose();
		};
	});
}

/** Resolves when `condition` holds, looking at once and then at every event. */
export async function until(changed: Event<unknown>, condition: () => boolean): Promise<void> {
	if (!condition()) {
		await next(changed, condition);
	}
}

/** Resolves when `condition` holds; for what has no event, such as a process that is gone. */
export async function eventually(
	condition: () => boolean | Promise<boolean>,
	what: string | (() => string),
): Promise<void> {
	const end = Date.now() + deadlineMs;
	while (!(await condition())) {
		if (Date.now() > end) {
			throw new Error(`Not within ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}.`);
		}
		await new Promise(resolve => {
			setTimeout(resolve, 5);
		});
	}
}

/** Lets everything that needs no timer and no input run to its end. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) {
		await new Promise(resolve => {
			setImmediate(resolve);
		});
	}
}

/** True as long as the process exists; a zombie, which only its parent can bury, does not count. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return !isZombie(pid);
}

function isZombie(pid: number): boolean {
	try {
		// "pid (name) state …": the name may contain blanks and parentheses.
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
	} catch {
		// No /proc, or gone in between.
		return false;
	}
}
