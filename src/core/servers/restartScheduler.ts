/**
 * Restarts a server that ended unexpectedly, after growing delays. A process that ends too often within minutes isn't
 * restarted. `judgeEnd` decides.
 */
import { clock } from '../../base/clock.js';
import { assertNever } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { McpFailure } from '../../mcp/index.js';
import type { FinalOutput, ServerFailure, ServerState } from './serverState.js';

export type RestartVerdict =
	/** Restart after this delay. */
	| { readonly kind: 'again'; readonly delayMs: number }
	/** The server has ended this often within `windowMs`: give up. */
	| { readonly kind: 'loop'; readonly times: number }
	/** A restart can't help until the person has changed something. */
	| { readonly kind: 'never' };

/** Earlier ends don't count. */
const windowMs = 5 * 60_000;
const maxEnds = 5;
const firstDelayMs = 1000;
const maxProcessDelayMs = 30_000;
const maxNetworkDelayMs = 60_000;

/**
 * @param ends times of unexpected ends and failed restarts, including the last one; milliseconds
 * @param isProcess whether the server is a child process, and not a server at a URL
 */
export function judgeEnd(
	failure: ServerFailure,
	ends: readonly number[],
	now: number,
	isProcess: boolean,
): RestartVerdict {
	if (!mayPass(failure)) {
		return { kind: 'never' };
	}
	const recent = ends.filter(it => now - it < windowMs).length;
	if (isProcess && recent > maxEnds) {
		return { kind: 'loop', times: recent };
	}
	const limit = isProcess ? maxProcessDelayMs : maxNetworkDelayMs;
	return { kind: 'again', delayMs: Math.min(limit, firstDelayMs * 2 ** Math.max(0, Math.min(recent, 20) - 1)) };
}

/** Whether the reason can disappear without a change by the person. */
function mayPass(failure: ServerFailure): boolean {
	switch (failure.kind) {
		case 'exited':
			return true;
		case 'protocol':
			return mayPassOnWire(failure.failure);
		case 'refused':
		case 'variable':
		case 'unset':
		case 'notOnDisk':
		case 'envFile':
		case 'inputCommand':
		case 'other':
			return false;
		default:
			return assertNever(failure);
	}
}

function mayPassOnWire(failure: McpFailure): boolean {
	switch (failure.code) {
		case 'closed':
		case 'network':
		case 'timeout':
		case 'sessionLost':
			return true;
		case 'http':
			// Server errors, "too many requests" and time-outs pass; errors of the URL or the account don't.
			return failure.status >= 500 || failure.status === 429 || failure.status === 408;
		case 'authorization':
			// The authorization server didn't answer. All other failures need the person.
			return failure.failure.code === 'noAnswer';
		default:
			return false;
	}
}

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
		this.ends = [...this.ends.filter(it => now - it < windowMs), now];
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
			case 'never':
				return { kind: 'failed', failure, ...output };
		}
	}
}
