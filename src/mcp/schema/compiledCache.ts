/**
 * A cache of compiled schemas: by identity, so that the same object needs one map lookup, and by canonical text, so that
 * listing the same tools again compiles nothing.
 */
import { canonicalJson } from './canonicalJson.js';

export interface CacheLimits {
	readonly entries: number;
	/** Characters of all canonical texts. */
	readonly characters: number;
}

/** Drops the least recently used entries first. */
export class CompiledCache<T extends object> {
	/** Entries live as long as their schema; the compiled values are shared with `byText`. */
	private readonly byIdentity = new WeakMap<object, T>();
	private readonly byText = new Map<string, T>();
	private characters = 0;

	constructor(private readonly limits: CacheLimits) {}

	/** The value for this object, if it was seen before. */
	known(schema: object): T | undefined {
		return this.byIdentity.get(schema);
	}

	/** The value for an equal schema, or a new one by `create`. Call `known` first. */
	get(schema: object, create: () => T): T {
		const text = canonicalJson(schema);
		const equal = this.byText.get(text);
		const entry = equal ?? create();
		this.byIdentity.set(schema, entry);
		// A map keeps the order of insertion: deleting the entry first makes it the newest.
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
