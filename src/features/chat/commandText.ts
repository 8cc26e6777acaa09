/** PURE: what people write behind `/tool` and `/resource`: a name, and what comes after it. */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { parseSlash, typedArguments } from '../../core/search/slash.js';

export interface Named<T> {
	/** Several if they have the same name; none if the text begins with no name. */
	readonly found: readonly T[];
	/** What comes after the name. */
	readonly rest: string;
}

/** The entries with the longest of the names that the text begins with; a name may stand in quotes. */
export function takeNamed<T>(text: string, entries: readonly T[], namesOf: (entry: T) => readonly string[]): Named<T> {
	const clean = text.trim();
	const [whole = '', inQuotes] = /^"([^"]+)"/.exec(clean) ?? [];
	let best: { readonly length: number; readonly found: T[] } = { length: 0, found: [] };
	for (const entry of entries) {
		for (const name of namesOf(entry).filter(it => it !== '')) {
			const length = inQuotes === undefined ? lengthOf(clean, name) : isSame(inQuotes, name) ? whole.length : 0;
			if (length > best.length) {
				best = { length, found: [entry] };
			} else if (length > 0 && length === best.length && !best.found.includes(entry)) {
				best.found.push(entry);
			}
		}
	}
	return { found: best.found, rest: clean.slice(best.length).trim() };
}

/** How much of the text is the name; 0 if it goes on as part of the same word. */
function lengthOf(text: string, name: string): number {
	return isSame(text.slice(0, name.length), name) && /^(?:$|[\s{])/.test(text.slice(name.length)) ? name.length : 0;
}

function isSame(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

/**
 * `{"a": 1}`, or `a=1 b="two words"`, or values in the order of the tool's arguments; what the tool expects decides
 * what `1` is.
 * @returns `undefined` for what begins as JSON and is none
 */
export function parseArguments(text: string, schema: JsonObject): JsonObject | undefined {
	if (text.startsWith('{')) {
		try {
			const value: unknown = JSON.parse(text);
			return isObject(value) ? value : undefined;
		} catch {
			return undefined;
		}
	}
	const properties = isObject(schema['properties']) ? schema['properties'] : {};
	const typed = parseSlash(`x ${text}`);
	const known = typedArguments(typed, 'x', Object.keys(properties));
	// What the tool does not know is for it to refuse.
	const values = { ...Object.fromEntries(typed.named), ...known };
	return Object.fromEntries(Object.entries(values).map(([name, it]) => [name, toValue(it, properties[name])]));
}

function toValue(text: string, schema: unknown): JsonObject[string] {
	const type = isObject(schema) ? schema['type'] : undefined;
	if (type === undefined || type === 'string') {
		return text;
	}
	try {
		return JSON.parse(text) as JsonObject[string];
	} catch {
		// The check of the whole says what is wrong with it.
		return text;
	}
}
