/** Warnings about the URL of a page that a server asks the person to open. */
import { isLoopback, Nearness, nearnessOf, tryParseUrl } from '../../mcp/index.js';
import type { LaunchDefinition } from '../config/serverDefinition.js';

export type UrlWarning =
	/** The host has letters that can look like those of another domain. */
	| { readonly kind: 'punycode'; readonly host: string }
	/**
	 * `address`: the host is an IP address. `machine`, `network`: the page is on this machine or on a private network, and
	 * the server isn't. `notEncrypted`: others can read what the person types there.
	 */
	| { readonly kind: 'address' | 'machine' | 'network' | 'notEncrypted' };

/**
 * Spec, elicitation, URL mode: warn about "ambiguous or suspicious" domains.
 * @param server how near the server is to the person
 */
export function warningsOfUrl(url: URL, server: Nearness): UrlWarning[] {
	const { protocol, hostname } = url;
	const isLocal = isLoopback(url);
	const nearness = nearnessOf(url);
	return [
		...(/(?:^|\.)xn--/.test(hostname) ? [{ kind: 'punycode', host: hostname } as const] : []),
		...(!isLocal && (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) ? [{ kind: 'address' } as const] : []),
		...(nearness > server ? [{ kind: nearness === Nearness.machine ? 'machine' : 'network' } as const] : []),
		...(protocol === 'http:' && !isLocal ? [{ kind: 'notEncrypted' } as const] : []),
	];
}

/** How near a server is to the person: a process, or a server at a local socket, is on this machine. */
export function nearnessOfServer(launch: LaunchDefinition): Nearness {
	if (launch.kind === 'stdio' || /^(?:unix|pipe):/i.test(launch.url)) {
		return Nearness.machine;
	}
	// A URL with variables may lead anywhere.
	const url = tryParseUrl(launch.url);
	return url ? nearnessOf(url) : Nearness.public;
}
