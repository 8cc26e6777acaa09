/**
 * Replaces secrets in texts that are shown, logged or kept. A secret is found as it is, escaped for JSON or a URL, and in
 * Base64. Texts are searched as a whole, so call this before a text is cut.
 */
import { encodeBase64 } from '../../base/base64.js';

/** Characters. Shorter values occur in many words: replacing them would make logs unreadable and protect nothing. */
const minLength = 4;
/** Characters. Shorter values aren't replaced in the keys of objects, because programs use keys as names. */
const minInKeys = 16;
/** Values that one redactor keeps. Beyond that, the oldest ones are forgotten. */
const maxSecrets = 500;
export const redacted = '<redacted>';

export class Redactor {
	/** The hidden values, oldest first. */
	private readonly known = new Set<string>();
	/** The texts that are replaced. */
	forms: readonly string[] = [];
	/** The values of `hideGiven`. */
	private given: Redactor | undefined;

	/** Replaces these values too from now on. Earlier values are still replaced, because they can appear late. */
	hide(secrets: Iterable<string>): void {
		for (const secret of [...secrets].slice(-maxSecrets)) {
			// Removing it first makes it the newest one.
			this.known.delete(secret);
			this.known.add(secret);
		}
		[...this.known].slice(0, -maxSecrets).forEach(it => this.known.delete(it));
		this.forms = [...new Set([...this.known].flatMap(formsOf))];
	}

	/**
	 * Replaces these values too from now on, but not in records of other servers. For secrets that a server gets in an
	 * argument, an answer, or its sign-in: a model or a server can choose them, and so could hide any word in the records
	 * of other servers.
	 */
	hideGiven(values: readonly string[]): void {
		if (values.length > 0) {
			this.given ??= new Redactor();
			this.given.hide(values);
		}
	}

	/** The text with all hidden values replaced. */
	text(text: string): string {
		return redact(text, this.both);
	}

	/** The same data with every text in it redacted. */
	data<T>(value: T): T {
		return redact(value, this.both);
	}

	/** This redactor, and the one for the values of `hideGiven`, if there are any. */
	get both(): readonly Redactor[] {
		return this.given ? [this, this.given] : [this];
	}

	/** A view for the secrets of the sign-in, in which `hide` is `hideGiven`. */
	get ofGiven(): { readonly hide: (secrets: Iterable<string>) => void; readonly text: (text: string) => string } {
		return { hide: secrets => this.hideGiven([...secrets]), text: it => this.text(it) };
	}
}

/** The texts in which a secret can appear. The output of a program is redacted by lines, so each line is one of them. */
function formsOf(secret: string): string[] {
	const whole = [secret, secret.trim()].filter(it => it.length >= minLength);
	const lines = secret.split(/\r\n|\r|\n/).map(it => it.trim());
	return [...new Set([...whole, ...lines.filter(it => it.length >= minLength), ...whole.flatMap(encodedForms)])];
}

/** JSON, both encodings of URLs, and both alphabets of Base64 (without its padding, which gives nothing away). */
function encodedForms(secret: string): string[] {
	const bytes = new TextEncoder().encode(secret);
	const base64 = encodeBase64(bytes).replace(/=+$/, '');
	return [
		JSON.stringify(secret).slice(1, -1),
		// Decoded from bytes, because half a surrogate pair can't be encoded.
		encodeURIComponent(new TextDecoder().decode(bytes)),
		new URLSearchParams({ '': secret }).toString().slice(1),
		base64,
		base64.replaceAll('+', '-').replaceAll('/', '_'),
	];
}

/**
 * A copy of the data with the secrets of all redactors replaced in every text, number, and long key. All secrets are
 * searched for before one is replaced, because a secret may be a part of another one.
 */
export function redact<T>(value: T, redactors: readonly Redactor[]): T {
	const forms = redactors.flatMap(it => it.forms);
	return forms.length > 0 ? (copy(value, forms) as T) : value;
}

/** Doesn't recurse, because a server may nest its data deeper than the stack allows. */
function copy(whole: unknown, forms: readonly string[]): unknown {
	const formsInKeys = forms.filter(it => it.length >= minInKeys);
	const result: { value?: unknown } = {};
	const open: { readonly target: object; readonly key: string; readonly from: unknown }[] = [
		{ target: result, key: 'value', from: whole },
	];
	for (let next = open.pop(); next; next = open.pop()) {
		const { target, key, from } = next;
		const isContainer = typeof from === 'object' && from !== null;
		const copied: unknown = !isContainer ? copyOfSingle(from, forms) : Array.isArray(from) ? [] : {};
		// An own property, whatever its name.
		Object.defineProperty(target, key, { value: copied, enumerable: true, configurable: true, writable: true });
		if (isContainer) {
			const members = Object.entries(from).map(([name, it]) => ({
				target: copied as object,
				key: Array.isArray(from) ? name : replaceIn(name, formsInKeys),
				from: it as unknown,
			}));
			// In reverse, so that members keep their order. A loop, because a call with too many arguments fails.
			for (const member of members.toReversed()) {
				open.push(member);
			}
		}
	}
	return result.value;
}

function copyOfSingle(value: unknown, forms: readonly string[]): unknown {
	if (typeof value !== 'string' && typeof value !== 'number') {
		return value;
	}
	const shown = replaceIn(String(value), forms);
	return shown === String(value) ? value : shown;
}

function replaceIn(text: string, forms: readonly string[]): string {
	const found: { readonly start: number; readonly end: number }[] = [];
	for (const form of forms) {
		for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length)) {
			found.push({ start, end: start + form.length });
		}
	}
	const pieces: string[] = [];
	let end = 0;
	for (const span of found.toSorted((a, b) => a.start - b.start)) {
		// Secrets that overlap or touch become one replacement.
		if (span.start > end || pieces.length === 0) {
			pieces.push(text.slice(end, span.start), redacted);
		}
		end = Math.max(end, span.end);
	}
	return pieces.join('') + text.slice(end);
}
