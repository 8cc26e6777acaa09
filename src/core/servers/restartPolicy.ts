/**
 * Decides what follows when a server ends by itself: it is started again after growing delays. Several ends within a few
 * minutes are a loop, which is left to the person; a server at a URL is given up after an hour, until the network changes.
 */
import { assertNever } from '../../base/errors.js';
import type { McpFailure } from '../../mcp/index.js';
import type { ServerFailure } from './serverState.js';

export type RestartVerdict =
	/** Try again after so many milliseconds. */
	| { readonly kind: 'again'; readonly delayMs: number }
	/** It ended so often within a short time that another start would only end the same way. */
	| { readonly kind: 'loop'; readonly times: number }
	/** It has been away for so long that nothing is tried any more by itself. */
	| { readonly kind: 'away'; readonly forMs: number }
	/** Another start cannot help before a person has changed something. */
	| { readonly kind: 'never' };

/** Ends that are longer ago count for nothing. */
const windowMs = 5 * 60_000;
const maxEnds = 5;
const firstDelayMs = 1000;
const maxProcessDelayMs = 30_000;
const maxNetworkDelayMs = 60_000;
/** A machine that wakes up or changes its network tries again whatever was given up: see `Server.wake`. */
const maxAwayMs = 60 * 60_000;

/**
 * @param ends times of unexpected ends and of starts that failed since, the last one included; milliseconds
 * @param isProcess whether it is a child process: one at a URL is given up only after a long time
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
	const forMs = now - beginOfOutage(ends, now);
	if (!isProcess && forMs >= maxAwayMs) {
		return { kind: 'away', forMs };
	}
	const limit = isProcess ? maxProcessDelayMs : maxNetworkDelayMs;
	return { kind: 'again', delayMs: Math.min(limit, firstDelayMs * 2 ** Math.max(0, Math.min(recent, 20) - 1)) };
}

/** The end since which it has not lasted for long. */
function beginOfOutage(ends: readonly number[], now: number): number {
	let begin = now;
	for (const end of ends.toReversed()) {
		if (begin - end >= windowMs) {
			break;
		}
		begin = end;
	}
	return begin;
}

/** Whether the reason may be another one the next time. */
function mayPass(failure: ServerFailure): boolean {
	switch (failure.kind) {
		case 'exited':
			return true;
		case 'protocol':
			return mayPassOnWire(failure.failure);
		case 'refused':
		case 'variable':
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
			// 5xx and "too many requests" pass; what says who we are or where we went does not.
			return failure.status >= 500 || failure.status === 429 || failure.status === 408;
		case 'authorization':
			// Its authorization server was away; everything else is for a person.
			return failure.failure.code === 'noAnswer';
		default:
			return false;
	}
}
