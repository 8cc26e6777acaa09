/**
 * Remembers what was compiled: by identity, so that checking a known schema costs a map lookup, and by canonical text,
 * so that listing the same tools again neither compiles again nor grows the heap.
 */
import { canonicalJson } from './canonicalJson.js';

export interface CacheLimits {
	readonly entries: number;
	/** Characters of all texts together. */
	readonly characters: number;
}

/** The least recently used go first. */
export class CompiledCache<T extends object> {
	/** Held as long as somebody else holds the schema; shares the compiled value with `byText`. */
	private readonly byIdentity = new WeakMap<object, T>();
	private readonly byText = new Map<string, T>();
	private characters = 0;

	constructor(private readonly limits: CacheLimits) {}

	/** Whether this very schema was seen before. */
	known(schema: object): boolean {
		return this.byIdentity.has(schema);
	}

	/** What was made of an equal schema, or what `create` makes of this one. */
	get(schema: object, create: () => T): T {
		const known = this.byIdentity.get(schema);
		if (known) {
			return known;
		}
		const text = canonicalJson(schema);
		const equal = this.byText.get(text);
		const entry = equal ?? create();
		this.byIdentity.set(schema, entry);
		// A map keeps the order in which keys came: deleting first makes this one the newest.
		if (equal) {
			this.byText.delete(text);
		} else {
			this.characters += text.length;
		}
		this.byText.set(text, entry);
		this.evict();
		return entry;
	}

	private evict(): void {
		for (const oldest of this.byText.keys()) {
			if (this.byText.size <= this.limits.entries && this.characters <= this.limits.characters) {
				return;
			}
			this.byText.delete(oldest);
			this.characters -= oldest.length;
		}
	}
}
