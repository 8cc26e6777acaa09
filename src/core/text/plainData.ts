/**
 * Plain copies of data that another extension or a document has given. Inside one extension host objects are handed over
 * by reference: whoever gave one can change it later, or answer differently each time a property is read.
 * JSON.parse(JSON.stringify()) can't replace it: a `toJSON` or JSON.rawJSON would put in what no replacer has seen.
 */
import type { JsonObject } from '../../mcp/index.js';

/** What cannot be copied. */
export type PlainDataProblem =
	/** Not an object with properties at the top. */
	| { readonly code: 'notObject' }
	/** A function, a symbol, a date, `NaN` or anything else that JSON has no word for. */
	| { readonly code: 'notJson'; readonly type: string }
	| { readonly code: 'cyclic' }
	/** A property could not be read. */
	| { readonly code: 'unreadable' }
	| { readonly code: 'tooDeep'; readonly max: number }
	| { readonly code: 'tooLarge'; readonly max: number };

export class PlainDataError extends Error {
	override readonly name = 'PlainDataError';

	constructor(readonly problem: PlainDataProblem) {
		super(problem.code);
	}
}

/** Levels of objects and arrays. */
const maxDepth = 200;
/** Characters of names and texts, and `valueSize` for every value. */
const maxSize = 20_000_000;
const valueSize = 64;

/** What `plainObject` has made: nobody can change it, so it need not be copied again. */
const copies = new WeakSet<object>();

/**
 * A deep, frozen copy of JSON data: own enumerable properties, each read once. Members that are `undefined` are left out,
 * as JSON does. A copy that was made here before is returned as it is.
 * @throws PlainDataError
 */
export function plainObject(value: unknown): JsonObject {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new PlainDataError({ code: 'notObject' });
	}
	if (copies.has(value)) {
		return value as JsonObject;
	}
	try {
		return new Copying().copy(value, 0) as JsonObject;
	} catch (error) {
		// Getters and proxies run code of whoever made them.
		throw error instanceof PlainDataError ? error : new PlainDataError({ code: 'unreadable' });
	}
}

class Copying {
	private size = 0;
	/** The objects around the one that is copied. */
	private readonly around = new Set<object>();

	copy(value: unknown, depth: number): unknown {
		this.count(valueSize + (typeof value === 'string' ? value.length : 0));
		switch (typeof value) {
			case 'string':
			case 'boolean':
				return value;
			case 'number':
				if (!Number.isFinite(value)) {
					throw new PlainDataError({ code: 'notJson', type: String(value) });
				}
				// JSON has one zero.
				return value === 0 ? 0 : value;
			case 'object':
				return value === null ? null : this.copyObject(value, depth);
			default:
				throw new PlainDataError({ code: 'notJson', type: typeof value });
		}
	}

	private copyObject(value: object, depth: number): object {
		if (this.around.has(value)) {
			throw new PlainDataError({ code: 'cyclic' });
		}
		if (depth >= maxDepth) {
			throw new PlainDataError({ code: 'tooDeep', max: maxDepth });
		}
		this.around.add(value);
		const copy = Array.isArray(value) ? this.copyArray(value, depth) : this.copyMembers(value, depth);
		this.around.delete(value);
		if (depth === 0) {
			copies.add(copy);
		}
		return Object.freeze(copy);
	}

	private copyArray(value: readonly unknown[], depth: number): unknown[] {
		const { length } = value;
		// A proxy may say anything of its length, and the size of what is copied is limited by it.
		if (!Number.isSafeInteger(length) || length < 0) {
			throw new PlainDataError({ code: 'notJson', type: 'object' });
		}
		this.count(length);
		return Array.from({ length }, (_, index) => this.copy(value[index], depth + 1));
	}

	private copyMembers(value: object, depth: number): object {
		const type = typeOf(value);
		if (type !== undefined) {
			throw new PlainDataError({ code: 'notJson', type });
		}
		const copy = {};
		for (const key of Object.keys(value)) {
			const member = (value as Readonly<Record<string, unknown>>)[key];
			if (member !== undefined) {
				this.count(key.length);
				// An assignment to `__proto__` would change the prototype instead.
				Object.defineProperty(copy, key, { value: this.copy(member, depth + 1), enumerable: true });
			}
		}
		return copy;
	}

	private count(size: number): void {
		this.size += size;
		if (this.size > maxSize) {
			throw new PlainDataError({ code: 'tooLarge', max: maxSize });
		}
	}
}

/** What the object is an instance of; `undefined` for a plain one, of whichever realm. */
function typeOf(value: object): string | undefined {
	const prototype: unknown = Object.getPrototypeOf(value);
	const isPlain = typeof prototype !== 'object' || prototype === null || Object.getPrototypeOf(prototype) === null;
	return isPlain ? undefined : Object.prototype.toString.call(value).slice(8, -1);
}
