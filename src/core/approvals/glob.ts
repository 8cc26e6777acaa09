/**
 * The patterns of a policy: `*` matches any characters, `?` any single one. `[*]`, `[?]` and `[[]` match the character
 * between the brackets; other brackets, and backslashes (as in Windows paths), match themselves. No library is used,
 * because libraries treat slashes, dots and line breaks specially, which a server can put into its names, and compile to
 * regular expressions that take minutes for a long argument.
 */

/** One character to match, or a wildcard. */
type Token =
	| { readonly kind: 'any' | 'one'; readonly character?: never }
	| { readonly kind: 'character'; readonly character: string };

/** Whether all of `text` matches `pattern`. Takes at most time proportional to both lengths multiplied. */
export function matchesGlob(pattern: string, text: string): boolean {
	const tokens = parseGlob(pattern);
	let at = 0;
	let star = -1;
	let taken = 0;
	let place = 0;
	while (place < text.length) {
		const token = tokens[at];
		if (token?.kind === 'any') {
			star = at++;
			taken = place;
		} else if (token && (token.kind === 'one' || token.character === text[place])) {
			at++;
			place++;
		} else if (star >= 0) {
			// No match: the last star matches one more character.
			at = star + 1;
			place = ++taken;
		} else {
			return false;
		}
	}
	while (tokens[at]?.kind === 'any') {
		at++;
	}
	return at === tokens.length;
}

/** The pattern that matches exactly this text. */
export function escapeGlob(text: string): string {
	return text.replaceAll(/[*?[]/g, '[$&]');
}

function parseGlob(pattern: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < pattern.length; at++) {
		const character = pattern.charAt(at);
		const next = pattern.charAt(at + 1);
		if (character === '[' && '*?['.includes(next) && pattern[at + 2] === ']') {
			tokens.push({ kind: 'character', character: next });
			at += 2;
		} else if (character === '*') {
			tokens.push({ kind: 'any' });
		} else if (character === '?') {
			tokens.push({ kind: 'one' });
		} else {
			tokens.push({ kind: 'character', character });
		}
	}
	return tokens;
}
