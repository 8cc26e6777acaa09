/**
 * Replaces the values of secrets in texts that are shown or logged. Finds a secret however a program has escaped it
 * (`encodedText.ts`), in base64, in hexadecimal digits, and cut off before an ellipsis. Doesn't find a secret that was
 * compressed, encrypted, spelled out, or cut in another way; one that itself looks like escapes of several kinds and was
 * escaped twice; and one that looks like escapes of fewer than `minLength` characters and was escaped.
 */
import { decodedForms, decodedLayers, type Span } from './encodedText.js';

/** Characters. Shorter values occur in many words: replacing them would make logs unreadable and protect nothing. */
const minLength = 4;
/** Bytes. Shorter values in base64 occur in many images. */
const minEncoded = 8;
/** Characters. Shorter values aren't replaced in the keys of objects, because programs use keys as names. */
const minInKeys = 16;
/** Characters. A longer value is split into parts, each of which is searched for. */
const maxForm = 64;
/** Characters of one value. Of a longer value, the rest is found by its lines. */
const maxCharacters = 16_384;
const maxLines = 1000;
const defaultMaxForms = 200_000;
/** Marks the end of a text that was cut. */
const ellipsis = '…';
/** The beginning of an escape of which the rest was cut. */
const halfEscape = /(?:%[\da-fA-F]?|\\(?:[uUx]\{?[\da-fA-F]{0,7})?|&#?[\da-zA-Z]{0,8})$/;
const maxEscape = 10;
/** Bytes at the beginning of a character of which the rest was cut. */
const maxHalfCharacter = 3;
/**
 * The limit for the search in one text, besides `lookupCost` for each character. Comparing the middle of a form costs 1, a
 * lookup of a whole form `lookupCost`. Needed because many forms can begin alike: PEM keys begin with hyphens, as do the
 * lines of tables.
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
	/** The forms by their beginnings; the longest first. */
	private readonly index = new Map<number, FormGroup[]>();
	/** 1 for each beginning of a form. Most positions of a text need only this lookup. */
	private readonly beginnings = new Uint8Array(1 << 16);
	/** The values of `hideGiven`. */
	private given: Redactor | undefined;
	/** How much of `maxEffort` the current search has left. */
	private effort = 0;

	/** @param maxForms how many forms of values are kept; beyond that, the oldest ones are forgotten */
	constructor(private readonly maxForms = defaultMaxForms) {}

	/** Replaces these values too from now on. Earlier values are still replaced, because they can appear late. */
	hide(secrets: Iterable<string>): void {
		for (const secret of secrets) {
			// The output of a program is redacted line by line, so the lines of a secret are hidden too.
			const lines = secret.split(/\r\n|\r|\n/, maxLines);
			// Messages may replace runs of white space by one space.
			const whole = [secret, secret.trim()].map(it => it.slice(0, maxCharacters));
			whole.push(...whole.map(it => it.replace(/\s+/g, ' ')));
			const parts = new Set([...whole, ...lines.map(it => it.trim())]);
			const forms = [...parts, ...[...new Set(whole)].flatMap(encodedForms)].flatMap(it => [...decodedForms(it)]);
			new Set([...forms, ...forms.map(withoutLastBackslashes)].flatMap(chunksOf)).forEach(it => this.add(it));
		}
	}

	/**
	 * Replaces these values too from now on, but not in records of other servers. For secrets that a server gets in an
	 * argument, an answer, or its sign-in: a model or a server can choose them, and so could hide any word in the records
	 * of other servers.
	 */
	hideGiven(values: readonly string[]): void {
		if (values.length > 0) {
			this.given ??= new Redactor(this.maxForms);
			this.given.hide(values);
		}
	}

	/** The text with all hidden values replaced. */
	text(text: string): string {
		return replaceIn(text, this.both, minLength);
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

	get isEmpty(): boolean {
		return this.forms.size === 0;
	}

	/**
	 * The ranges of hidden values in a text without escapes.
	 * @param shortest length of a value that is found; at least `minLength`
	 */
	spans(text: string, shortest: number): Span[] {
		this.effort = text.length * lookupCost + maxEffort;
		const found = [...this.find(text, shortest), ...this.findCut(text, shortest)];
		return this.effort < 0 ? this.possible(text) : found;
	}

	/** The ranges that may hold a form, whole or cut, for a text in which the exact search takes too long. */
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

	/** The ranges of whole forms. */
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

	/** The ranges of beginnings of forms that were cut: an ellipsis follows, possibly after a part of an escape. */
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
		// Removing it first makes it the newest form.
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
			// Several at once, because iterating over a set is slow at first if many elements were removed.
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

/** Form encoding writes spaces as `+`, so both count as the same. The length of the text stays the same. */
function withBlanks(text: string): string {
	return text.replaceAll('+', ' ');
}

/** A hash of the `minLength` characters at a position. */
function beginningOf(text: string, at: number): number {
	const first = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4);
	return (first ^ (text.charCodeAt(at + 2) << 8) ^ (text.charCodeAt(at + 3) << 12)) & 0xffff;
}

/** A hash of four characters in the middle of a form of that length, to tell apart forms that begin alike. */
function middleOf(text: string, start: number, length: number): number {
	return beginningOf(text, start + ((length - minLength) >> 1));
}

/** A backslash at the end of a secret can be read as an escape together with the next character of the text. */
function withoutLastBackslashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\\') {
		end--;
	}
	return text.slice(0, end);
}

/** The text in parts of equal length, at most `maxForm`. */
function chunksOf(text: string): string[] {
	const size = Math.ceil(text.length / Math.ceil(text.length / maxForm));
	return Array.from({ length: Math.ceil(text.length / size) || 0 }, (_, index) =>
		text.slice(index * size, (index + 1) * size),
	);
}

/** The secret in hexadecimal digits and in both alphabets of base64, for each position in the encoded data. */
function encodedForms(secret: string): string[] {
	const bytes = new TextEncoder().encode(secret);
	if (bytes.length < minEncoded) {
		return [];
	}
	const hex = Array.from(bytes, it => it.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].map(before => {
		const text = btoa('\0'.repeat(before) + Array.from(bytes, it => String.fromCharCode(it)).join(''));
		// Only the digits that don't depend on the bytes around the secret.
		return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
	return [hex, hex.toUpperCase(), ...base64, ...base64.map(it => it.replaceAll('+', '-').replaceAll('/', '_'))];
}

function withoutSpans(text: string, spans: readonly Span[]): string {
	const pieces: string[] = [];
	let end = 0;
	for (const span of spans.toSorted((a, b) => a.start - b.start)) {
		// Spans that overlap or touch become one replacement.
		if (span.start > end || pieces.length === 0) {
			pieces.push(text.slice(end, span.start), redacted);
		}
		end = Math.max(end, span.end);
	}
	return pieces.join('') + text.slice(end);
}

/**
 * A copy of the data with the secrets of all redactors replaced in every text and number. All secrets are searched for
 * before one is replaced, because a secret may be a part of another one.
 */
export function redact<T>(value: T, redactors: readonly Redactor[]): T {
	const used = redactors.filter(it => !it.isEmpty);
	return used.length > 0 ? (copy(value, used) as T) : value;
}

/** Doesn't recurse, because a server may nest its data deeper than the stack allows. */
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
			// In reverse, so that members keep their order. A loop, because a call with too many arguments fails.
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

/** @param shortest length of a value that is replaced */
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
