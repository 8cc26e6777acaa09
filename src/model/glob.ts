/**
 * PURE: the patterns of a policy. `*` stands for any characters, `?` for one; all else stands for itself. Ours rather
 * than a library's: those stop at a slash, a dot or a line break, which a name chosen by a server may hold, and turn
 * into expressions that a long argument can keep busy for minutes.
 */

/** Whether all of `text` is what `pattern` says. Takes no longer than both lengths multiplied. */
export function matchesGlob(pattern: string, text: string): boolean {
	let at = 0;
	let star = -1;
	let taken = 0;
	let place = 0;
	while (place < text.length) {
		if (at < pattern.length && pattern[at] === '*') {
			star = at++;
			taken = place;
		} else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[place])) {
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
	while (pattern[at] === '*') {
		at++;
	}
	return at === pattern.length;
}
