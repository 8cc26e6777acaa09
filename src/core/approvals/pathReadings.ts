/**
 * Lists the forms that servers may turn a text into before they use it as a path: decoded, normalized, trimmed, unquoted.
 * The text may be hostile, so every step takes linear time.
 */

/** Control and format characters, fillers, line separators, and lone surrogates. */
export const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyUnseen = new RegExp(unseen.source, 'gu');
const everyUnseenOrBlank = new RegExp(`${unseen.source}|\\s`, 'gu');
/** Characters that some code-page conversions turn into slashes, and that NFKC normalization keeps. */
const slashes = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9]/;
const everySlash = new RegExp(slashes.source, 'g');
/** Yen and won signs are backslashes in Japanese and Korean code pages; before digits, they are prices. */
const currency = /[\u00a5\u20a9]/;
const everyCurrency = /[\u00a5\u20a9](?!\d)|(?<=[^\s(])[\u00a5\u20a9]/g;
/** A Japanese code page has it in place of `~`. */
const overline = '\u203e';
/** `%u002e`, and the escapes of dots and separators in source code. */
const everyCodeEscape = /%u[0-9a-f]{4}|\\(?:x|u00)(?:2[ef]|5c)/gi;
const quotes = '"\'`<>\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb';
const escapes = /%[0-9a-f]{2}/i;
const everyEscape = new RegExp(escapes.source, 'gi');
/** An escape or the scheme `file:` with line breaks or tabs inside, which URL parsers remove. */
const broken =
	/%(?:[\n\r\t]+[0-9a-f][\n\r\t]*|[0-9a-f][\n\r\t]+)[0-9a-f]|^\s*(?!file:)f[\n\r\t]*i[\n\r\t]*l[\n\r\t]*e[\n\r\t]*:/i;
/** UTF-8 sequences of which each byte was decoded as one character. */
const wide =
	/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|(?:[\xf0-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}/;
const everyWide = new RegExp(wide.source, 'g');
/** Overlong UTF-8 sequences of ASCII characters, of which each byte was decoded as one character. */
const everyOverlong = /(?:[\xc0\xc1]|(?:\xe0|\xf0\x80|\xf8\x80\x80)[\x80\x81])[\x80-\xbf]/g;
/** Levels of encoding that are decoded. */
const maxDecodings = 5;
/** More combining marks on one letter than any script needs. Normalizing many of them takes quadratic time. */
const manyMarks = /\p{M}{31}/u;
const everyMarkTooMany = /(\p{M}{30})\p{M}+/gu;
/** Ligatures of whole sentences, which normalization makes up to 18 times as long. */
const everySentence = /[\ufdfa\ufdfb]/g;
const everyUnseenOfAscii = /[^\n\r -~]/g;

/**
 * The text, and every form that servers may turn it into. Each form of a long text takes time, so a caller stops at the
 * first form that decides.
 */
export function* readingsOf(text: string): Generator<string> {
	const seen = new Set<string>();
	const simplify = cached(simplified);
	const decoders = [cached(decodeBytes), cached(decodeUtf8)];
	const join = (it: string): string => simplify(broken.test(it) ? it.replaceAll(/[\n\r\t]/g, '') : it);
	// Servers may remove characters once at the end, or after each decoding.
	for (const treat of [(it: string): string => it, simplify, join]) {
		let isWide = false;
		for (const [index, decode] of decoders.entries()) {
			if (index > 0 && !isWide) {
				break;
			}
			let reading = text;
			for (let depth = 0; ; depth++) {
				const next = treat(reading);
				for (const it of [reading, simplify(reading), next, converted(simplify(reading))]) {
					if (!seen.has(it)) {
						seen.add(it);
						yield it;
					}
				}
				if (!escapes.test(next)) {
					break;
				}
				if (depth === maxDecodings) {
					// A text with more layers of encoding may become any path.
					yield '/';
					return;
				}
				reading = decode(next);
				isWide ||= wide.test(reading);
			}
		}
	}
}

function cached(run: (text: string) => string): (text: string) => string {
	const results = new Map<string, string>();
	return text => {
		const result = results.get(text) ?? run(text);
		results.set(text, result);
		return result;
	};
}

/** Whether servers that normalize, trim or unquote a text keep it unchanged. Doesn't check percent encoding. */
export function isUnambiguous(text: string): boolean {
	const isAscii = /^[ -~]*$/.test(text);
	return (
		withoutEnds(text) === text &&
		(isAscii || (![unseen, slashes, /[\u00a5\u20a9\u203e]/].some(it => it.test(text)) && isNormal(text)))
	);
}

/** Whether a text has percent escapes, or other escapes of dots and separators. */
export function isEncoded(text: string): boolean {
	return escapes.test(text) || text.search(everyCodeEscape) >= 0;
}

/** The text without white space and invisible characters. */
export function dropUnseen(text: string): string {
	return /^[!-~]*$/.test(text) ? text : text.replaceAll(everyUnseenOrBlank, '');
}

/** The text without white space and quotes at both ends. A regular expression with `\s+$` would take quadratic time. */
export function withoutEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && isEnd(text[start])) {
		start++;
	}
	while (end > start && isEnd(text[end - 1])) {
		end--;
	}
	return text.slice(start, end);
}

