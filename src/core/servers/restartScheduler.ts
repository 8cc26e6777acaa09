/** Restarts a server that ended unexpectedly, with growing delays, until `restartPolicy.ts` says to give up. */
import { clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { judgeEnd } from './restartPolicy.js';
import type { FinalOutput, ServerFailure, ServerState } from './serverState.js';

export class RestartScheduler extends Owner {
	/** Times of unexpected ends and failed restarts; milliseconds since 1970. */
	private ends: number[] = [];
	private readonly pending = this.own(new MutableDisposable<Disposable>());

	/** @param restart called when a delay has passed */
	constructor(
		private readonly isProcess: boolean,
		private readonly restart: () => void,
	) {
		super();
	}

	/** Cancels a pending restart. */
	cancel(): void {
		this.pending.value = undefined;
	}

	/** Resets the failure history and cancels a pending restart. */
	reset(): void {
		this.ends = [];
		this.cancel();
	}

	/** Schedules a restart after an unexpected end, or gives up; returns the state that follows. */
	schedule(failure: ServerFailure, output: FinalOutput, log: Logger): ServerState {
		const now = clock.now();
		this.ends.push(now);
		const verdict = judgeEnd(failure, this.ends, now, this.isProcess);
		switch (verdict.kind) {
			case 'again': {
				const { delayMs } = verdict;
				log.info(`Starting again in ${delayMs / 1000} s.`);
				const timer = clock.setTimeout(this.restart, delayMs);
				this.pending.value = toDisposable(() => clock.clearTimeout(timer));
				return { kind: 'reconnecting', failure, ...output, retryAt: now + delayMs };
			}
			case 'loop':
				log.error(`It ended ${verdict.times} times within a short time, and is not started again.`);
				return { kind: 'failed', failure, ...output, times: verdict.times };
			case 'away':
				log.error(`Not reached for ${Math.round(verdict.forMs / 60_000)} minutes: no longer tried.`);
				return { kind: 'failed', failure, ...output, isAway: true };
			case 'never':
				return { kind: 'failed', failure, ...output };
		}
	}
}
