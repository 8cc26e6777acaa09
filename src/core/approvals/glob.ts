/**
 * The patterns of a policy: `*` matches any characters, `?` any one. `[*]`, `[?]` and `[[]` match the character between
 * the brackets; any other bracket, and a backslash, match themselves (paths of Windows have them). Not a library's:
 * those treat slashes, dots and line breaks of a name that a server chose specially, and compile to regular expressions
 * that a long argument can keep busy for minutes.
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
			// The last star takes one character more.
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

/** The one text that a pattern without wildcards matches; `undefined` for a pattern that matches several. */
export function literalOfGlob(pattern: string): string | undefined {
	const tokens = parseGlob(pattern);
	return tokens.every(it => it.kind === 'character') ? tokens.map(it => it.character).join('') : undefined;
}

/** Whether a pattern matches every text. */
export function isAnyGlob(pattern: string): boolean {
	return pattern !== '' && /^\**$/.test(pattern);
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
