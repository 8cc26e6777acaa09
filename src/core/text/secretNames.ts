/** Guesses which names and values are secrets or placeholders, for warnings, and to leave secrets out of records. */

const plainSecret = /token|secret|passw|pwd|api[-_.]?key|access[-_.]?key|private[-_.]?key|credential|authori[sz]ation/i;
const secretKey = new RegExp(`${plainSecret.source}|(^|[-_.])(key|pat|auth)$`, 'i');
const harmlessKey =
	/[-_.](file|path|url|uri|endpoint|id|limit|limits|mode|type|name|region|count|size|ttl|timeout|dir|host|port)$|tokens$|(page|continuation|sync)[-_.]?token$/i;
const knownSecret =
	/^(sk-|sk_|pk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|eyJ[\w-]+\.|ntn_|secret_|pat[-_]|fc-|tvly-|hf_|npm_|lin_|dop_|figd_|SG\.)[\w.-]{12,}$/;

/** Whether a name contains a word for a secret. True also for `token_file`, whose value isn't a secret. */
export function mentionsSecret(name: string): boolean {
	return secretKey.test(name);
}

/** Whether the value of a name is probably a secret. */
export function isSecretName(name: string): boolean {
	return secretKey.test(name) && !harmlessKey.test(name);
}

/** Whether an argument of a tool is a secret by its name. `key` alone isn't one: tools use it for names. */
export function isArgumentSecret(name: string): boolean {
	return plainSecret.test(name) && !harmlessKey.test(name);
}

/** Whether a text has the form of a secret of a known service. */
export function looksLikeSecret(text: string): boolean {
	return knownSecret.test(text);
}

interface FoundSecret {
	/** UTF-16 units; `end` is exclusive. */
	readonly start: number;
	readonly end: number;
	readonly why: 'placeholder' | 'secret';
	/** Whether the value should be masked while it is typed. */
	readonly password: boolean;
}

/**
 * The part of a configured value that shouldn't stay in a file: a placeholder, or a text that looks like a secret.
 * @param key the name of the value
 */
export function findSecret(text: string, key: string): FoundSecret | undefined {
	const scheme = /^(bearer|basic|token|apikey)\s+(?=\S)/i.exec(text)?.[0].length ?? 0;
	const value = text.slice(scheme);
	const isSecretKey = isSecretName(key);
	// A value with `${env:KEY}` or `${input:key}` has no secret in the file; one with a default value can have.
	if (value.trim() === '' || /\$\{[^{}]*\}/.test(value.replace(/\$\{\w+:-[^{}]*\}/g, ''))) {
		return undefined;
	}
	const inner = /<[A-Za-z][^<>]*>/.exec(value);
	if (inner) {
		const start = scheme + inner.index;
		const password = isSecretKey || secretKey.test(inner[0]);
		return { start, end: start + inner[0].length, why: 'placeholder', password };
	}
	if (isPlaceholder(value)) {
		const password = isSecretKey || secretKey.test(value.replace(/[^\w]+/g, '_'));
		return { start: scheme, end: text.length, why: 'placeholder', password };
	}
	const isSecret = isSecretKey && !/^(true|false|\d{1,6}|none|null|oauth|bearer)$/i.test(value);
	return isSecret || knownSecret.test(value) || (scheme > 0 && value.length >= 8) || isRandom(value)
		? { start: scheme, end: text.length, why: 'secret', password: true }
		: undefined;
}

/** Characters; a longer value isn't a placeholder. */
const maxPlaceholder = 500;

function isPlaceholder(value: string): boolean {
	if (value.length > maxPlaceholder) {
		return false;
	}
	const words = value.replace(/[\s_.-]+/g, ' ').trim();
	return (
		/^<[^<>]+>$/.test(value) ||
		/^(\{\{[^{}]+\}\}|\{[A-Za-z_ -]+\}|\[[A-Za-z_ -]+\]|\$\{\w+:-[^}]*\})$/.test(value) ||
		isFiller(value) ||
		/\b(your|yours)\b/i.test(words) ||
		/^(insert|enter|put|replace|paste|add|change)\b.*\b(me|this|here|key|token|secret|password)$/i.test(words) ||
		/^(my|the|an?|some) ((super )?secret )?(\w+ )?(api key|key|token|secret|password)$/i.test(words) ||
		/^(api key|api token|access token|changeme|placeholder|todo|dummy|redacted)( here)?$/i.test(words)
	);
}

const filler = /^(?:[xX*.…]{3,}|…)$/;

/** Whether a value is like `xxxx`, `sk-live-XXXX` or `ghp_***`: short words and then only filler. */
function isFiller(value: string): boolean {
	const parts = value.split(/[-_]/);
	// Without any filler this is -1, and the last part is checked below.
	const from = parts.findIndex(it => filler.test(it));
	return (
		parts.slice(0, from).every(it => /^(?:[A-Za-z\d]{2,10})?$/.test(it)) &&
		parts.slice(from).every(it => filler.test(it))
	);
}

/** Whether a value is long and mixes letters and digits like a generated key. */
function isRandom(value: string): boolean {
	if (value.length < 24 || !/^[\w+/=.-]+$/.test(value)) {
		return false;
	}
	// In a path or name, digits are rare or stand together; in a key, they are between letters everywhere.
	const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
	return changes >= value.length / 8 && new Set(value).size >= 10;
}
