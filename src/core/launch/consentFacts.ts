/**
 * Says which servers need consent before they start, and finds changes since the consent by comparing hashes. Servers of a
 * workspace need consent, because the person who opens a workspace may not have written its files.
 */
import { sha256 } from '../../base/hash.js';
import { canonicalJson } from '../../mcp/index.js';
import type { LaunchPart, PartKind } from './launchParts.js';
import type { ConfigSource } from '../config/serverDefinition.js';

/** A server is new or has changed, and the person refused consent or can't be asked now. */
export class ConsentNeededError extends Error {
	override readonly name = 'ConsentNeededError';

	constructor() {
		super('Needs consent: it is new or has changed.');
	}
}

/**
 * Hashes (SHA-256, hexadecimal) of the parts that decide what a server runs. A key is the kind of a part, with the name of
 * parts that have one: `command`, `env:TOKEN`. The key `format` is the version of the list of parts.
 */
export type ConsentFacts = Readonly<Record<string, string>>;

/** A part that has changed since the consent. */
export interface ConsentChange {
	readonly part: PartKind;
	/** The variable, header, input, or setting; undefined for parts without a name. */
	readonly name: string | undefined;
	readonly how: 'added' | 'removed' | 'changed';
}

/**
 * Version of the list of parts. Raise it when a kind of part is added, so that each server needs consent again. Facts of
 * version 0.1.0 have no `format`.
 */
const format = '2';

/** Whether servers of a source need consent. Servers in the person's own settings don't. */
export function needsConsent({ kind }: ConfigSource): boolean {
	return kind !== 'userSettings';
}

/** The hashes of the parts. */
export async function hashParts(parts: readonly LaunchPart[]): Promise<ConsentFacts> {
	const entries = new Map<string, unknown[]>();
	for (const { part, name, compared } of parts) {
		if (compared !== undefined || part === 'input') {
			const key = name === undefined ? part : `${part}:${name}`;
			entries.set(key, [...(entries.get(key) ?? []), compared]);
		}
	}
	// Several parts may have the same key.
	const hashed = await Promise.all(
		Array.from(
			entries,
			async ([key, all]) => [key, await sha256(canonicalJson(all.length > 1 ? all : all[0]))] as const,
		),
	);
	return Object.fromEntries([...hashed, ['format', format]]);
}

/** Whether the facts are from a version of the extension that compared fewer parts. */
export function isFromOlderVersion(facts: ConsentFacts): boolean {
	return facts['format'] !== format;
}

/** The changed parts; empty if none are. For older facts, only the kinds of parts that they have are compared. */
export function changesOf(before: ConsentFacts, now: ConsentFacts): ConsentChange[] {
	const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
	keys.delete('format');
	return [...keys].flatMap((key): ConsentChange[] => {
		if (before[key] === now[key]) {
			return [];
		}
		const how = before[key] === undefined ? 'added' : now[key] === undefined ? 'removed' : 'changed';
		const colon = key.indexOf(':');
		const part = (colon < 0 ? key : key.slice(0, colon)) as PartKind;
		if (isFromOlderVersion(before) && !knownBefore.has(part)) {
			return [];
		}
		return [{ part, name: colon < 0 ? undefined : key.slice(colon + 1), how }];
	});
}

/** The kinds that version 0.1.0 compared. */
const knownBefore: ReadonlySet<PartKind> = new Set<PartKind>([
	...(['kind', 'command', 'args', 'cwd', 'env', 'envFile', 'debug', 'watch', 'url', 'headers', 'oauth'] as const),
	...(['input', 'config'] as const),
]);
