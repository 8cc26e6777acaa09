/**
 * Decides from the response to the first message which era a server speaks. Spec 2026-07-28, versioning: a client of
 * both eras sends `server/discover` first.
 *
 * A silent server may only be slow (`npx` may have to download a process), so it is asked to `initialize` after a
 * while. One that refuses that and answers a second probe is modern.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { McpFailure } from '../jsonrpc/errors.js';
import { legacyRevisions, modernRevisions } from '../wire/revisions.js';

/** The outcome of `server/discover`. */
export type ProbeOutcome =
	| { readonly kind: 'result'; readonly result: JsonObject }
	/** A JSON-RPC error; `status` is the HTTP status if that was an error too. */
	| {
			readonly kind: 'error';
			readonly code: number;
			readonly message?: string;
			readonly data: unknown;
			readonly status: number | undefined;
	  }
	/** An HTTP status without a JSON-RPC error in its body. */
	| { readonly kind: 'status'; readonly status: number; readonly failure: McpFailure }
	| { readonly kind: 'timeout'; readonly failure: McpFailure }
	/** The process ended, or the server could not be reached. */
	| { readonly kind: 'gone'; readonly failure: McpFailure };

/** Why an era was chosen, as data. */
export type EraReason =
	| { readonly code: 'configured' | 'remembered' | 'discovered' | 'silence' | 'exited' }
	/** The server answered with an error that only one era has, or that neither era defines. */
	| { readonly code: 'error'; readonly error: number }
	| { readonly code: 'status'; readonly status: number }
	/** The result lacks the members that the method requires. */
	| { readonly code: 'strangeAnswer' };

export type ProbeVerdict =
	| {
			readonly kind: 'modern';
			readonly revision: string;
			/** The result of `server/discover`; `undefined` if the server answered with an error. */
			readonly discovered: JsonObject | undefined;
			readonly reason: EraReason;
	  }
	| { readonly kind: 'legacy'; readonly reason: EraReason }
	/** The server is modern and asks for this revision: probe once more. */
	| { readonly kind: 'again'; readonly revision: string }
	/** The era is unknown because the connection failed. */
	| { readonly kind: 'failed'; readonly failure: McpFailure };

const headerMismatch = -32020;
const missingCapability = -32021;
const unsupportedVersion = -32022;

/**
 * @param transport a dying process is most likely a legacy server that cannot handle an unknown first message; an HTTP
 * server that is not there says nothing about its era
 * @param isRetry whether this was the second probe
 */
export function judgeProbe(outcome: ProbeOutcome, transport: 'stdio' | 'http', isRetry: boolean): ProbeVerdict {
	switch (outcome.kind) {
		case 'result':
			return judgeDiscovered(outcome.result);
		case 'error':
			return judgeError(outcome, isRetry);
		case 'status':
			return judgeStatus(outcome, isRetry);
		case 'timeout':
		case 'gone': {
			const isTimeout = outcome.kind === 'timeout';
			// A server that has asked for another revision is modern, even if it is silent now.
			return !isRetry && (isTimeout || transport === 'stdio')
				? { kind: 'legacy', reason: { code: isTimeout ? 'silence' : 'exited' } }
				: { kind: 'failed', failure: outcome.failure };
		}
	}
}

function judgeDiscovered(result: JsonObject): ProbeVerdict {
	const supported = versions(result['supportedVersions']);
	const revision = modernRevisions.find(it => supported.includes(it));
	if (revision !== undefined) {
		return { kind: 'modern', revision, discovered: result, reason: { code: 'discovered' } };
	}
	if (supported.length === 0 || supported.some(it => legacyRevisions.includes(it))) {
		return { kind: 'legacy', reason: { code: supported.length === 0 ? 'strangeAnswer' : 'discovered' } };
	}
	return { kind: 'failed', failure: { code: 'unsupportedVersion', version: supported.join(', ') } };
}

function judgeError(outcome: Extract<ProbeOutcome, { kind: 'error' }>, isRetry: boolean): ProbeVerdict {
	const { code, message = '', data, status } = outcome;
	const reason: EraReason = { code: 'error', error: code };
	switch (code) {
		case headerMismatch:
		case missingCapability:
			// Only MCP may use this range of codes, and only since 2026-07-28.
			return { kind: 'modern', revision: modernRevisions[0] ?? '', discovered: undefined, reason };
		case unsupportedVersion: {
			const supported = versions(isObject(data) ? data['supported'] : undefined);
			const revision = modernRevisions.find(it => supported.includes(it));
			if (revision !== undefined && !isRetry) {
				return { kind: 'again', revision };
			}
			return revision === undefined && supported.some(it => legacyRevisions.includes(it))
				? { kind: 'legacy', reason }
				: { kind: 'failed', failure: { code: 'unsupportedVersion', version: supported.join(', ') } };
		}
		default:
			// Spec: "Any other error" means legacy; no particular code marks a legacy server.
			return status === undefined || isEvidence(status, isRetry)
				? { kind: 'legacy', reason: status !== undefined && status >= 500 ? { code: 'status', status } : reason }
				: { kind: 'failed', failure: { code: 'http', status, error: { code, message, data }, challenge: undefined } };
	}
}

function judgeStatus({ status, failure }: Extract<ProbeOutcome, { kind: 'status' }>, isRetry: boolean): ProbeVerdict {
	// A server that says how long it is busy knows what it was asked.
	const isBusy = failure.code === 'http' && failure.retryAfterMs !== undefined;
	return !isBusy && isEvidence(status, isRetry)
		? { kind: 'legacy', reason: { code: 'status', status } }
		: { kind: 'failed', failure };
}

/**
 * 401, 403, 407 and 429 may come from a proxy in front of the server, so they say nothing about its era. Neither do
 * 5xx, but many legacy servers fail so at a method that they don't know (rust-sdk#1142): `initialize` has to decide.
 */
function isEvidence(status: number, isRetry: boolean): boolean {
	if (status >= 500) {
		return !isRetry;
	}
	return status < 300 || (status >= 400 && ![401, 403, 407, 429].includes(status));
}

function versions(value: unknown): string[] {
	return Array.isArray(value) ? value.filter(it => typeof it === 'string') : [];
}
