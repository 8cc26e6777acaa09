/**
 * Detects that the machine has resumed from sleep, or has changed its network; sockets may be dead without an error
 * then. Node has no event for either. The wall clock continues during sleep while timers may not, so a timer that
 * fires much too late shows that the machine has slept.
 */
import { clock } from './clock.js';
import { type Event, toDisposable } from './lifecycle.js';

const intervalMs = 1000;
/** Timer drift that indicates sleep rather than load. Servers and proxies may have closed connections by then. */
const jumpMs = 10_000;
/** The network is read at every fifth tick, because reading it costs more than reading the clock. */
const ticksPerRead = 5;

/**
 * Fires when the machine resumes and when its network changes. Each listener has a timer of its own.
 * @param network returns a text that identifies the machine's current network
 * @param now wall clock in milliseconds
 */
export function createResumeMonitor(network: () => string, now = (): number => clock.now()): Event<void> {
	return listener => {
		let current = network();
		let last = now();
		let ticks = 0;
		const timer = clock.setInterval(() => {
			const hasSlept = now() - last > intervalMs + jumpMs;
			last = now();
			const previous = current;
			if (hasSlept || ++ticks % ticksPerRead === 0) {
				current = network();
			}
			if (hasSlept || current !== previous) {
				listener();
			}
		}, intervalMs);
		return toDisposable(() => clock.clearInterval(timer));
	};
}
