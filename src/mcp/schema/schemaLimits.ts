/** How large a schema may be. A schema beyond these limits is never looked at any further. */

export interface SchemaLimits {
	/** Values of every kind in the schema's JSON. */
	readonly nodes: number;
	/** Characters of all keys and texts. */
	readonly characters: number;
	readonly subschemas: number;
	/** Nesting of JSON. */
	readonly depth: number;
}

export const defaultLimits: SchemaLimits = { nodes: 100_000, characters: 1_000_000, subschemas: 4000, depth: 200 };

export interface ExceededLimit {
	readonly why: 'tooDeep' | 'tooLarge';
	readonly detail: string;
}

/**
 * The first limit that a schema exceeds; its subschemas are not counted here. Has a stack of its own, so depth is no
 * danger, and a cyclic value has too many nodes.
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
