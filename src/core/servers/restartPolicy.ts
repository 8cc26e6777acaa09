/**
 * Decides whether and when a server that ended unexpectedly is restarted: after growing delays, until it has ended too
 * often within minutes (a process), or hasn't been reachable for an hour (a server at a URL).
 */
import { assertNever } from '../../base/errors.js';
import type { McpFailure } from '../../mcp/index.js';
import type { ServerFailure } from './serverState.js';

export type RestartVerdict =
	/** Restart after this delay. */
	| { readonly kind: 'again'; readonly delayMs: number }
	/** The server has ended this often within `windowMs`: give up. */
	| { readonly kind: 'loop'; readonly times: number }
	/** The server hasn't been reachable for this long: give up until the network changes. */
	| { readonly kind: 'away'; readonly forMs: number }
	/** A restart can't help until the person has changed something. */
	| { readonly kind: 'never' };

/** Earlier ends don't count. */
const windowMs = 5 * 60_000;
const maxEnds = 5;
const firstDelayMs = 1000;
const maxProcessDelayMs = 30_000;
const maxNetworkDelayMs = 60_000;
/** After a wake-up or a change of the network, `Server.wake` tries again. */
const maxAwayMs = 60 * 60_000;

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
	const forMs = now - beginOfOutage(ends, now);
	if (!isProcess && forMs >= maxAwayMs) {
		return { kind: 'away', forMs };
	}
	const limit = isProcess ? maxProcessDelayMs : maxNetworkDelayMs;
	return { kind: 'again', delayMs: Math.min(limit, firstDelayMs * 2 ** Math.max(0, Math.min(recent, 20) - 1)) };
}

/** The first of the latest ends between which the server never ran for `windowMs`. */
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

/** Whether the reason can disappear without a change by the person. */
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
			// Server errors, "too many requests" and time-outs pass; errors of the URL or the account don't.
			return failure.status >= 500 || failure.status === 429 || failure.status === 408;
		case 'authorization':
			// The authorization server didn't answer. All other failures need the person.
			return failure.failure.code === 'noAnswer';
		default:
			return false;
	}
}
