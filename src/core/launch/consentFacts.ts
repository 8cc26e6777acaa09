/** Hashes of what the person consented to, and the changes since then. */
import { sha256 } from '../../base/hash.js';
import { canonicalJson } from '../../mcp/index.js';
import type { LaunchPart, PartKind } from './launchParts.js';

/** Thrown if a server is new or has changed, and the person refused consent. */
export class ConsentNeededError extends Error {
	override readonly name = 'ConsentNeededError';

	constructor() {
		super('Needs consent: it is new or has changed.');
	}
}

/**
 * Hashes (SHA-256, hexadecimal) of the parts that decide what a server runs. A key is the kind of a part, followed by its
 * name if it has one: `command`, `env:TOKEN`.
 */
export type ConsentFacts = Readonly<Record<string, string>>;

/** A part that has changed since the consent. */
export interface ConsentChange {
	readonly part: PartKind;
	/** The variable, header, input, or setting; undefined for parts without a name. */
	readonly name: string | undefined;
	readonly how: 'added' | 'removed' | 'changed';
}

/** The hashes of the parts. No two parts have the same kind and name. */
export async function hashParts(parts: readonly LaunchPart[]): Promise<ConsentFacts> {
	const compared = parts.filter(it => it.compared !== undefined || it.part === 'input');
	const hashed = await Promise.all(
		compared.map(async ({ part, name, compared: value }) => {
			return [name === undefined ? part : `${part}:${name}`, await sha256(canonicalJson(value))] as const;
		}),
	);
	return Object.fromEntries(hashed);
}

/** The hashes of the variables of an environment file. */
export function envFileFacts(facts: ConsentFacts = {}): ConsentFacts {
	return Object.fromEntries(Object.entries(facts).filter(([key]) => key.startsWith('envFileValue:')));
}

/** The changed parts; empty if nothing has changed. */
export function changesOf(before: ConsentFacts, now: ConsentFacts): ConsentChange[] {
	return [...new Set([...Object.keys(now), ...Object.keys(before)])].flatMap((key): ConsentChange[] => {
		if (before[key] === now[key]) {
			return [];
		}
		const how = before[key] === undefined ? 'added' : now[key] === undefined ? 'removed' : 'changed';
		const colon = key.indexOf(':');
		const part = (colon < 0 ? key : key.slice(0, colon)) as PartKind;
		return [{ part, name: colon < 0 ? undefined : key.slice(colon + 1), how }];
	});
}
