// Runs the test files or suites of an editor window, in as many windows as that takes.

/** Opens a window, and runs these in it up to the first that fails. @returns how many have passed */
export type OpenWindow<T> = (items: readonly T[]) => Promise<number>;

/**
 * Runs all of them. One that fails is run once more, at once, in a new window; the rest goes on there, or in another new
 * window if it fails again.
 * @returns those that failed twice
 */
export async function runInWindows<T>(items: readonly T[], open: OpenWindow<T>): Promise<T[]> {
	const failed: T[] = [];
	let retried: T | undefined;
	for (let waiting = items; waiting.length > 0;) {
		const passed = await open(waiting);
		waiting = waiting.slice(passed);
		const [first] = waiting;
		if (first !== undefined && passed === 0 && first === retried) {
			failed.push(first);
			waiting = waiting.slice(1);
		}
		retried = first;
	}
	return failed;
}
