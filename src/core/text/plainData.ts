/**
 * Makes plain copies of data from other extensions or documents. Extensions in one extension host pass objects by
 * reference, so the giver can change an object later, or return another value at each read of a property.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

/** The reason why data can't be copied. */
export type PlainDataProblem =
	/** The value itself isn't an object, or is an array. */
	| 'notObject'
	/** It has a function, a symbol, `NaN`, a circular reference, or something else that JSON can't represent or read. */
	| 'notJson'
	/** It is nested too deeply, or its JSON is too long. */
	| 'tooLarge';

export class PlainDataError extends Error {
	override readonly name = 'PlainDataError';

	constructor(readonly problem: PlainDataProblem) {
		super(problem);
	}
}

/** Levels of objects and arrays. */
const maxDepth = 200;
/** UTF-16 units of JSON. */
const maxSize = 20_000_000;

/** The results of `plainObject`. They are frozen, so they needn't be copied again. */
const copies = new WeakSet<object>();

/**
 * A deep, frozen copy of JSON data, as JSON represents it. A result of an earlier call is returned unchanged.
 * @throws PlainDataError
 */
export function plainObject(value: unknown): JsonObject {
	if (isObject(value) && copies.has(value)) {
		return value;
	}
	const text = toJson(value);
	if (text.length > maxSize) {
		throw new PlainDataError('tooLarge');
	}
	const copy: unknown = JSON.parse(text);
	if (!isObject(copy)) {
		throw new PlainDataError('notObject');
	}
	freeze(copy, 1);
	copies.add(copy);
	return copy;
}

function toJson(value: unknown): string {
	try {
		return (
			JSON.stringify(value, (_, it: unknown) => {
				if (typeof it === 'function' || typeof it === 'symbol' || (typeof it === 'number' && !Number.isFinite(it))) {
					throw new PlainDataError('notJson');
				}
				return it;
			}) ?? 'null'
		);
	} catch {
		// Getters and proxies run code of the giver, which may throw anything.
		throw new PlainDataError('notJson');
	}
}

function freeze(value: unknown, depth: number): void {
	if (typeof value === 'object' && value !== null) {
		if (depth > maxDepth) {
			throw new PlainDataError('tooLarge');
		}
		Object.values(value).forEach(it => freeze(it, depth + 1));
		Object.freeze(value);
	}
}
