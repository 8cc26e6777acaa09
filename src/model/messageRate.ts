/** Notices a server that keeps the processor busy with messages: not one that says much at once, as in a long list. */

/** In a second: messages, each with so many more as it is long. Ordinary servers stay far below at all times. */
const busyPerSecond = 2000;
const charsPerMessage = 10_000;
/** Seconds in a row. */
const busySeconds = 5;
const secondMs = 1000;

export class MessageRate {
	private secondEnd = -Infinity;
	private count = 0;
	private seconds = 0;
	private isTold = false;

	/** @param onBusy called once */
	constructor(private readonly onBusy: () => void) {}

	/** A message of so many characters has come. */
	add(length: number): void {
		if (this.isTold) {
			return;
		}
		// Not the time of day, which may be set back by an hour.
		const now = performance.now();
		if (now >= this.secondEnd) {
			const isNext = now < this.secondEnd + secondMs;
			this.seconds = isNext && this.count >= busyPerSecond ? this.seconds + 1 : 0;
			this.secondEnd = isNext ? this.secondEnd + secondMs : now + secondMs;
			this.count = 0;
			if (this.seconds >= busySeconds) {
				this.isTold = true;
				this.onBusy();
				return;
			}
		}
		this.count += 1 + length / charsPerMessage;
	}
}
