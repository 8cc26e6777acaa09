/**
 * PURE: what of a call's arguments may be written down, to be used again: never what is a secret by its name, by the
 * schema's own word, or by its looks.
 */
import { canonicalJson, isObject, type JsonObject } from '../mcp/index.js';
import { redacted } from './redactor.js';
import { isSecretName, looksLikeSecret } from './serverInputs.js';

/** Deeper, nothing is kept. */
const maxDepth = 30;

/** @param instead stands for each secret; left out, the secret is left out */
export function withoutSecretArguments(schema: JsonObject, args: JsonObject, instead?: string): JsonObject {
	const secrets = new Set<string>();
	collectSecrets(schema, schema, secrets, 0);
	return cleanObject(args, { secrets, instead, byName: true }, 0);
}

/** Names of all properties, wherever they stand, that the schema calls passwords or never to be read. */
function collectSecrets(part: unknown, root: JsonObject, names: Set<string>, depth: number): void {
	if (depth > maxDepth || typeof part !== 'object' || part === null) {
		return;
	}
	if (isObject(part) && isObject(part['properties'])) {
		for (const [name, property] of Object.entries(part['properties'])) {
			if (isSecretSchema(property, root)) {
				names.add(name);
			}
		}
	}
	for (const it of Object.values(part)) {
		collectSecrets(it, root, names, depth + 1);
	}
}

function isSecretSchema(property: unknown, root: JsonObject): boolean {
	let schema = property;
	for (let hops = 0; hops < 8 && isObject(schema); hops++) {
		const { format, writeOnly, $ref } = schema;
		if (format === 'password' || writeOnly === true) {
			return true;
		}
		schema = typeof $ref === 'string' && $ref.startsWith('#/') ? follow($ref, root) : undefined;
	}
	return false;
}

function follow(ref: string, root: JsonObject): unknown {
	return ref
		.slice(2)
		.split('/')
		.map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
}

/** Only what the schema itself calls a secret, or what looks like one: of names nobody can be sure. */
export function redactedArguments(schema: JsonObject, args: JsonObject): JsonObject {
	const secrets = new Set<string>();
	collectSecrets(schema, schema, secrets, 0);
	return cleanObject(args, { secrets, instead: redacted, byName: false }, 0);
}

/** Whether something of them must not be written down to be used again. */
export function holdsSecret(schema: JsonObject, args: JsonObject): boolean {
	return canonicalJson(withoutSecretArguments(schema, args)) !== canonicalJson(args);
}

interface Cleaning {
	readonly secrets: ReadonlySet<string>;
	/** Whether a name like `token` is enough. */
	readonly byName: boolean;
	readonly instead: string | undefined;
}

function cleanObject(value: JsonObject, how: Cleaning, depth: number): JsonObject {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, it]) => {
			const isSecret = how.secrets.has(name) || (how.byName && isSecretName(name));
			const clean = isSecret ? how.instead : cleanValue(it, how, depth + 1);
			return clean === undefined ? [] : [[name, clean] as const];
		}),
	);
}

function cleanValue(value: unknown, how: Cleaning, depth: number): unknown {
	if (depth > maxDepth || (typeof value === 'string' && looksLikeSecret(value))) {
		return how.instead;
	}
	if (Array.isArray(value)) {
		return value.map(it => cleanValue(it, how, depth + 1)).filter(it => it !== undefined);
	}
	return isObject(value) ? cleanObject(value, how, depth) : value;
}
