/**
 * Parses JSON from outside. `jsonc-parser` and most code that walks a parsed value recurse once per level, so the length
 * and the depth of a text are checked before it is parsed. No function of this file throws.
 */
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { textLimits } from '../../mcp/index.js';

/** The limit that a text exceeds, and the offset in UTF-16 units where it does. */
export type JsonExcess =
	| { readonly code: 'tooLong'; readonly maxLength: number; readonly offset: number }
	| { readonly code: 'tooDeep'; readonly maxDepth: number; readonly offset: number };

/** Levels of objects and arrays: deeper than any text that people write, and far below the limit of the stack. */
const maxDepth = 256;

/**
 * Finds the limit that a JSON text, with or without comments, exceeds. Accepts any text, and takes linear time.
 * @param maxLength in UTF-16 units
 */
export function findJsonExcess(text: string, maxLength: number): JsonExcess | undefined {
	if (text.length > maxLength) {
		return { code: 'tooLong', maxLength, offset: maxLength };
	}
	const scanner = createScanner(text, true);
	// A closing bracket that doesn't match is ignored, as the parser does.
	const closing: string[] = [];
	for (let offset = 0; offset < text.length;) {
		scanner.scan();
		offset = scanner.getTokenOffset();
		// A bracket here is a token, because strings begin with a quote and comments are skipped.
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

/** The tree of a JSON text. There is no root if the text has no value or exceeds a limit. */
export interface BoundedTree {
	readonly root: Node | undefined;
	/** The first mistake. The tree has the values before and after it. */
	readonly error: ParseError | undefined;
	readonly excess: JsonExcess | undefined;
}

/** Parses JSON in which comments and trailing commas are allowed. */
export function parseBoundedTree(text: string, maxLength: number = textLimits.configFile): BoundedTree {
	const excess = findJsonExcess(text, maxLength);
	if (excess) {
		return { root: undefined, error: undefined, excess };
	}
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	return { root, error: errors[0], excess };
}
