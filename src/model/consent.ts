/**
 * PURE: which servers a person must have seen before they start, and what is remembered of what was seen. A workspace
 * writes its own files: whoever opens it, or pulls a change into it, has not written what stands in them.
 */
import { sha256 } from '../base/hash.js';
import { canonicalJson } from '../mcp/index.js';
import type { LaunchPart, PartKind } from './launchParts.js';
import type { ConfigSource } from './serverDefinition.js';

/** A server of a workspace that nobody has allowed as it is now: not seen yet, refused, or no one may be asked. */
export class ConsentNeededError extends Error {
	override readonly name = 'ConsentNeededError';

	constructor() {
		super('Needs consent: it is new or has changed.');
	}
}

/**
 * What decides what a server runs, part by part, as hashes (SHA-256, hexadecimal): enough to know what has changed, and
 * no value is kept. A key is the kind of a part, and for parts with a name also the name: `command`, `env:TOKEN`. The
 * key `format` holds the version of the list.
 */
export type ConsentFacts = Readonly<Record<string, string>>;

/** A part that is not as it was. */
export interface ConsentChange {
	readonly part: PartKind;
	/** Of parts that have one: the variable, the header, the input, the setting. */
	readonly name: string | undefined;
	readonly how: 'added' | 'removed' | 'changed';
}

/**
 * Version of the list of parts: raised when the list gets a kind of part, so that what was allowed without it is asked
 * about once more. Facts of version 0.1.0 have none.
 */
const format = '2';

/** False for what the person has configured for themselves. */
export function needsConsent({ kind }: ConfigSource): boolean {
	switch (kind) {
		case 'vscodeFolder':
		case 'projectRoot':
		case 'workspaceFile':
			return true;
		case 'userSettings':
			return false;
	}
}

/** What is remembered of the parts. */
export async function factsOf(parts: readonly LaunchPart[]): Promise<ConsentFacts> {
	const entries = new Map<string, unknown[]>();
	for (const { part, name, compared } of parts) {
		if (compared !== undefined || part === 'input') {
			const key = name === undefined ? part : `${part}:${name}`;
			entries.set(key, [...(entries.get(key) ?? []), compared]);
		}
	}
	// Several parts may have one name.
	const hashed = await Promise.all(
		Array.from(
			entries,
			async ([key, all]) => [key, await sha256(canonicalJson(all.length > 1 ? all : all[0]))] as const,
		),
	);
	return Object.fromEntries([...hashed, ['format', format]]);
}

/** Whether the facts were kept by a version that looked at less. */
export function isOlder(facts: ConsentFacts): boolean {
	return facts['format'] !== format;
}

/** What is not as it was; nothing for the same. Of older facts, only kinds that they know of are compared. */
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
		if (isOlder(before) && !knownBefore.has(part)) {
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
