// Time that passes only when a test says so, on the one clock that our code reads.
import { type Clock, clock, setClock, type Timer } from '../../src/base/clock.js';

interface Waiting {
	readonly callback: () => void;
	readonly everyMs: number | undefined;
	at: number;
}

class StoppedClock implements Clock {
	/** In the order in which they were set. */
	private readonly timers = new Map<Timer, Waiting>();

	constructor(
		private readonly system: Clock,
		public time: number,
	) {}

	now(): number {
		return this.time;
	}

	elapsed(): number {
		return this.time;
	}

	setTimeout(callback: () => void, ms = 0): Timer {
		return this.add({ callback, everyMs: undefined, at: this.time + ms });
	}

	setInterval(callback: () => void, ms: number): Timer {
		return this.add({ callback, everyMs: ms, at: this.time + ms });
	}

	/** Timers that were set before the time was stopped end as well. */
	clearTimeout(timer: Timer | undefined): void {
		if (timer !== undefined && !this.timers.delete(timer)) {
			this.system.clearTimeout(timer);
		}
	}

	clearInterval(timer: Timer | undefined): void {
		this.clearTimeout(timer);
	}

	/** Runs what is due by the present time, the earliest first. */
	run(): void {
		for (let next = this.due(); next; next = this.due()) {
			const [timer, waiting] = next;
			if (waiting.everyMs === undefined) {
				this.timers.delete(timer);
			} else {
				waiting.at += waiting.everyMs;
			}
			waiting.callback();
		}
	}

	waits(): number[] {
		return Array.from(this.timers.values(), it => it.at - this.time);
	}

	private due(): [Timer, Waiting] | undefined {
		const all = [...this.timers].filter(([, it]) => it.at <= this.time);
		return all.toSorted(([, a], [, b]) => a.at - b.at)[0];
	}

	private add(waiting: Waiting): Timer {
		const timer = { unref: () => timer } as unknown as Timer;
		this.timers.set(timer, waiting);
		return timer;
	}
}

let stopped: StoppedClock | undefined;

/** Stops the clock at `now`, milliseconds. `releaseTime` lets it run again. */
export function stopTime(now = 0): void {
	setClock();
	stopped = new StoppedClock(clock, now);
	setClock(stopped);
}

/** Lets `ms` milliseconds pass at once: what is due then runs with the time at their end. */
export function passTime(ms: number): void {
	setTime(stoppedClock().time + ms);
}

/** Sets the stopped clock, and runs what is due. */
export function setTime(now: number): void {
	stoppedClock().time = now;
	stoppedClock().run();
}

/** The milliseconds after which each timer that waits runs, in the order in which they were set. */
export function waitingTimers(): number[] {
	return stoppedClock().waits();
}

/** Timers that still wait never run. */
export function releaseTime(): void {
	stopped = undefined;
	setClock();
}

function stoppedClock(): StoppedClock {
	if (!stopped) {
		throw new Error('The time is not stopped.');
	}
	return stopped;
}
