/**
 * Decodes the escapes that programs use for text (JSON and other string literals, percent encoding, form encoding, HTML)
 * layer by layer, so that a text can be found whichever of its characters were escaped. Each part of a decoded text can be
 * mapped to the part of the original.
 */
import { tryDecodeUri } from '../../base/percentText.js';

/** Layers of escapes that are decoded, such as JSON in JSON in a URL. */
const maxLayers = 4;
/** The limit for one text. Few texts have escapes of several kinds. */
const maxDecodedForms = 40;
/** Characters. Only in shorter texts are the kinds of escapes also decoded one by one, in `maxStepsByKind` steps. */
const maxThorough = 20_000;
const maxStepsByKind = 3;

/** A text in which some escapes are decoded. */
export interface DecodedText {
	readonly text: string;
	/**
	 * The part of the original text that a part of this text was decoded from.
	 * @param end exclusive, after `start`
	 */
	original(start: number, end: number): Span;
}

/** A range of a text in UTF-16 units. */
export interface Span {
	readonly start: number;
	/** Exclusive. */
	readonly end: number;
}

/**
 * The text itself, and the text after decoding each layer, up to `maxLayers`. If it has escapes of several kinds, also the
 * texts in which only one kind is decoded: what looks like an escape of another kind may be the text itself, or begin
 * before it.
 */
export function* decodedLayers(text: string): Iterable<DecodedText> {
	const whole = withEscapes(text);
	const seen = new Set<string>();
	for (let layer: DecodedText | undefined = whole, depth = 0; layer && depth <= maxLayers; depth++) {
		seen.add(layer.text);
		yield layer;
		layer = withoutEscapes(layer);
	}
	if (text.length <= maxThorough && Array.from(seen).some(hasSeveralKinds)) {
		yield* layersByKind(whole, seen);
	}
}

function withEscapes(text: string): DecodedText {
	return { text, original: (start, end) => ({ start, end }) };
}

function hasSeveralKinds(text: string): boolean {
	return ['\\', '%', '&'].filter(it => text.includes(it)).length > 1;
}

/**
 * The texts after decoding one kind of escapes in each step.
 * @param known texts that aren't returned, because the caller has them
 */
function* layersByKind(whole: DecodedText, known: ReadonlySet<string>): Iterable<DecodedText> {
	let layers = [whole];
	const seen = new Set<string>();
	for (let step = 0; step < maxStepsByKind; step++) {
		const next: DecodedText[] = [];
		for (const layer of layers) {
			for (const pattern of patternsOfOneKind) {
				const inner = withoutEscapes(layer, pattern);
				if (inner && !seen.has(inner.text)) {
					seen.add(inner.text);
					next.push(inner);
					if (!known.has(inner.text)) {
						yield inner;
					}
				}
			}
		}
		layers = next;
	}
}

/**
 * The text, and each text that results from repeatedly decoding all its escapes or those of one kind. An encoded form of
 * the text becomes one of these when its layers are decoded: a part of the text that itself looks like an escape is decoded
 * with them.
 */
export function decodedForms(text: string): Iterable<string> {
	const forms = new Set(Array.from(decodedLayers(text), it => it.text));
	// The loop also visits forms that it adds. It ends, because decoding makes a text shorter.
	for (const form of forms) {
		for (const pattern of patternsOfOneKind) {
			const next = withoutEscapes(withEscapes(form), pattern);
			if (next && forms.size < maxDecodedForms) {
				forms.add(next.text);
			}
		}
	}
	return forms;
}

