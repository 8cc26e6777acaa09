/**
 * PURE: what of a call's arguments may be written down, to be used again: never what is a secret by its name, by the
 * schema's own word, or by its looks.
 */
import { isObject, type JsonObject } from '../mcp/index.js';
import { isSecretName, looksLikeSecret } from './serverInputs.js';

/** Deeper, nothing is kept. */
const maxDepth = 30;

export function withoutSecretArguments(schema: JsonObject, args: JsonObject): JsonObject {
	const secrets = new Set<string>();
	collectSecrets(schema, schema, secrets, 0);
	return cleanObject(args, secrets, 0);
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

function cleanObject(value: JsonObject, secrets: ReadonlySet<string>, depth: number): JsonObject {
	const kept = Object.entries(value).filter(([name]) => !secrets.has(name) && !isSecretName(name));
	return Object.fromEntries(
		kept.flatMap(([name, it]) => {
			const clean = cleanValue(it, secrets, depth + 1);
			return clean === undefined ? [] : [[name, clean] as const];
		}),
	);
}

function cleanValue(value: unknown, secrets: ReadonlySet<string>, depth: number): unknown {
	if (depth > maxDepth || (typeof value === 'string' && looksLikeSecret(value))) {
		return undefined;
	}
	if (Array.isArray(value)) {
		return value.map(it => cleanValue(it, secrets, depth + 1)).filter(it => it !== undefined);
	}
	return isObject(value) ? cleanObject(value, secrets, depth) : value;
}
