/** Limits events to a number in each period, and reports how many were dropped. Each kind of event is counted on its own. */
import { clock } from './clock.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from './lifecycle.js';

export interface RateLimit {
	/** Events of one kind that pass in a period; 0 for no limit. */
	readonly max: number;
	/** Milliseconds. A period begins with an event. */
	readonly periodMs: number;
}

interface Count {
	passed: number;
	dropped: number;
}

export class RateLimiter<Kind extends string = ''> extends Owner {
	private readonly timer = this.own(new MutableDisposable<Disposable>());
	private counts = new Map<Kind | '', Count>();
	private end = -Infinity;

	/** @param onDropped called for each kind at the end of each period in which events of it were dropped */
	constructor(
		private readonly limit: RateLimit,
		private readonly onDropped: (count: number, kind: Kind | '') => void,
	) {
		super();
	}

	/**
	 * Counts an event. False if it must be dropped.
	 * @param cost the number of events that it counts as
	 */
	pass(kind: Kind | '' = '', cost = 1): boolean {
		const { max, periodMs } = this.limit;
		if (max === 0) {
			return true;
		}
		// A monotonic clock: a person can set back the time of day.
		const now = clock.elapsed();
		if (now >= this.end) {
			this.finish();
			this.end = now + periodMs;
		}
		const count = this.counts.get(kind) ?? { passed: 0, dropped: 0 };
		this.counts.set(kind, count);
		if (count.passed < max) {
			count.passed += cost;
			return true;
		}
		count.dropped++;
		if (!this.timer.value) {
			const timer = clock.setTimeout(() => this.finish(), this.end - now);
			this.timer.value = toDisposable(() => clock.clearTimeout(timer));
		}
		return false;
	}

	override dispose(): void {
		this.finish();
		super.dispose();
	}

	private finish(): void {
		const { counts } = this;
		this.timer.value = undefined;
		this.counts = new Map();
		this.end = -Infinity;
		for (const [kind, { dropped }] of counts) {
			if (dropped > 0) {
				this.onDropped(dropped, kind);
			}
		}
	}
}
