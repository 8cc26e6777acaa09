/**
 * Masks the secrets in arguments before they are kept or shown. A value is a secret if its schema marks it, if its name is
 * that of a secret, or if it looks like the key of a known service.
 */
import { canonicalJson, isObject, type JsonObject, secretPart, type SecretPart } from '../../mcp/index.js';
import { redacted } from './redactor.js';
import { isArgumentSecret, looksLikeSecret } from './secretNames.js';

/** The arguments with each secret replaced by a mark. */
export function redactedArguments(schema: JsonObject, args: JsonObject): JsonObject {
	return maskMembers(args, secretPart(schema), { instead: redacted });
}

/** The arguments without the members and elements that are secrets. */
export function withoutSecretArguments(schema: JsonObject, args: JsonObject): JsonObject {
	return maskMembers(args, secretPart(schema), { instead: undefined });
}

/** Whether `withoutSecretArguments` removes anything. */
export function holdsSecret(schema: JsonObject, args: JsonObject): boolean {
	return canonicalJson(withoutSecretArguments(schema, args)) !== canonicalJson(args);
}

/**
 * The texts and numbers in the arguments that the schema marks as secret. Names don't count: the value of a name like
 * `token` can be any word, and the log of the server would lose that word.
 */
export function secretValues(schema: JsonObject, args: JsonObject): string[] {
	const marked: unknown[] = [];
	maskMembers(args, secretPart(schema), { instead: undefined, marked });
	return marked.flatMap(textsIn);
}

interface Masking {
	/** Replaces each secret; `undefined` removes it. */
	readonly instead: string | undefined;
	/** Gets the values that the schema marks. */
	readonly marked?: unknown[];
}

function maskMembers(object: JsonObject, part: SecretPart, how: Masking): JsonObject {
	const members = Object.entries(object).map(([name, value]) => {
		const masked = mask(value, part.member(name), how);
		return [name, value !== null && isArgumentSecret(name) ? how.instead : masked] as const;
	});
	return Object.fromEntries(members.filter(([, it]) => it !== undefined));
}

function mask(value: unknown, part: SecretPart, how: Masking): unknown {
	// `null` means that there is no secret.
	if (value !== null && part.isSecret) {
		how.marked?.push(value);
		return how.instead;
	}
	if (Array.isArray(value)) {
		return value.map((it, index) => mask(it, part.item(index), how)).filter(it => it !== undefined);
	}
	if (isObject(value)) {
		return maskMembers(value, part, how);
	}
	return typeof value === 'string' && looksLikeSecret(value) ? how.instead : value;
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) {
		return Object.values(value).flatMap(textsIn);
	}
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
