/**
 * What of a call's arguments may be written down, to be used again: never what is a secret by its name, by its schema or
 * by its looks.
 */
import { delay } from '../../base/async.js';
import { canonicalJson, isObject, type JsonObject, secretNames, secretPart, type SecretPart } from '../../mcp/index.js';
import { redacted, Redactor } from './redactor.js';
import { isSecretName, looksLikeSecret } from './secretNames.js';

/** Deeper, nothing is kept. */
const maxDepth = 30;
/** To look for more secrets in the other arguments takes too long: nothing of them is kept. */
const maxSecrets = 200;

/** @param instead stands for each secret; left out, the secret is left out */
export function withoutSecretArguments(schema: JsonObject, args: JsonObject, instead?: string): JsonObject {
	return clean(schema, args, { instead, byName: true, onSecret: () => undefined });
}

/**
 * Without what the schema calls a secret, wherever else in the arguments it is repeated, and what looks like one: names
 * alone don't count.
 */
export function redactedArguments(schema: JsonObject, args: JsonObject): JsonObject {
	const secrets: string[] = [];
	const cleaned = clean(schema, args, {
		instead: redacted,
		byName: false,
		onSecret: it => collectTexts(it, secrets, 0),
	});
	if (secrets.length > maxSecrets) {
		return Object.fromEntries(Object.keys(args).map(it => [it, redacted]));
	}
	const redactor = new Redactor();
	redactor.hide(secrets);
	return redactor.data(cleaned);
}

/** Whether something of them must not be written down to be used again. */
export function holdsSecret(schema: JsonObject, args: JsonObject): boolean {
	return canonicalJson(withoutSecretArguments(schema, args)) !== canonicalJson(args);
}

/** Hides secrets that a server is given. Of many, only some in a turn of the event loop. */
export async function hideGiven(secrets: readonly string[], redactor: Redactor | undefined): Promise<void> {
	for (let at = 0; at < secrets.length; at += maxSecrets) {
		await (at === 0 ? undefined : delay(0));
		redactor?.hideGiven(secrets.slice(at, at + maxSecrets));
	}
}

/** The texts and numbers that the schema calls secrets. */
export function secretValues(schema: JsonObject, args: JsonObject): string[] {
	const found: string[] = [];
	clean(schema, args, { instead: redacted, byName: false, onSecret: it => collectTexts(it, found, 0) });
	return found;
}

interface Cleaning {
	/** Names that the schema calls secret somewhere. */
	readonly names: ReadonlySet<string>;
	/** Whether a name like `token` is enough. */
	readonly byName: boolean;
	readonly instead: string | undefined;
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

/** `null` says that there is no secret. */
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
