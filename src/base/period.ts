/**
 * Periods of a fixed length, for rate limits. A period begins with an event. It ends after its time, even if no
 * further event follows.
 */
import { clock } from './clock.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from './lifecycle.js';

export class Period extends Owner {
	private readonly timer = this.own(new MutableDisposable<Disposable>());
	private end = -Infinity;

	/** @param onEnd called when a period ends, when the Period is disposed, and once before the first period */
	constructor(
		private readonly ms: number,
		private readonly onEnd: () => void,
	) {
		super();
	}

	/** To be called for each event before the event is counted. Begins a new period if the last one is over. */
	enter(): void {
		// A monotonic clock: a person can set back the time of day.
		const now = clock.elapsed();
		if (now >= this.end) {
			this.finish();
			this.end = now + this.ms;
		}
	}

	/** Makes the current period end after its time. Without this call, it ends with the first event after its time. */
	schedule(): void {
		if (!this.timer.value) {
			const timer = clock.setTimeout(() => this.finish(), this.end - clock.elapsed());
			this.timer.value = toDisposable(() => clock.clearTimeout(timer));
		}
	}

	override dispose(): void {
		this.finish();
		super.dispose();
	}

	private finish(): void {
		this.timer.value = undefined;
		this.end = -Infinity;
		this.onEnd();
	}
}
