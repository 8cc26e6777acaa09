/**
 * PURE: which servers a person must have seen before they start, and what is remembered of what was seen. A workspace
 * writes its own files: whoever opens it, or pulls a change into it, has not written what stands in them.
 */
import { canonicalJson } from '../mcp/index.js';
import { inputsOf, valuesOf } from './inputs.js';
import type { ConfigSource, ServerDefinition } from './serverDefinition.js';
import { variablesIn } from './variables.js';

/** A server of a workspace that nobody has allowed as it is now: not seen yet, refused, or no one may be asked. */
export class ConsentNeededError extends Error {
	override readonly name = 'ConsentNeededError';

	constructor() {
		super('Needs consent: it is new or has changed.');
	}
}

/**
 * What a definition says, part by part, as hashes (SHA-256, hexadecimal): enough to know what has changed, and of no
 * value that it passes on is anything kept. A key is that of `mcp.json`, and for what has names of its own also the
 * name: `command`, `env:TOKEN`.
 */
export type ConsentFacts = Readonly<Record<string, string>>;

/** A part of a definition that is not as it was. */
export interface ConsentChange {
	readonly part: string;
	/** Of parts that have one: the variable, the header, the input, the setting. */
	readonly name: string | undefined;
	readonly how: 'added' | 'removed' | 'changed';
}

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

/** Everything a definition says that is no part of what is run. Whatever is added to definitions counts. */
const says = new Set<string>([
	'id',
	'name',
	'source',
	'offset',
	'isDisabled',
	'shadows',
	'launch',
	'inputs',
] satisfies (keyof ServerDefinition)[]);

/** Those parts that are many: each counts by its name. */
const named = new Set(['env', 'headers']);

/**
 * What the definition is now.
 * @param setting the text that `${config:…}` stands for: a workspace has settings as well as servers
 */
export async function factsOf(
	definition: ServerDefinition,
	setting: (name: string) => string | undefined,
): Promise<ConsentFacts> {
	const { launch, inputs } = definition;
	const parts = [...Object.entries(launch), ...Object.entries(definition).filter(([key]) => !says.has(key))].flatMap(
		([key, value]): [string, unknown][] =>
			named.has(key)
				? Object.entries(value as object).map(([name, it]) => [`${key}:${name}`, it])
				: value === undefined
					? []
					: [[key, value]],
	);
	for (const id of inputsOf(launch).keys()) {
		parts.push([`input:${id}`, inputs.find(it => it.id === id)]);
	}
	for (const name of settingsOf(definition)) {
		parts.push([`config:${name}`, setting(name)]);
	}
	return Object.fromEntries(await Promise.all(parts.map(async ([key, value]) => [key, await hash(value)])));
}

/** The settings that its values name, each once. */
export function settingsOf({ launch }: ServerDefinition): string[] {
	const variables = valuesOf(launch).flatMap(([, text]) => variablesIn(text));
	return [...new Set(variables)].flatMap(it => (it.startsWith('config:') ? it.slice('config:'.length) : []));
}

/** What is not as it was; nothing for the same. */
export function changesOf(before: ConsentFacts, now: ConsentFacts): ConsentChange[] {
	const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
	return [...keys].flatMap((key): ConsentChange[] => {
		if (before[key] === now[key]) {
			return [];
		}
		const how = before[key] === undefined ? 'added' : now[key] === undefined ? 'removed' : 'changed';
		const colon = key.indexOf(':');
		return [
			colon < 0 ? { part: key, name: undefined, how } : { part: key.slice(0, colon), name: key.slice(colon + 1), how },
		];
	});
}

async function hash(value: unknown): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)));
	return Array.from(new Uint8Array(digest), it => it.toString(16).padStart(2, '0')).join('');
}
