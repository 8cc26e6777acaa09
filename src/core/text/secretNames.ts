/** Which names and values look like secrets or placeholders. A guess, for warnings and for what is left out of records. */

const secretKey =
	/token|secret|passw|pwd|api[-_.]?key|access[-_.]?key|private[-_.]?key|credential|authori[sz]ation|(^|[-_.])(key|pat|auth)$/i;
const harmlessKey =
	/[-_.](file|path|url|uri|endpoint|id|limit|limits|mode|type|name|region|count|size|ttl|timeout|dir|host|port)$|tokens$/i;
const knownSecret =
	/^(sk-|sk_|pk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|eyJ[\w-]+\.|ntn_|secret_|pat[-_]|fc-|tvly-|hf_|npm_|lin_|dop_|figd_|SG\.)[\w.-]{12,}$/;

/** Whether a name has a word for a secret in it, also one like `token_file` that is no secret itself. */
export function mentionsSecret(name: string): boolean {
	return secretKey.test(name);
}

/** Whether a value of that name must not be written down. */
export function isSecretName(name: string): boolean {
	return secretKey.test(name) && !harmlessKey.test(name);
}

/** Whether a text has the form of a secret of a known service. */
export function looksLikeSecret(text: string): boolean {
	return knownSecret.test(text);
}

/**
 * The part of a configured value that shouldn't stay in a file: a placeholder, or what looks like a secret.
 * @param key the name of the value
 */
export function findSecret(
	text: string,
	key: string,
): { start: number; end: number; why: 'placeholder' | 'secret'; password: boolean } | undefined {
	const scheme = /^(bearer|basic|token|apikey)\s+(?=\S)/i.exec(text)?.[0].length ?? 0;
	const value = text.slice(scheme);
	const isSecretKey = isSecretName(key);
	// `${env:KEY}` and `${input:key}` write no secret into the file.
	if (value.trim() === '' || /\$\{[^{}]*\}/.test(value.replace(/\$\{\w+:-[^{}]*\}/g, ''))) {
		return undefined;
	}
	const inner = /<[A-Za-z][^<>]*>/.exec(value);
	if (inner) {
		const start = scheme + inner.index;
		return {
			start,
			end: start + inner[0].length,
			why: 'placeholder',
			password: isSecretKey || secretKey.test(inner[0]),
		};
	}
	if (isPlaceholder(value)) {
		const password = isSecretKey || secretKey.test(value.replace(/[^\w]+/g, '_'));
		return { start: scheme, end: text.length, why: 'placeholder', password };
	}
	const isSecret = isSecretKey ? !/^(true|false|\d{1,6}|none|null|oauth|bearer)$/i.test(value) : false;
	return isSecret || knownSecret.test(value) || (scheme > 0 && value.length >= 8) || isRandom(value)
		? { start: scheme, end: text.length, why: 'secret', password: true }
		: undefined;
}

/** Nobody writes a placeholder that is longer. */
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

/** `xxxx`, `sk-live-XXXX`, `ghp_***`: short words, and behind them only what fills a place. */
function isFiller(value: string): boolean {
	const parts = value.split(/[-_]/);
	// The last part if there is none.
	const from = parts.findIndex(it => filler.test(it));
	return (
		parts.slice(0, from).every(it => /^(?:[A-Za-z\d]{2,10})?$/.test(it)) &&
		parts.slice(from).every(it => filler.test(it))
	);
}

/** Long, and of letters and digits as nobody would write them by hand. */
function isRandom(value: string): boolean {
	if (value.length < 24 || !/^[\w+/=.-]+$/.test(value)) {
		return false;
	}
	// A path or a name is made of words; a key has digits among its letters all along.
	const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
	return changes >= value.length / 8 && new Set(value).size >= 10;
}
