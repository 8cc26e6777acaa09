/**
 * URLs of servers. Besides `http:` and `https:` there are sockets: `unix:///path.sock#/sub` and
 * `pipe:///pipe/name#/sub`, where the path names the socket and the fragment is what the server is asked for.
 */
import { tryParseUrl } from '../uri/parseUrl.js';

/** True for the two schemes whose fragment is the path. */
export function isSocketUrl(url: URL): boolean {
	return url.protocol === 'unix:' || url.protocol === 'pipe:';
}

/** What two URLs must share for one to be told the other's secrets. */
export function originOf(url: URL): string {
	return isSocketUrl(url) ? `${url.protocol}//${url.pathname}` : url.origin;
}

/**
 * What a server's `Location` or `endpoint` means, read at `base`.
 * @returns undefined for what is no address of a server that one may be sent to
 */
export function resolveReference(base: URL, reference: string): URL | undefined {
	if (isSocketUrl(base)) {
		const inner = tryParseUrl(reference, `http://socket${base.hash.slice(1) || '/'}`);
		if (inner?.host !== 'socket') {
			return undefined;
		}
		const url = new URL(base);
		url.hash = inner.pathname + inner.search;
		return url;
	}
	const url = tryParseUrl(reference, base.href);
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		return undefined;
	}
	// Never from a protected connection to an open one.
	return base.protocol === 'https:' && url.protocol === 'http:' ? undefined : url;
}

/** Where a response sends a request to. */
export type RedirectTarget =
	| { readonly kind: 'sameOrigin'; readonly url: URL }
	/** The same host over TLS, both on their standard ports. */
	| { readonly kind: 'upgrade'; readonly url: URL }
	| { readonly kind: 'otherOrigin'; readonly url: URL };

/** @returns undefined for what is no URL of a server */
export function redirectTarget(from: URL, location: string): RedirectTarget | undefined {
	const url = resolveReference(from, location);
	if (url && originOf(url) === originOf(from)) {
		return { kind: 'sameOrigin', url };
	}
	const other = tryParseUrl(location, isSocketUrl(from) ? 'http://socket/' : from.href);
	if (other?.protocol !== 'https:' && other?.protocol !== 'http:') {
		return undefined;
	}
	const isUpgrade =
		from.protocol === 'http:' &&
		other.protocol === 'https:' &&
		other.hostname === from.hostname &&
		from.port === '' &&
		other.port === '';
	return { kind: isUpgrade ? 'upgrade' : 'otherOrigin', url: other };
}

/** For logs and the tap: without the parts that may hold secrets. */
export function describeUrl(url: URL): string {
	return isSocketUrl(url) ? `${originOf(url)}#${url.hash.slice(1).split('?', 1)[0]}` : url.origin + url.pathname;
}
