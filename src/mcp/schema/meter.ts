/**
 * Limits the work of one check. A small schema can demand exponential work (thirty definitions, each an `allOf` with two
 * references to the next), and a compiled validator can't be interrupted from outside.
 */
import { clock } from '../../base/clock.js';

/** Stops a compiled validator. Never leaves the engine. */
export class TooCostlyError extends Error {
	override readonly name = 'TooCostlyError';
}

/** Milliseconds for one check, whatever its units are. */
const maxMs = 400;
/** Units between two readings of the clock. */
const lookEvery = 10_000;

/**
 * Counts units. One unit is about the work for one subschema at one place of the value, which takes 10 ns (the type of a
 * number) to 500 ns (a failing branch of `anyOf`, a format).
 */
export class Meter {
	private left = 0;
	private nextLook = 0;
	private deadline = 0;

	/** Starts a check with a budget of `units`. */
	reset(units: number): void {
		this.left = units;
		this.nextLook = units - lookEvery;
		this.deadline = clock.elapsed() + maxMs;
	}

	/** @throws TooCostlyError when the units or the time are used up */
	readonly spend = (units: number): void => {
		this.left -= units;
		if (this.left < 0) {
			throw new TooCostlyError();
		}
		if (this.left < this.nextLook) {
			this.nextLook = this.left - lookEvery;
			if (clock.elapsed() > this.deadline) {
				throw new TooCostlyError();
			}
		}
	};
}
