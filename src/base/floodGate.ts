/** Limits events to a number per second, and reports how many were dropped. */
import { type Disposable, toDisposable, MutableDisposable, Owner } from './lifecycle.js';

const windowMs = 1000;

export class FloodGate extends Owner {
	private readonly closing = this.own(new MutableDisposable<Disposable>());
	private windowEnd = 0;
	private passed = 0;
	private dropped = 0;

	/**
	 * @param perSecond 0 lets everything through
	 * @param onDropped told at the end of each second in which some did not pass
	 */
	constructor(
		private readonly perSecond: number,
		private readonly onDropped: (count: number) => void,
	) {
		super();
	}

	/** Whether one more may pass now. */
	pass(): boolean {
		if (this.perSecond === 0) {
			return true;
		}
		// Not the time of day, which may be set back by an hour.
		const now = performance.now();
		if (now >= this.windowEnd) {
			this.close();
			this.windowEnd = now + windowMs;
			this.passed = 0;
		}
		if (this.passed < this.perSecond) {
			this.passed++;
			return true;
		}
		this.dropped++;
		if (!this.closing.value) {
			// Nothing may follow: the count is told all the same.
			const timer = setTimeout(() => this.close(), this.windowEnd - now);
			this.closing.value = toDisposable(() => clearTimeout(timer));
		}
		return false;
	}

	/** What was dropped last is told before the end. */
	override dispose(): void {
		this.close();
		super.dispose();
	}

	private close(): void {
		const { dropped } = this;
		this.closing.value = undefined;
		this.dropped = 0;
		if (dropped > 0) {
			this.onDropped(dropped);
		}
	}
}
