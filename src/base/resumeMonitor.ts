/**
 * Detects that the machine has resumed from sleep, or has changed its network; sockets may be dead without an error
 * then. Node has no event for either. The wall clock continues during sleep while timers may not, so a timer that
 * fires much too late shows that the machine has slept.
 */
import { clock, type Timer } from './clock.js';
import { Emitter, type Event, toDisposable } from './lifecycle.js';

export interface ResumeMonitorOptions {
	/** Called before the listeners. */
	readonly before?: () => void;
	/** Identifies the network that the machine is in, by any text that changes with the network. */
	readonly network?: () => string;
	/** Wall clock in milliseconds. */
	readonly now?: () => number;
}

const intervalMs = 1000;
/** Timer drift that indicates sleep rather than load. Servers and proxies may have closed connections by then. */
const jumpMs = 10_000;
/** The network is read at every fifth tick, because reading it costs more than reading the clock. */
const ticksPerLook = 5;

/** Fires when the machine resumes and when its network changes. Runs a timer only while there are listeners. */
export function createResumeMonitor({
	before,
	network = () => '',
	now = () => clock.now(),
}: ResumeMonitorOptions): Event<void> {
	let emitter: Emitter<void> | undefined;
	let listeners = 0;
	let timer: Timer | undefined;
	let expected = 0;
	let ticks = 0;
	let place = '';
	const wait = (): void => {
		expected = now() + intervalMs;
		timer = clock.setTimeout(tick, intervalMs);
	};
	const tick = (): void => {
		const hasSlept = now() - expected > jumpMs;
		const placeBefore = place;
		if (hasSlept || ++ticks % ticksPerLook === 0) {
			place = network();
		}
		// Before the event is fired, because the last listener may unsubscribe during the event, which clears this
		// timer.
		wait();
		if (hasSlept || place !== placeBefore) {
			before?.();
			emitter?.fire();
		}
	};
	return listener => {
		listeners++;
		if (!emitter) {
			emitter = new Emitter<void>();
			place = network();
			wait();
		}
		const subscription = emitter.event(listener);
		return toDisposable(() => {
			subscription.dispose();
			if (--listeners === 0) {
				clock.clearTimeout(timer);
				emitter?.dispose();
				emitter = undefined;
			}
		});
	};
}
