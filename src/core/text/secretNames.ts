/** Guesses which names and values are secrets or placeholders, for warnings, and to leave secrets out of records. */
import { harmlessKey, looksLikeSecret, plainSecret } from '../../base/secretWords.js';

/** Also short names of configured values, such as `KEY`. */
const secretKey = new RegExp(`${plainSecret.source}|(^|[-_.])(key|pat|auth)$`, 'i');

/** Placeholders that READMEs have in place of values: `{{key}}`, `[API KEY]`, `YOUR_API_KEY`, `changeme`, `xxxx`, `sk-…`. */
const placeholder = new RegExp(
	[
		'^(?:\\{\\{[^{}]+\\}\\}|\\{[A-Za-z_ -]+\\}|\\[[A-Za-z_ -]+\\]|\\$\\{\\w+:-[^}]*\\})$',
		'^.{0,100}(?<![A-Za-z])yours?(?![A-Za-z])',
		'^(?:changeme|placeholder|todo|dummy|(?:api|access)[ _-]?(?:key|token)[ _-]?here)$',
		'^(?:[A-Za-z]{2,10}[_-])?[xX*.…-]{0,100}(?:[xX*.]{3}|…)$',
	].join('|'),
	'i',
);

/** Whether a name contains a word for a secret. True also for `token_file`, whose value isn't a secret. */
export function mentionsSecret(name: string): boolean {
	return secretKey.test(name);
}

/** Whether the value of a name is probably a secret. */
export function isSecretName(name: string): boolean {
	return secretKey.test(name) && !harmlessKey.test(name);
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
 * The part of a configured value that shouldn't stay in a file: a placeholder, or a value whose name indicates a secret.
 * @param key the name of the value
 */
export function findSecret(text: string, key: string): FoundSecret | undefined {
	const scheme = /^(bearer|basic|token|apikey)\s+(?=\S)/i.exec(text)?.[0].length ?? 0;
	const value = text.slice(scheme);
	const isSecret = isSecretName(key);
	// A value with `${env:KEY}` or `${input:key}` has no secret in the file; one with a default value can have.
	if (value.trim() === '' || /\$\{[^{}]*\}/.test(value.replace(/\$\{\w+:-[^{}]*\}/g, ''))) {
		return undefined;
	}
	const inner = /<[A-Za-z][^<>]*>/.exec(value);
	if (inner || placeholder.test(value)) {
		const start = scheme + (inner?.index ?? 0);
		const end = inner ? start + inner[0].length : text.length;
		const password = isSecret || secretKey.test(text.slice(start, end).replace(/\W+/g, '_'));
		return { start, end, why: 'placeholder', password };
	}
	return (isSecret && !/^(true|false|\d{1,6}|none|null|oauth|bearer)$/i.test(value)) || looksLikeSecret(value)
		? { start: scheme, end: text.length, why: 'secret', password: true }
		: undefined;
}
