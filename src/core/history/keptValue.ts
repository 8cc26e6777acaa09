/** Shortens arguments and results of any size for the history. */
import type { JsonObject } from '../../mcp/index.js';

/** Values up to this many characters of JSON are kept unchanged. */
export const maxWhole = 100_000;
/** In larger values: the characters of each text, the entries of each list or object, and the levels that are kept. */
const maxText = 500;
const maxItems = 50;
const maxDepth = 20;

/** Characters after a cut that are redacted too, so that a secret which the cut divides is recognized. */
const margin = 10_000;

export interface KeptValue {
	readonly value: JsonObject;
	/** Whether the value was shortened. */
	readonly isCut: boolean;
}

/** Redacts a value, and shortens it if it is large. */
export function keepSmall(value: object, redact: <T>(value: T) => T): KeptValue {
	const isCut = !isSmall(value);
	const cutText = (text: string): string =>
		text.length > maxText ? `${redact(text.slice(0, maxText + margin)).slice(0, maxText)}…` : text;
	// Texts are redacted before they are cut, and all of the value afterwards: keys and numbers too.
	const kept = isCut ? cut(value, 0, cutText) : value;
	return { value: redact(kept as JsonObject), isCut };
}

function isSmall(value: object): boolean {
	try {
		return JSON.stringify(value).length <= maxWhole;
	} catch {
		// Nested deeper than the stack, or longer than a text can be.
		return false;
	}
}

function cut(value: unknown, depth: number, text: (value: string) => string): unknown {
	if (typeof value === 'string') {
		return text(value);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (depth >= maxDepth) {
		return '…';
	}
	if (Array.isArray(value)) {
		const kept = value.slice(0, maxItems).map(it => cut(it, depth + 1, text));
		return value.length > maxItems ? [...kept, '…'] : kept;
	}
	const entries = Object.entries(value);
	const kept = entries.slice(0, maxItems).map(([key, it]) => [text(key), cut(it, depth + 1, text)] as const);
	return Object.fromEntries(entries.length > maxItems ? [...kept, ['…', '…']] : kept);
}
