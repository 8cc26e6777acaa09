/**
 * Reads JSON that others wrote. `jsonc-parser` and everything that walks a parsed value recurse once per level, so the
 * length and the depth of a text are checked before it is parsed. Nothing here throws.
 */
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { textLimits } from '../../mcp/index.js';

export interface JsonBounds {
	/** In UTF-16 units. */
	readonly maxLength: number;
	/** Objects and arrays inside each other. */
	readonly maxDepth: number;
}

/** Why a text is not parsed; `offset` is in UTF-16 units, where the limit is passed. */
export type JsonExcess =
	| { readonly code: 'tooLong'; readonly maxLength: number; readonly offset: number }
	| { readonly code: 'tooDeep'; readonly maxDepth: number; readonly offset: number };

/** Deeper than anything people write; the stack holds many times that. */
export const maxJsonDepth = 256;

export const configBounds: JsonBounds = { maxLength: textLimits.configFile, maxDepth: maxJsonDepth };

/** What keeps a text, JSON or JSON with comments, from being parsed. Linear in the text, which may be anything. */
export function findJsonExcess(text: string, { maxLength, maxDepth }: JsonBounds): JsonExcess | undefined {
	if (text.length > maxLength) {
		return { code: 'tooLong', maxLength, offset: maxLength };
	}
	const scanner = createScanner(text, true);
	// A closing bracket that fits nothing closes nothing: the parser passes over it as well.
	const closing: string[] = [];
	for (let offset = 0; offset < text.length;) {
		scanner.scan();
		offset = scanner.getTokenOffset();
		// Strings begin with a quote, and comments are passed over: a bracket here is one.
		const first = text[offset];
		if (first === '{' || first === '[') {
			closing.push(first === '{' ? '}' : ']');
			if (closing.length > maxDepth) {
				return { code: 'tooDeep', maxDepth, offset };
			}
		} else if (first !== undefined && first === closing.at(-1)) {
			closing.pop();
		}
	}
	return undefined;
}

/** The tree of a JSON text; without a root where there is none, or where it exceeds a limit. */
export interface BoundedTree {
	readonly root: Node | undefined;
	/** The first mistake; what stands before and behind it was read. */
	readonly error: ParseError | undefined;
	readonly excess: JsonExcess | undefined;
}

/** Reads JSON in which comments and trailing commas are allowed. */
export function parseBoundedTree(text: string, bounds: JsonBounds = configBounds): BoundedTree {
	const excess = findJsonExcess(text, bounds);
	if (excess) {
		return { root: undefined, error: undefined, excess };
	}
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	return { root, error: errors[0], excess };
}

/** The value of a text, or why there is none. */
export type BoundedJson = { readonly value: unknown } | { readonly problem: JsonExcess | { readonly code: 'syntax' } };

/** Reads strict JSON. */
export function parseBoundedJson(text: string, bounds: JsonBounds = configBounds): BoundedJson {
	const excess = findJsonExcess(text, bounds);
	if (excess) {
		return { problem: excess };
	}
	try {
		return { value: JSON.parse(text) };
	} catch {
		return { problem: { code: 'syntax' } };
	}
}
