/**
 * Removes secrets from the arguments of a call before they are stored. A value is a secret if its name or its schema says
 * so, or if it looks like the key of a known service.
 */
import { delay } from '../../base/async.js';
import { canonicalJson, isObject, type JsonObject, secretNames, secretPart, type SecretPart } from '../../mcp/index.js';
import { redacted, Redactor } from './redactor.js';
import { isSecretName, looksLikeSecret } from './secretNames.js';

/** Levels of objects and arrays; deeper values are removed like secrets. */
const maxDepth = 30;
/** Searching the other arguments for more secrets would take too long, so all of them are replaced instead. */
const maxSecrets = 200;

/**
 * The arguments without secrets.
 * @param instead replaces each secret; if it is left out, the secret's member or element is removed
 */
export function withoutSecretArguments(schema: JsonObject, args: JsonObject, instead?: string): JsonObject {
	return clean(schema, args, { instead, byName: true, onSecret: () => undefined });
}

/**
 * The arguments without the values that the schema calls secrets, also where other arguments repeat them, and without
 * values that look like secrets. A name like `token` alone doesn't make a value a secret.
 */
export function redactedArguments(schema: JsonObject, args: JsonObject): JsonObject {
	const { cleaned, secrets } = separateSecrets(schema, args);
	if (secrets.length > maxSecrets) {
		return Object.fromEntries(Object.keys(args).map(it => [it, redacted]));
	}
	const redactor = new Redactor();
	redactor.hide(secrets);
	return redactor.data(cleaned);
}

/** Whether `withoutSecretArguments` removes anything. */
export function holdsSecret(schema: JsonObject, args: JsonObject): boolean {
	return canonicalJson(withoutSecretArguments(schema, args)) !== canonicalJson(args);
}

/** Makes the redactor hide secrets that a server is given, at most `maxSecrets` in one turn of the event loop. */
export async function hideSecretsInTurns(secrets: readonly string[], redactor: Redactor | undefined): Promise<void> {
	for (let at = 0; at < secrets.length; at += maxSecrets) {
		await (at === 0 ? undefined : delay(0));
		redactor?.hideGiven(secrets.slice(at, at + maxSecrets));
	}
}

/** The texts and numbers in the arguments that the schema calls secrets. */
export function secretValues(schema: JsonObject, args: JsonObject): string[] {
	return separateSecrets(schema, args).secrets;
}

function separateSecrets(
	schema: JsonObject,
	args: JsonObject,
): { readonly cleaned: JsonObject; readonly secrets: string[] } {
	const secrets: string[] = [];
	const onSecret = (it: unknown): void => collectTexts(it, secrets, 0);
	return { cleaned: clean(schema, args, { instead: redacted, byName: false, onSecret }), secrets };
}

interface Cleaning {
	/** Names of members that are secrets anywhere in the schema. */
	readonly names: ReadonlySet<string>;
	/** Whether a name like `token` makes a value a secret. */
	readonly byName: boolean;
	readonly instead: string | undefined;
	/** Called with each value that the schema calls a secret. */
	readonly onSecret: (value: unknown) => void;
}

function clean(schema: JsonObject, args: JsonObject, how: Omit<Cleaning, 'names'>): JsonObject {
	return cleanObject(args, secretPart(schema), { ...how, names: secretNames(schema) }, 0);
}

function cleanObject(value: JsonObject, part: SecretPart, how: Cleaning, depth: number): JsonObject {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, it]) => {
			const member = part.member(name);
			const isKnown = part.isSecret || member.isSecret || how.names.has(name);
			const cleaned = isKnown
				? hidden(it, how)
				: how.byName && it !== null && isSecretName(name)
					? how.instead
					: cleanValue(it, member, how, depth + 1);
			return cleaned === undefined ? [] : [[name, cleaned] as const];
		}),
	);
}

function cleanValue(value: unknown, part: SecretPart, how: Cleaning, depth: number): unknown {
	if (depth > maxDepth || (typeof value === 'string' && looksLikeSecret(value))) {
		return how.instead;
	}
	if (Array.isArray(value)) {
		return value
			.map((it, index) => {
				const item = part.item(index);
				return item.isSecret ? hidden(it, how) : cleanValue(it, item, how, depth + 1);
			})
			.filter(it => it !== undefined);
	}
	return isObject(value) ? cleanObject(value, part, how, depth) : value;
}

/** The replacement for a secret. `null` is kept: it means that there is none. */
function hidden(value: unknown, { instead, onSecret }: Cleaning): unknown {
	if (value === null) {
		return value;
	}
	onSecret(value);
	return instead;
}

function collectTexts(value: unknown, found: string[], depth: number): void {
	if (typeof value === 'string' || typeof value === 'number') {
		found.push(String(value));
	} else if ((Array.isArray(value) || isObject(value)) && depth <= maxDepth) {
		Object.values(value).forEach(it => collectTexts(it, found, depth + 1));
	}
}
