/** When a server that ended by itself is started again, later and later, and when no more: see `restartPolicy.ts`. */
import type { Logger } from '../../base/log.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { judgeEnd } from './restartPolicy.js';
import type { LastWords, ServerFailure, ServerState } from './serverState.js';

export class Comebacks extends Owner {
	/** When it ended without being asked to, or did not come back; milliseconds. */
	private ends: number[] = [];
	private readonly waiting = this.own(new MutableDisposable<Disposable>());

	/** @param begin starts it again */
	constructor(
		private readonly isProcess: boolean,
		private readonly begin: () => void,
	) {
		super();
	}

	/** It is not started again by itself now. */
	cancel(): void {
		this.waiting.value = undefined;
	}

	/** Somebody wants it to run, or everything is different now: what was before counts for nothing. */
	forget(): void {
		this.ends = [];
		this.cancel();
	}

	/** It ended: waits, or gives it up; the state that follows. */
	afterEnd(failure: ServerFailure, words: LastWords, log: Logger): ServerState {
		const now = Date.now();
		this.ends.push(now);
		const verdict = judgeEnd(failure, this.ends, now, this.isProcess);
		switch (verdict.kind) {
			case 'again': {
				const { delayMs } = verdict;
				log.info(`Starting again in ${delayMs / 1000} s.`);
				const timer = setTimeout(this.begin, delayMs);
				this.waiting.value = toDisposable(() => clearTimeout(timer));
				return { kind: 'reconnecting', failure, ...words, retryAt: now + delayMs };
			}
			case 'loop':
				log.error(`It ended ${verdict.times} times within a short time, and is not started again.`);
				return { kind: 'failed', failure, ...words, times: verdict.times };
			case 'away':
				log.error(`Not reached for ${Math.round(verdict.forMs / 60_000)} minutes: no longer tried.`);
				return { kind: 'failed', failure, ...words, isAway: true };
			case 'never':
				return { kind: 'failed', failure, ...words };
		}
	}
}