/** The text with one more layer decoded; undefined if it has no escapes. */
function withoutEscapes(outer: DecodedText, pattern = escapePattern): DecodedText | undefined {
	const pieces: string[] = [];
	/** The ranges of decoded characters, with the ranges of their escapes in the outer text. */
	const places: (Span & { readonly escape: Span })[] = [];
	let sourceEnd = 0;
	let length = 0;
	for (const match of outer.text.matchAll(pattern)) {
		const character = unescape(match);
		if (character !== undefined) {
			pieces.push(outer.text.slice(sourceEnd, match.index), character);
			const start = length + match.index - sourceEnd;
			length = start + character.length;
			sourceEnd = match.index + match[0].length;
			places.push({ start, end: length, escape: { start: match.index, end: sourceEnd } });
		}
	}
	if (places.length === 0) {
		return undefined;
	}
	pieces.push(outer.text.slice(sourceEnd));
	const sourceOf = (at: number): Span => {
		const place = places[lastFrom(places, at)];
		if (!place) {
			return { start: at, end: at + 1 };
		}
		const start = place.escape.end + at - place.end;
		return at < place.end ? place.escape : { start, end: start + 1 };
	};
	return {
		text: pieces.join(''),
		original: (start, end) => outer.original(sourceOf(start).start, sourceOf(end - 1).end),
	};
}

/** The index of the last span that begins at or before a place; -1 if there is none. */
function lastFrom(spans: readonly Span[], place: number): number {
	let low = 0;
	let high = spans.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((spans[middle]?.start ?? 0) <= place) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low - 1;
}

const hex = '[\\da-fA-F]';
const further = '%[89abAB][\\da-fA-F]';
/**
 * A group for each kind of escape; the last one is a folded line of a header. `+` may be a space or itself, so it isn't
 * decoded.
 */
const escapePattern = new RegExp(
	[
		`(?:[\\\\%]u(${hex}{4})|\\\\u\\{(${hex}{1,6})\\}|\\\\U(${hex}{8})|\\\\x(${hex}{2})|&#[xX](${hex}{1,6});?)`,
		'&#(\\d{1,7});?',
		`(%[0-7]${hex}|%[c-dC-D]${hex}${further}|%[eE]${hex}(?:${further}){2}|%[fF][0-7](?:${further}){3})`,
		// Latin-1, which older programs write.
		`%([89a-fA-F]${hex})`,
		'\\\\([bfnrtv0])',
		'\\\\([^\\da-zA-Z\\s])',
		'&([a-zA-Z][\\da-zA-Z]{1,7});',
		'(\\r?\\n[ \\t]+)',
	].join('|'),
	'g',
);

/** The escapes of string literals, of URLs, and of HTML. */
const patternsOfOneKind = ['\\\\', '%', '&'].map(first => new RegExp(`(?=${first})(?:${escapePattern.source})`, 'g'));

function unescape([
	,
	u4,
	braced,
	u8,
	x,
	entity,
	decimal,
	percent,
	latin1,
	control,
	other,
	name,
	blank,
]: RegExpExecArray): string | undefined {
	const code = u4 ?? braced ?? u8 ?? x ?? entity ?? latin1;
	if (code !== undefined) {
		return characterOf(Number.parseInt(code, 16));
	}
	if (decimal !== undefined) {
		return characterOf(Number(decimal));
	}
	if (percent !== undefined) {
		// Fails for an overlong form, and for one half of a surrogate pair.
		return tryDecodeUri(percent);
	}
	if (name !== undefined) {
		return entities.get(name);
	}
	return control === undefined ? (other ?? (blank && ' ')) : controls[control];
}

function characterOf(code: number): string | undefined {
	return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' };

/** The names of HTML entities, each followed by its character. */
const punctuation =
	'amp& lt< gt> quot" apos\' sol/ plus+ equals= num# excl! dollar$ percnt% ast* lpar( rpar) comma, period. colon: semi; ' +
	'quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} hyphen-';
/** The names of HTML entities from U+00A0 to U+00FF. */
const latin =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
	'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
	'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute ' +
	'Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave ' +
	'iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const entities = new Map<string, string>([
	...punctuation.split(' ').map((it): [string, string] => [it.slice(0, -1), it.slice(-1)]),
	...latin.split(' ').map((it, index): [string, string] => [it, String.fromCharCode(0xa0 + index)]),
	['Tab', '\t'],
	['NewLine', '\n'],
]);
