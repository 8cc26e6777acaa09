/** Detects a server that keeps the processor busy with messages for seconds. A burst, such as a long list, doesn't count. */
import { clock } from '../../base/clock.js';

/** Messages in a busy second. Usual servers send far fewer. */
const busyPerSecond = 2000;
/** A message counts as one, plus one for this many characters. */
const charsPerMessage = 10_000;
/** Busy seconds in a row. */
const busySeconds = 5;
const secondMs = 1000;

export class MessageRate {
	private secondEnd = -Infinity;
	private count = 0;
	private seconds = 0;
	private hasFired = false;

	/** @param onBusy called once */
	constructor(private readonly onBusy: () => void) {}

	/** Counts a message of `length` characters. */
	add(length: number): void {
		if (this.hasFired) {
			return;
		}
		// Monotonic: the time of day can be set back.
		const now = clock.elapsed();
		if (now >= this.secondEnd) {
			const isNext = now < this.secondEnd + secondMs;
			this.seconds = isNext && this.count >= busyPerSecond ? this.seconds + 1 : 0;
			this.secondEnd = isNext ? this.secondEnd + secondMs : now + secondMs;
			this.count = 0;
			if (this.seconds >= busySeconds) {
				this.hasFired = true;
				this.onBusy();
				return;
			}
		}
		this.count += 1 + length / charsPerMessage;
	}
}
