/**
 * The arguments of calls: plain copies of them, and the secrets in them.
 *
 * Extensions in one extension host pass objects by reference, so the giver can change an object later, or return another
 * value at each read of a property. A value is a secret if its schema marks it, if its name is that of a secret, or if it
 * looks like the key of a known service; secrets are masked before arguments are kept or shown.
 */
import { isArgumentSecret, looksLikeSecret } from '../../base/secretWords.js';
import { isObject, type JsonObject, secretPart, type SecretPart } from '../../mcp/index.js';
import { redacted } from './redactor.js';

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

/** The arguments with each secret replaced by a mark. */
export function redactedArguments(schema: JsonObject, args: JsonObject): JsonObject {
	return findSecrets(schema, args).redacted;
}

/** The arguments without the members and elements that are secrets. */
export function withoutSecretArguments(schema: JsonObject, args: JsonObject): JsonObject {
	return findSecrets(schema, args).without;
}

/**
 * The texts and numbers in the arguments that the schema marks as secret. Names don't count: the value of a name like
 * `token` can be any word, and the log of the server would lose that word.
 */
export function secretValues(schema: JsonObject, args: JsonObject): string[] {
	return findSecrets(schema, args).marked.flatMap(textsIn);
}

/** A value with marks in place of its secrets, and without its secrets: `undefined` if the whole value is a secret. */
type Masked<T = unknown> = readonly [redacted: T, without: T];

interface FoundSecrets {
	readonly redacted: JsonObject;
	readonly without: JsonObject;
	/** The values that the schema marks. */
	readonly marked: readonly unknown[];
}

function findSecrets(schema: JsonObject, args: JsonObject): FoundSecrets {
	const marked: unknown[] = [];
	const [hidden, without] = maskMembers(args, secretPart(schema), marked);
	return { redacted: hidden, without, marked };
}

function maskMembers(object: JsonObject, part: SecretPart, marked: unknown[]): Masked<JsonObject> {
	const members = Object.entries(object).map(([name, value]) => {
		const masked = mask(value, part.member(name), marked);
		return [name, value !== null && isArgumentSecret(name) ? secret : masked] as const;
	});
	return [
		Object.fromEntries(members.map(([name, [hidden]]) => [name, hidden])),
		Object.fromEntries(members.flatMap(([name, [, it]]) => (it === undefined ? [] : [[name, it]]))),
	];
}

const secret: Masked = [redacted, undefined];

function mask(value: unknown, part: SecretPart, marked: unknown[]): Masked {
	// `null` means that there is no secret.
	if (value !== null && part.isSecret) {
		marked.push(value);
		return secret;
	}
	if (Array.isArray(value)) {
		const items = value.map((it, index) => mask(it, part.item(index), marked));
		return [items.map(([hidden]) => hidden), items.flatMap(([, it]) => (it === undefined ? [] : [it]))];
	}
	if (isObject(value)) {
		return maskMembers(value, part, marked);
	}
	return typeof value === 'string' && looksLikeSecret(value) ? secret : [value, value];
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) {
		return Object.values(value).flatMap(textsIn);
	}
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
