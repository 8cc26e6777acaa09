// Comes before the tests in the bundle that Stryker runs, whose own runner has no time-out for a test.
import { configureGlobal } from 'fast-check';

configureGlobal({ seed: 1 });

/**
 * Milliseconds: a mutant that waits for ever fails the test, which costs less than a new process. Less than the 5 seconds
 * after which Stryker makes one.
 */
const longest = 4_000;

beforeEach(function () {
	this.currentTest?.timeout(longest);
});
