// Runs the suites of a window, however many windows that takes.
import type { SuiteInWindow } from '../support/suiteInWindow.js';

/**
 * Opens a window and runs these suites in it, up to the first that fails.
 * @returns how many have passed
 */
export type OpenWindow = (suites: readonly SuiteInWindow[]) => Promise<number>;

/**
 * Runs every suite; a suite that fails, or ends its window, takes no other with it: what follows has a new one.
 * @returns those that did not pass
 */
export async function runSuites(suites: readonly SuiteInWindow[], open: OpenWindow): Promise<SuiteInWindow[]> {
	const failed: SuiteInWindow[] = [];
	for (let waiting = suites; waiting.length > 0;) {
		const passed = await open(waiting);
		failed.push(...waiting.slice(passed, passed + 1));
		waiting = waiting.slice(passed + 1);
	}
	return failed;
}
