/** Which schemas are checked: their dialects and sizes. */

/** A dialect of JSON Schema that values are checked against. */
export type Dialect = 'draft-07' | '2020-12';

/**
 * The dialect of a `$schema`; `undefined` if it is unknown. Spec 2025-11-25, basic: "default to JSON Schema 2020-12" if
 * `$schema` is absent.
 */
export function dialectOf(uri: unknown): Dialect | undefined {
	if (uri === undefined) {
		return '2020-12';
	}
	const match =
		typeof uri === 'string' && /^https?:\/\/json-schema\.org\/(?:(draft-07)|draft\/(2020-12))\/schema#?$/.exec(uri);
	if (!match) {
		return undefined;
	}
	return match[1] === undefined ? '2020-12' : 'draft-07';
}

export interface SchemaLimits {
	/** JSON values of every kind. */
	readonly nodes: number;
	/** Characters of all keys and texts. */
	readonly characters: number;
	readonly subschemas: number;
	/** Nesting of JSON. */
	readonly depth: number;
}

export const defaultSchemaLimits: SchemaLimits = {
	nodes: 100_000,
	characters: 1_000_000,
	subschemas: 4000,
	depth: 200,
};

export interface ExceededLimit {
	readonly why: 'tooDeep' | 'tooLarge';
	readonly detail: string;
}

/**
 * The first limit that a schema exceeds, except `subschemas`. Not recursive, so deep nesting is safe; a cyclic value
 * exceeds a limit.
 */
export function findExceededLimit(root: unknown, limits: SchemaLimits): ExceededLimit | undefined {
	const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
	let nodes = 0;
	let characters = 0;
	for (let next = stack.pop(); next; next = stack.pop()) {
		const { value, depth } = next;
		nodes++;
		if (typeof value === 'string') {
			characters += value.length;
		} else if (typeof value === 'object' && value !== null) {
			if (depth >= limits.depth) {
				return { why: 'tooDeep', detail: `more than ${limits.depth} levels` };
			}
			const isArray = Array.isArray(value);
			const keys = isArray ? value.keys() : Object.keys(value);
			for (const key of keys) {
				if (typeof key === 'string') {
					characters += key.length;
				}
				stack.push({ value: (value as Readonly<Record<string | number, unknown>>)[key], depth: depth + 1 });
				if (stack.length + nodes > limits.nodes) {
					break;
				}
			}
		}
		if (stack.length + nodes > limits.nodes || characters > limits.characters) {
			return { why: 'tooLarge', detail: `more than ${limits.nodes} values or ${limits.characters} characters` };
		}
	}
	return undefined;
}
