/**
 * Takes the values of secrets out of what is shown or logged, however a program has escaped them (`encodedText.ts`), and
 * in base64 and hexadecimal digits; of a secret that was cut, the beginning before an ellipsis. Not found: a secret that was
 * compressed, encrypted, spelled out, or cut in another way; one that itself looks like escapes of several kinds, once it
 * was escaped twice; and one that looks like escapes of fewer than `minLength` characters, once it was escaped.
 */
import { decodedForms, decodedLayers, type Span } from './encodedText.js';

/** Shorter values are found in every other word: hiding them would hide the log and protect nothing. */
const minLength = 4;
/** Bytes. Shorter values in base64 are found in every other picture. */
const minEncoded = 8;
/** In the keys of objects, shorter values are not replaced: programs go by these names. */
const minInKeys = 16;
/** Longer values are looked for in parts. */
const maxForm = 64;
/** Of one value. What is longer is found by its lines. */
const maxCharacters = 16_384;
const maxLines = 1000;
const defaultMaxForms = 200_000;
/** What marks a text that was cut. */
const ellipsis = '…';
/** What is left of an escape that was cut. */
const halfEscape = /(?:%[\da-fA-F]?|\\(?:[uUx]\{?[\da-fA-F]{0,7})?|&#?[\da-zA-Z]{0,8})$/;
const maxEscape = 10;
/** The first bytes of a character, of which the rest was cut. */
const maxHalfCharacter = 3;
/**
 * What the search in a text may take, besides `lookupCost` for each character: a look at the middle of a form takes 1, and
 * a lookup of a whole form `lookupCost`. Keys begin with a row of hyphens, and so does every line of a table.
 */
const maxEffort = 400_000;
const lookupCost = 8;
export const redacted = '<redacted>';

/** Forms of one length that begin alike. */
interface FormGroup {
	readonly length: number;
	readonly forms: Set<string>;
	/** Hashes of four characters in the middle of the forms. Those of removed forms stay, and cost some lookups. */
	readonly middles: Set<number>;
}

export class Redactor {
	/** Oldest first. */
	private readonly forms = new Set<string>();
	/** By what they begin with; the longest first. */
	private readonly index = new Map<number, FormGroup[]>();
	/** Which beginnings there are: most places of a text are passed with one look. */
	private readonly beginnings = new Uint8Array(1 << 16);
	/** See `hideGiven`. */
	private given: Redactor | undefined;
	/** What the search in this text may still take. */
	private effort = 0;

	/** @param maxForms how many forms of values are known at a time: those that were told first are forgotten */
	constructor(private readonly maxForms = defaultMaxForms) {}

	/** From now on these values are replaced. What was hidden before stays so: it may turn up late. */
	hide(secrets: Iterable<string>): void {
		for (const secret of secrets) {
			// stderr comes line by line, and so does a key of many lines.
			const lines = secret.split(/\r\n|\r|\n/, maxLines);
			// Messages join blanks.
			const whole = [secret, secret.trim()].map(it => it.slice(0, maxCharacters));
			whole.push(...whole.map(it => it.replace(/\s+/g, ' ')));
			const parts = new Set([...whole, ...lines.map(it => it.trim())]);
			const forms = [...parts, ...[...new Set(whole)].flatMap(encodedForms)].flatMap(it => [...decodedForms(it)]);
			new Set([...forms, ...forms.map(withoutLastBackslashes)].flatMap(chunksOf)).forEach(it => this.add(it));
		}
	}

	/**
	 * From now on these values are replaced as well, but not in what is about other servers. For secrets that a server was
	 * given in an argument or an answer, and those of its sign-in: a model or a server can choose them, and could hide any
	 * word in the records of other servers.
	 */
	hideGiven(values: readonly string[]): void {
		if (values.length > 0) {
			this.given ??= new Redactor(this.maxForms);
			this.given.hide(values);
		}
	}

	text(text: string): string {
		return replaceIn(text, this.both, minLength);
	}

	/** The same data with every text in it redacted. */
	data<T>(value: T): T {
		return redact(value, this.both);
	}

	/** This one, and what it hides for `hideGiven`. */
	get both(): readonly Redactor[] {
		return this.given ? [this, this.given] : [this];
	}

	/** For what an authorization server gives, or is sent: `hide` is `hideGiven`. */
	get ofGiven(): { readonly hide: (secrets: Iterable<string>) => void; readonly text: (text: string) => string } {
		return { hide: secrets => this.hideGiven([...secrets]), text: it => this.text(it) };
	}

	get isEmpty(): boolean {
		return this.forms.size === 0;
	}

	/** Where a text without escapes holds what is hidden. @param shortest length of what is found, from `minLength` */
	spans(text: string, shortest: number): Span[] {
		this.effort = text.length * lookupCost + maxEffort;
		const found = [...this.find(text, shortest), ...this.findCut(text, shortest)];
		return this.effort < 0 ? this.possible(text) : found;
	}

	/** Where a form may be, whole or cut: of a text in which it takes too long to look for each. */
	private possible(text: string): Span[] {
		const spans: Span[] = [];
		for (let start = 0; start + minLength <= text.length; start++) {
			if (this.beginnings[beginningOf(text, start)] === 1) {
				const end = Math.min(text.length, start + maxForm + maxEscape + maxHalfCharacter);
				const last = spans.at(-1);
				if (last && start <= last.end) {
					spans.splice(-1, 1, { start: last.start, end });
				} else {
					spans.push({ start, end });
				}
			}
		}
		return spans;
	}

	private *find(text: string, shortest: number): Iterable<Span> {
		for (let start = 0; start + minLength <= text.length; start++) {
			const beginning = beginningOf(text, start);
			if (this.beginnings[beginning] === 0) {
				continue;
			}
			for (const { length, forms, middles } of this.index.get(beginning) ?? []) {
				if (length < shortest) {
					break;
				}
				const mayBeForm = middles.has(middleOf(text, start, length));
				this.effort -= mayBeForm ? lookupCost : 1;
				if (this.effort < 0) {
					return;
				}
				if (mayBeForm && forms.has(text.slice(start, start + length))) {
					yield { start, end: start + length };
					break;
				}
			}
		}
	}

	/** Beginnings of forms that were cut: what follows is an ellipsis, or half of an escape and an ellipsis. */
	private *findCut(text: string, shortest: number): Iterable<Span> {
		for (let end = text.indexOf(ellipsis); end !== -1; end = text.indexOf(ellipsis, end + 1)) {
			const [half = ''] = halfEscape.exec(text.slice(Math.max(0, end - maxEscape), end)) ?? [];
			const cuts = new Set([end]);
			for (let cut = end - half.length; cut >= end - half.length - maxHalfCharacter; cut--) {
				cuts.add(cut);
				if (!/[\u0080-\u00ff]/.test(text.charAt(cut - 1))) {
					break;
				}
			}
			for (const cut of cuts) {
				for (let start = Math.max(0, cut - maxForm); start <= cut - shortest; start++) {
					if (this.hasBeginning(text, start, cut)) {
						yield { start, end };
						break;
					}
				}
			}
		}
	}

	/** Whether a part of a text is the beginning of a form that is longer. */
	private hasBeginning(text: string, start: number, end: number): boolean {
		const beginning = beginningOf(text, start);
		if (this.beginnings[beginning] === 0) {
			return false;
		}
		const part = text.slice(start, end);
		for (const { length, forms } of this.index.get(beginning) ?? []) {
			if (length <= part.length) {
				break;
			}
			for (const form of forms) {
				this.effort -= lookupCost;
				if (this.effort < 0 || form.startsWith(part)) {
					return true;
				}
			}
		}
		return false;
	}

	private add(text: string): void {
		if (text.length < minLength) {
			return;
		}
		const form = withBlanks(text);
		// Moved to the end of those that are forgotten first.
		this.remove(form);
		this.forms.add(form);
		const beginning = beginningOf(form, 0);
		const groups = this.index.get(beginning) ?? [];
		let group = groups.find(it => it.length === form.length);
		if (!group) {
			group = { length: form.length, forms: new Set(), middles: new Set() };
			this.index.set(
				beginning,
				[...groups, group].toSorted((one, other) => other.length - one.length),
			);
		}
		group.forms.add(form);
		group.middles.add(middleOf(form, 0, form.length));
		this.beginnings[beginning] = 1;
		if (this.forms.size > this.maxForms) {
			// Several at once: to begin a walk through a set takes time where much was removed.
			Array.from(this.forms)
				.slice(0, Math.ceil(this.maxForms / 10))
				.forEach(it => this.remove(it));
		}
	}

	private remove(form: string): void {
		if (this.forms.delete(form)) {
			const groups = this.index.get(beginningOf(form, 0));
			groups?.find(it => it.length === form.length)?.forms.delete(form);
		}
	}
}

/** Encoded forms write blanks as `+`: one stands for the other. As long as before. */
function withBlanks(text: string): string {
	return text.replaceAll('+', ' ');
}

/** A number that texts share which begin alike, and few others do. There are `minLength` characters. */
function beginningOf(text: string, at: number): number {
	const first = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4);
	return (first ^ (text.charCodeAt(at + 2) << 8) ^ (text.charCodeAt(at + 3) << 12)) & 0xffff;
}

/** A hash of four characters in the middle of a form of that length. They differ where the beginnings are alike. */
function middleOf(text: string, start: number, length: number): number {
	return beginningOf(text, start + ((length - minLength) >> 1));
}

/** A backslash at the end of a secret is taken for the beginning of an escape, together with what follows the secret. */
function withoutLastBackslashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\\') {
		end--;
	}
	return text.slice(0, end);
}

