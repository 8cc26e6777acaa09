/**
 * Processes oversized input in parts, in the order in which it was added. The work in a turn of the event loop is bounded.
 * Each call of `didReceive` processes more bytes than were received, so the queue gets shorter with each chunk.
 */

/** Input that is processed in parts. */
export interface ScanJob {
	/** No parts will be added. */
	readonly isEnded: boolean;
	/**
	 * Processes the next part: at most `maxPart` bytes, or characters of text that was kept.
	 * @returns its bytes, or undefined if there is none now
	 */
	processNext(): number | undefined;
	/** Called once, when the job has ended and all its parts have been processed. */
	finish(): void;
}

export const maxPart = 64 * 1024;
/** Bytes processed in a turn without a new chunk, and at the end of a job. */
const maxPerTurn = 256 * 1024;
/** What each part costs in addition to its bytes. */
const partCost = 32;
/** Bytes to process for each byte received: more than one, so the queue gets shorter. */
const perByte = 2;
/** Bytes to process in addition for each chunk received: they cover the cost of its parts. */
const perChunk = 256;

export class ScanQueue {
	private readonly jobs: ScanJob[] = [];
	/** Bytes that may be processed now. Negative if a part was longer than what was left. */
	private credit = 0;
	/** The first job waits for parts. */
	private isIdle = false;
	private isScheduled = false;
	private onEmpty: (() => void)[] = [];

	add(job: ScanJob): void {
		this.jobs.push(job);
	}

	/**
	 * Processes a part of the queue. Call for each chunk received, after its parts were added.
	 * @param length bytes received, or bytes added if they are more
	 * @throws what `finish` throws
	 */
	didReceive(length: number): void {
		if (this.jobs.length > 0) {
			this.credit += perByte * length + perChunk;
			this.process();
			this.processLater();
		}
	}

	/**
	 * Processes a short queue to its end. Call when a job has ended.
	 * @returns whether the queue is empty; otherwise, call `processLater`
	 * @throws what `finish` throws
	 */
	processShort(): boolean {
		this.credit = Math.max(this.credit, maxPerTurn);
		this.process();
		return this.jobs.length === 0;
	}

	/** Processes the rest in later turns of the event loop. */
	processLater(): void {
		if (this.jobs.length > 0 && !this.isScheduled && !this.isIdle) {
			this.isScheduled = true;
			setTimeout(() => {
				this.isScheduled = false;
				this.credit = maxPerTurn;
				try {
					this.process();
				} finally {
					this.processLater();
				}
			}, 0);
		}
	}

	/** Resolves when all jobs are finished. Call when all have ended. */
	async empty(): Promise<void> {
		if (!this.processShort()) {
			this.processLater();
			await new Promise<void>(resolve => this.onEmpty.push(resolve));
		}
	}

	private process(): void {
		this.isIdle = false;
		while (this.credit > 0) {
			const [job] = this.jobs;
			const bytes = job?.processNext();
			if (bytes !== undefined) {
				this.credit -= bytes + partCost;
			} else if (job?.isEnded) {
				this.jobs.shift();
				try {
					job.finish();
				} finally {
					this.tellIfEmpty();
				}
			} else {
				this.isIdle = true;
				this.credit = 0;
			}
		}
	}

	private tellIfEmpty(): void {
		if (this.jobs.length === 0) {
			this.onEmpty.splice(0).forEach(resolve => resolve());
		}
	}
}
