/** Warnings about the URL of a page that a server asks the person to open. */
import { isLoopback, Nearness, nearnessOf, tryParseUrl } from '../../mcp/index.js';
import type { LaunchDefinition } from '../config/serverDefinition.js';

/**
 * `punycode`: the host has letters that can look like those of another domain. `address`: the host is an IP address.
 * `machine`, `network`: the page is on this machine or on a private network, and the server isn't. `notEncrypted`: others
 * can read what the person types there.
 */
export type UrlWarning = 'punycode' | 'address' | 'machine' | 'network' | 'notEncrypted';

/**
 * Spec, elicitation, URL mode: warn about "ambiguous or suspicious" domains.
 * @param server how near the server is to the person
 */
export function warningsOfUrl(url: URL, server: Nearness): UrlWarning[] {
	const { protocol, hostname } = url;
	const isLocal = isLoopback(url);
	const nearness = nearnessOf(url);
	const holds: Readonly<Record<UrlWarning, boolean>> = {
		punycode: /(?:^|\.)xn--/.test(hostname),
		address: !isLocal && (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')),
		machine: nearness > server && nearness === Nearness.machine,
		network: nearness > server && nearness !== Nearness.machine,
		notEncrypted: protocol === 'http:' && !isLocal,
	};
	return (Object.keys(holds) as UrlWarning[]).filter(it => holds[it]);
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
