/**
 * URLs of servers. Besides `http:` and `https:` there are sockets: `unix:///path.sock#/sub` and
 * `pipe:///pipe/name#/sub`, where the path names the socket and the fragment is the path of the request.
 */
import { tryParseUrl } from '../uri/parseUrl.js';

/** Whether the URL names a socket, so that its fragment is the path of the request. */
export function isSocketUrl(url: URL): boolean {
	return url.protocol === 'unix:' || url.protocol === 'pipe:';
}

/** Two URLs may receive the same secrets only if their origins are equal. */
export function originOf(url: URL): string {
	return isSocketUrl(url) ? `${url.protocol}//${url.pathname}` : url.origin;
}

/**
 * Resolves a server's `Location` or `endpoint` against `base`.
 * @returns undefined for anything but the URL of a server that may be used instead of `base`
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
	// A server can't downgrade the connection from https to http.
	return base.protocol === 'https:' && url.protocol === 'http:' ? undefined : url;
}

/** The target of a redirect. */
export type HttpRedirect =
	| { readonly kind: 'sameOrigin'; readonly url: URL }
	/** The same host over TLS, both on their default ports. */
	| { readonly kind: 'upgrade'; readonly url: URL }
	| { readonly kind: 'otherOrigin'; readonly url: URL };

/** @returns undefined if `location` is not the URL of a server */
export function redirectTarget(from: URL, location: string): HttpRedirect | undefined {
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

/** The URL without the parts that may hold secrets, for logs and the tap. */
export function describeUrl(url: URL): string {
	return isSocketUrl(url) ? `${originOf(url)}#${url.hash.slice(1).split('?', 1)[0]}` : url.origin + url.pathname;
}