/** Whether a character is white space or a quote. */
function isEnd(character: string | undefined): boolean {
	return character !== undefined && (quotes.includes(character) || /\s/.test(character));
}

/** Whether Unicode normalization keeps a text unchanged, except for composed or decomposed accents. */
function isNormal(text: string): boolean {
	if (manyMarks.test(text)) {
		return false;
	}
	const composed = text.normalize('NFC');
	return composed === text.normalize('NFKC') && (text === composed || text === text.normalize('NFD'));
}

/** The text without characters that a server may remove, and with slashes in place of characters that look like slashes. */
function simplified(text: string): string {
	if (/^[\0-\x7f]*$/.test(text)) {
		return withoutEnds(text.replaceAll(everyUnseenOfAscii, ''));
	}
	const visible = text.replaceAll(everyUnseen, it => (/[\n\r\u2028\u2029]/.test(it) ? it : ''));
	// Accents can be removed, because none of them is a dot or a separator.
	const bounded = visible.replaceAll(everyMarkTooMany, '$1').replaceAll(everySentence, 'x');
	return withoutEnds(bounded.replaceAll(overline, ' ~').normalize('NFKC').replaceAll(everySlash, '/'));
}

/** A simplified text after the conversion by code pages, and with the escapes of source code decoded. */
function converted(text: string): string {
	// The test is much faster than the replacement, and few texts need it.
	const slashed = currency.test(text) ? text.replaceAll(everyCurrency, '/') : text;
	const unescaped = slashed.replaceAll(everyCodeEscape, it => String.fromCharCode(parseInt(it.slice(2), 16)));
	return unescaped === slashed ? slashed : simplified(unescaped);
}

/** Decodes as lenient servers do: each encoded byte becomes one character, and overlong ASCII is accepted. */
function decodeBytes(text: string): string {
	return text
		.replaceAll(everyEscape, it => String.fromCharCode(parseInt(it.slice(1), 16)))
		.replaceAll(everyOverlong, it =>
			String.fromCharCode(((it.charCodeAt(it.length - 2) & 1) << 6) | (it.charCodeAt(it.length - 1) & 0x3f)),
		);
}

/** Decodes as servers do that read the bytes as UTF-8. */
function decodeUtf8(text: string): string {
	return decodeBytes(text).replaceAll(everyWide, it => {
		let code = it.charCodeAt(0) & (0x7f >> it.length);
		for (let index = 1; index < it.length; index++) {
			code = (code << 6) | (it.charCodeAt(index) & 0x3f);
		}
		return String.fromCodePoint(code);
	});
}
