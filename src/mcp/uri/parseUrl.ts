/** Parses URLs from outside. */
import { textLimits } from '../limits.js';

/**
 * The longest authority (user, host and port). A host name has at most 253 characters; the parser takes quadratic
 * time for much longer ones.
 */
const maxAuthority = 1024;

/** @returns `undefined` if the text is no URL, or too long */
export function tryParseUrl(text: string, base?: string): URL | undefined {
	return text.length <= textLimits.uri && authorityOf(text).length <= maxAuthority && URL.canParse(text, base)
		? new URL(text, base)
		: undefined;
}

/** The authority, for schemes whose hosts the parser rewrites. */
function authorityOf(text: string): string {
	// The parser removes these characters first.
	// oxlint-disable-next-line no-control-regex -- control characters are what is removed
	const plain = text.replace(/^[\0-\x20]+|[\t\n\r]/g, '');
	return /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/i.exec(plain)?.[1] ?? '';
}
