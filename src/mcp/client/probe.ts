/**
 * PURE: what came of the first message → which era the server speaks. Spec 2026-07-28, versioning: a
 * client of both eras sends `server/discover` first and judges by the answer.
 *
 * A silent process may only be slow (`npx` may first download the server), so after a while it is asked to `initialize`.
 * If it refuses that and then answers the probe after all, it is modern.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { McpFailure } from '../jsonrpc/errors.js';
import { legacyRevisions, modernRevisions } from '../wire/codec.js';

/** What came of `server/discover`. */
export type ProbeOutcome =
	| { readonly kind: 'result'; readonly result: JsonObject }
	/** A JSON-RPC error; `status` is that of HTTP, where it was an error too. */
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

/** Why an era was chosen: data for whoever shows it. */
export type EraReason =
	| { readonly code: 'configured' }
	| { readonly code: 'remembered' }
	| { readonly code: 'discovered' }
	/** The server answered with an error that only one era has, or that neither knows. */
	| { readonly code: 'error'; readonly error: number }
	| { readonly code: 'status'; readonly status: number }
	| { readonly code: 'silence' }
	| { readonly code: 'exited' }
	/** It answered, but not with what the method promises. */
	| { readonly code: 'strangeAnswer' };

export type ProbeVerdict =
	| {
			readonly kind: 'modern';
			readonly revision: string;
			/** What the server said of itself; `undefined` if it only proved its era. */
			readonly discovered: JsonObject | undefined;
			readonly reason: EraReason;
	  }
	| { readonly kind: 'legacy'; readonly reason: EraReason }
	/** It speaks the modern era and asks for this revision: try once more. */
	| { readonly kind: 'again'; readonly revision: string }
	/** Nothing can be concluded: the failure is the failure of the connection. */
	| { readonly kind: 'failed'; readonly failure: McpFailure };

const headerMismatch = -32020;
const missingCapability = -32021;
const unsupportedVersion = -32022;

/**
 * @param transport a silent or dying process is most likely a legacy server that does not survive an
 * unknown first message; a silent or missing HTTP server says nothing about its era
 * @param isRetry this was the corrective second try
 */
export function judgeProbe(outcome: ProbeOutcome, transport: 'stdio' | 'http', isRetry: boolean): ProbeVerdict {
	// Who asked for another revision speaks the modern era, however silent it is now.
	const isLegacySilence = transport === 'stdio' && !isRetry;
	switch (outcome.kind) {
		case 'result':
			return judgeDiscovered(outcome.result);
		case 'error':
			return judgeError(outcome, isRetry);
		case 'status':
			return judgeStatus(outcome.status, outcome.failure);
		case 'timeout':
			return isLegacySilence
				? { kind: 'legacy', reason: { code: 'silence' } }
				: { kind: 'failed', failure: outcome.failure };
		case 'gone':
			return isLegacySilence
				? { kind: 'legacy', reason: { code: 'exited' } }
				: { kind: 'failed', failure: outcome.failure };
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
			// Codes of a range that only MCP itself may use, and only since 2026-07-28.
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
			// "Any other error": no single code is the mark of a legacy server.
			return status === undefined || isEvidence(status)
				? { kind: 'legacy', reason }
				: { kind: 'failed', failure: { code: 'http', status, error: { code, message, data }, challenge: undefined } };
	}
}

function judgeStatus(status: number, failure: McpFailure): ProbeVerdict {
	return isEvidence(status) ? { kind: 'legacy', reason: { code: 'status', status } } : { kind: 'failed', failure };
}

/** 401, 403, 407, 429 and 5xx are said by whatever stands before the server: no evidence of an era. */
function isEvidence(status: number): boolean {
	return status < 300 || (status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status));
}

function versions(value: unknown): string[] {
	return Array.isArray(value) ? value.filter(it => typeof it === 'string') : [];
}