function chunksOf(text: string): string[] {
	const size = Math.ceil(text.length / Math.ceil(text.length / maxForm));
	return Array.from({ length: Math.ceil(text.length / size) || 0 }, (_, index) =>
		text.slice(index * size, (index + 1) * size),
	);
}

/** In hexadecimal digits and in base64, of both alphabets, wherever in the encoded data it stands. */
function encodedForms(secret: string): string[] {
	const bytes = new TextEncoder().encode(secret);
	if (bytes.length < minEncoded) {
		return [];
	}
	const hex = Array.from(bytes, it => it.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].map(before => {
		const text = btoa('\0'.repeat(before) + Array.from(bytes, it => String.fromCharCode(it)).join(''));
		// Only the digits that are of the secret alone.
		return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
	return [hex, hex.toUpperCase(), ...base64, ...base64.map(it => it.replaceAll('+', '-').replaceAll('/', '_'))];
}

function withoutSpans(text: string, spans: readonly Span[]): string {
	const pieces: string[] = [];
	let end = 0;
	for (const span of spans.toSorted((a, b) => a.start - b.start)) {
		// What overlaps or touches is one secret, or one after the other.
		if (span.start > end || pieces.length === 0) {
			pieces.push(text.slice(end, span.start), redacted);
		}
		end = Math.max(end, span.end);
	}
	return pieces.join('') + text.slice(end);
}

/**
 * The same data with the secrets of all redactors replaced in every text and number. All are looked for before any is
 * replaced: a secret may be a part of another one.
 */
export function redact<T>(value: T, redactors: readonly Redactor[]): T {
	const used = redactors.filter(it => !it.isEmpty);
	return used.length > 0 ? (copy(value, used) as T) : value;
}

/** Without recursion: a server may nest its data deeper than the stack goes. */
function copy(whole: unknown, redactors: readonly Redactor[]): unknown {
	const result: { value?: unknown } = {};
	const open: { readonly target: object; readonly key: string; readonly from: unknown }[] = [
		{ target: result, key: 'value', from: whole },
	];
	for (let next = open.pop(); next; next = open.pop()) {
		const { target, key, from } = next;
		const isContainer = typeof from === 'object' && from !== null;
		const copied: unknown = !isContainer ? copyOfSingle(from, redactors) : Array.isArray(from) ? [] : {};
		// An own property, whatever its name.
		Object.defineProperty(target, key, { value: copied, enumerable: true, configurable: true, writable: true });
		if (isContainer) {
			const members = Object.entries(from).map(([name, it]) => ({
				target: copied as object,
				key: Array.isArray(from) ? name : replaceIn(name, redactors, minInKeys),
				from: it as unknown,
			}));
			// The first is taken first, so that the order stays. A loop: a call has only so many arguments.
			for (const member of members.toReversed()) {
				open.push(member);
			}
		}
	}
	return result.value;
}

function copyOfSingle(value: unknown, redactors: readonly Redactor[]): unknown {
	if (typeof value === 'string') {
		return replaceIn(value, redactors, minLength);
	}
	if (typeof value !== 'number') {
		return value;
	}
	const text = String(value);
	const shown = replaceIn(text, redactors, minLength);
	return shown === text ? value : shown;
}

/** @param shortest length of what is replaced */
function replaceIn(text: string, redactors: readonly Redactor[], shortest: number): string {
	if (redactors.every(it => it.isEmpty)) {
		return text;
	}
	const spans: Span[] = [];
	for (const layer of decodedLayers(text)) {
		const decoded = withBlanks(layer.text);
		for (const redactor of redactors) {
			for (const { start, end } of redactor.spans(decoded, shortest)) {
				spans.push(layer.original(start, end));
			}
		}
	}
	return withoutSpans(text, spans);
}
