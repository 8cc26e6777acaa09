/** Parses URLs that others wrote. */
import { textLimits } from '../limits.js';

/** Of a host with a user and a port. A host has at most 253 characters; to make letters of more takes quadratic time. */
const maxAuthority = 1024;

/** @returns `undefined` for what is no URL, or longer than any */
export function tryParseUrl(text: string, base?: string): URL | undefined {
	return text.length <= textLimits.uri && authorityOf(text).length <= maxAuthority && URL.canParse(text, base)
		? new URL(text, base)
		: undefined;
}

/** What the parser takes for the host and what belongs to it, of schemes whose hosts it rewrites. */
function authorityOf(text: string): string {
	// It drops these before it looks.
	// oxlint-disable-next-line no-control-regex -- these are what is looked for
	const plain = text.replace(/^[\0-\x20]+|[\t\n\r]/g, '');
	return /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/i.exec(plain)?.[1] ?? '';
}
