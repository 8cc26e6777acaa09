/** Recognizes secrets among entered values, by their names or their form. */

/** Words that mark a secret in any name. */
export const plainSecret =
	/token|secret|passw|pwd|api[-_.]?key|access[-_.]?key|private[-_.]?key|credential|authori[sz]ation/i;
/** Names with such a word whose values aren't secrets. */
export const harmlessKey =
	/[-_.](file|path|url|uri|endpoint|id|limit|limits|mode|type|name|region|count|size|ttl|timeout|dir|host|port)$|tokens$|(page|continuation|sync)[-_.]?token$/i;
const knownSecret =
	/^(sk-|sk_|pk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|eyJ[\w-]+\.|ntn_|secret_|pat[-_]|fc-|tvly-|hf_|npm_|lin_|dop_|figd_|SG\.)[\w.-]{12,}$/;

/** Whether an argument of a tool is a secret by its name. `key` alone isn't one: tools use it for names. */
export function isArgumentSecret(name: string): boolean {
	return plainSecret.test(name) && !harmlessKey.test(name);
}

/** Whether a text has the form of a secret of a known service. */
export function looksLikeSecret(text: string): boolean {
	return knownSecret.test(text);
}

/** Whether a text that can't be parsed yet, such as unfinished JSON, may contain a secret. */
export function mayContainSecret(text: string): boolean {
	return plainSecret.test(text) || text.split(/[^\w.-]+/).some(looksLikeSecret);
}
