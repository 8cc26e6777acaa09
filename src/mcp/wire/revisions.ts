/** The revisions that we support, and their codecs. */
import type { Codec } from './codec.js';
import { legacyCodec } from './legacy.js';
import { ModernCodec } from './modern.js';

/** Revisions of the legacy era, newest first. 2024-10-07 is treated like 2024-11-05. */
export const legacyRevisions: readonly string[] = [
	'2025-11-25',
	'2025-06-18',
	'2025-03-26',
	'2024-11-05',
	'2024-10-07',
];
/** Revisions of the modern era, newest first. */
export const modernRevisions: readonly string[] = ['2026-07-28'];

/** The newest revisions, which the client offers. */
export const latestLegacyRevision = '2025-11-25';
export const latestModernRevision = '2026-07-28';

/** The codec of a revision; `undefined` if we don't support the revision. */
export function codecFor(revision: string): Codec | undefined {
	if (modernRevisions.includes(revision)) {
		return new ModernCodec(revision);
	}
	return legacyRevisions.includes(revision) ? legacyCodec(revision) : undefined;
}
