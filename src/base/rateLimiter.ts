/** Limits events to a number per second, and reports how many were dropped. */
import { Owner } from './lifecycle.js';
import { Period } from './period.js';

const periodMs = 1000;

export class RateLimiter extends Owner {
	private readonly period = this.own(new Period(periodMs, () => this.report()));
	private passed = 0;
	private dropped = 0;

	/**
	 * @param perSecond 0 for no limit
	 * @param onDropped called at the end of each second in which events were dropped
	 */
	constructor(
		private readonly perSecond: number,
		private readonly onDropped: (count: number) => void,
	) {
		super();
	}

	/** Counts an event. False if it must be dropped. */
	pass(): boolean {
		if (this.perSecond === 0) {
			return true;
		}
		this.period.enter();
		if (this.passed < this.perSecond) {
			this.passed++;
			return true;
		}
		this.dropped++;
		this.period.schedule();
		return false;
	}

	private report(): void {
		const { dropped } = this;
		this.passed = 0;
		this.dropped = 0;
		if (dropped > 0) {
			this.onDropped(dropped);
		}
	}
}
