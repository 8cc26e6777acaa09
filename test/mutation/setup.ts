/**
 * Comes before the tests in the bundle that Stryker runs. A test that waits in vain fails here before Stryker ends its
 * process, which costs more. There must be no time-out of mocha: a test that went on after it would be told as the failure
 * of another mutant.
 */
import { configureGlobal } from 'fast-check';
import { setDeadline } from '../support/waiting.js';
import { releaseTime } from '../support/stoppedClock.js';

configureGlobal({ seed: 1 });
setDeadline(3000);

// A test that ended while it still waited has not done so.
afterEach(() => releaseTime());
