/** Periods of a fixed length for limits of rates. A period begins with an event, and ends even if no further event follows. */
import { type Disposable, MutableDisposable, Owner, toDisposable } from './lifecycle.js';

export class Period extends Owner {
	private readonly timer = this.own(new MutableDisposable<Disposable>());
	private end = -Infinity;

	/** @param onEnd called when a period ends, also by disposal, and before the first one */
	constructor(
		private readonly ms: number,
		private readonly onEnd: () => void,
	) {
		super();
	}

	/** To be called for each event, before it is counted: begins a period if the last one is over. */
	enter(): void {
		// Monotonic: the time of day can be set back.
		const now = performance.now();
		if (now >= this.end) {
			this.finish();
			this.end = now + this.ms;
		}
	}

	/** Makes `onEnd` be called in time. Without it, the period ends with the first event after it. */
	schedule(): void {
		if (!this.timer.value) {
			const timer = setTimeout(() => this.finish(), this.end - performance.now());
			this.timer.value = toDisposable(() => clearTimeout(timer));
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
