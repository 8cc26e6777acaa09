/**
 * What differs on the wire between the two eras, behind one interface: the legacy era (revisions up to
 * 2025-11-25, which begin with `initialize`) and the modern one (2026-07-28, where every request carries
 * who asks and in which revision). Everything above speaks neutral methods and results.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import { LegacyCodec } from './legacy.js';
import { ModernCodec } from './modern.js';
import type { Implementation, LoggingLevel } from './types.js';

export type Era = 'legacy' | 'modern';

/** Revisions of the legacy era, newest first. 2024-10-07 is treated as 2024-11-05. */
export const legacyRevisions: readonly string[] = [
	'2025-11-25',
	'2025-06-18',
	'2025-03-26',
	'2024-11-05',
	'2024-10-07',
];
/** Revisions of the modern era, newest first. */
export const modernRevisions: readonly string[] = ['2026-07-28'];

/** The first of each: what we offer. */
export const latestLegacyRevision = '2025-11-25';
export const latestModernRevision = '2026-07-28';

/** What the modern era states with every request. */
export interface Sender {
	readonly clientInfo: Implementation;
	readonly capabilities: JsonObject;
	/** The log messages wanted for this request; `undefined` for none. */
	readonly logLevel: LoggingLevel | undefined;
}

/** Parameters as they go on the wire, and the headers that HTTP must carry with them. */
export interface Encoded {
	readonly params: JsonObject;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What a result means. */
export type Decoded =
	| { readonly kind: 'complete'; readonly result: JsonObject }
	/** Modern era: answer these, then ask again with the answers and the state. */
	| { readonly kind: 'inputRequired'; readonly requests: JsonObject; readonly state: string | undefined }
	/** The work goes on as a task. */
	| { readonly kind: 'task'; readonly task: JsonObject }
	| { readonly kind: 'invalid'; readonly why: string };

export interface Codec {
	readonly era: Era;
	readonly revision: string;
	/** Whether the server may send us requests; without it they are dropped unanswered. */
	readonly acceptsRequests: boolean;
	/** Whether several messages may come in one array. */
	readonly acceptsBatches: boolean;
	/** @param sender asked only where a request states who sends it */
	encodeRequest(method: string, params: JsonObject, sender: () => Sender): Encoded;
	encodeNotification(method: string, params: JsonObject): Encoded;
	decodeResult(result: JsonObject): Decoded;
}

/** The codec of a revision that we speak; `undefined` for any other. */
export function codecFor(revision: string): Codec | undefined {
	if (modernRevisions.includes(revision)) {
		return new ModernCodec(revision);
	}
	return legacyRevisions.includes(revision) ? new LegacyCodec(revision) : undefined;
}
