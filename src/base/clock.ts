// The clock of all our code. Timers and the time are read here only, so that a test can put another clock in its place.

/** What `clock.setTimeout` and `clock.setInterval` return. */
export type Timer = ReturnType<typeof setTimeout>;

/** All times are in milliseconds. */
export interface Clock {
	/** Since 1970, as the system says, which a person can set back. */
	now(): number;
	/** Since some moment; never set back. */
	elapsed(): number;
	setTimeout(callback: () => void, ms?: number): Timer;
	clearTimeout(timer: Timer | undefined): void;
	setInterval(callback: () => void, ms: number): Timer;
	clearInterval(timer: Timer | undefined): void;
}

const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	setTimeout: (callback, ms) => setTimeout(callback, ms),
	clearTimeout: timer => clearTimeout(timer),
	setInterval: (callback, ms) => setInterval(callback, ms),
	clearInterval: timer => clearInterval(timer),
};

export let clock = systemClock;

/** Replaces the clock in a test; without one, the system's is used again. */
export function setClock(other: Clock = systemClock): void {
	clock = other;
}
