// Chance that can be had again: the same seed, the same choices.

export class Random {
	constructor(private state: number) {}

	/** From 0, below `limit`: a whole number. */
	below(limit: number): number {
		// mulberry32: small, and good enough to choose by.
		this.state = (this.state + 0x6d2b79f5) | 0;
		let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
		return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
	}

	/** @throws RangeError if there is nothing to pick from */
	pick<T>(from: readonly T[]): T {
		const index = this.below(from.length);
		if (!(index in from)) {
			throw new RangeError('nothing to pick from');
		}
		return from[index] as T;
	}
}
