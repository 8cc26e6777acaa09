/**
 * Makes plain copies of data from other extensions or documents. Extensions in one extension host pass objects by
 * reference, so the giver can change an object later, or return another value at each read of a property.
 * JSON.parse(JSON.stringify()) isn't enough: `toJSON` and JSON.rawJSON could insert values that weren't checked.
 */
import type { JsonObject } from '../../mcp/index.js';

/** The reason why data can't be copied. */
export type PlainDataProblem =
	/** The value itself isn't an object, or is an array. */
	| { readonly code: 'notObject' }
	/** A function, a symbol, a date, `NaN`, or another value that JSON can't represent. */
	| { readonly code: 'notJson'; readonly type: string }
	| { readonly code: 'cyclic' }
	/** Reading a property failed. */
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
/** Characters of names and texts, plus `valueSize` for every value. */
const maxSize = 20_000_000;
const valueSize = 64;

/** The results of `plainObject`. They are frozen, so they needn't be copied again. */
const copies = new WeakSet<object>();

/**
 * A deep, frozen copy of JSON data: own enumerable properties, each read once. Members that are `undefined` are left out,
 * as JSON does. A result of an earlier call is returned unchanged.
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
		// Getters and proxies run code of the giver, which may throw anything.
		throw error instanceof PlainDataError ? error : new PlainDataError({ code: 'unreadable' });
	}
}

class Copying {
	private size = 0;
	/** The objects that contain the one that is being copied. */
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
		// A proxy may return any value as its length, which limits the size of the copy.
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

/** The class of an object; `undefined` for a plain object of any realm. */
function typeOf(value: object): string | undefined {
	const prototype: unknown = Object.getPrototypeOf(value);
	const isPlain = typeof prototype !== 'object' || prototype === null || Object.getPrototypeOf(prototype) === null;
	return isPlain ? undefined : Object.prototype.toString.call(value).slice(8, -1);
}
