/**
 * Notices that the machine has slept, or is in another network: then sockets may be dead without a word. Nothing in
 * Node tells it, but the wall clock does, which goes on in sleep while timers (on a clock that may stop) do not.
 */
import { Emitter, type Event, toDisposable } from './lifecycle.js';

export interface WakeWatchOptions {
	/** Called before anyone else is told. */
	readonly before?: () => void;
	/** Which network the machine is in; any text that changes with it. */
	readonly network?: () => string;
	/** Milliseconds of the wall clock. */
	readonly now?: () => number;
}

const intervalMs = 1000;
/** So much later than it should have been: no busy machine, and long enough for what lies between to forget us. */
const jumpMs = 10_000;
/** Looking at the network costs more than looking at the clock. */
const ticksPerLook = 5;

/** Fires when the machine wakes up and when its network changes. Runs a timer only while someone listens. */
export function watchWake({ before, network = () => '', now = Date.now }: WakeWatchOptions): Event<void> {
	let emitter: Emitter<void> | undefined;
	let listeners = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let expected = 0;
	let ticks = 0;
	let place = '';
	const wait = (): void => {
		expected = now() + intervalMs;
		timer = setTimeout(tick, intervalMs);
	};
	const tick = (): void => {
		const hasSlept = now() - expected > jumpMs;
		const placeBefore = place;
		if (hasSlept || ++ticks % ticksPerLook === 0) {
			place = network();
		}
		// Armed first: a listener that is the last to go stops it.
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
				clearTimeout(timer);
				emitter?.dispose();
				emitter = undefined;
			}
		});
	};
}
