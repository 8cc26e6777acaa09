/** What about the address of a page a person should know before they open it. */
import { isLoopback, Nearness, nearnessOf, tryParseUrl } from '../../mcp/index.js';
import type { LaunchDefinition } from '../config/serverDefinition.js';

export type UrlWarning =
	/** Letters of other scripts, which may look like those of another domain; as a browser would show it. */
	| { readonly kind: 'punycode'; readonly host: string }
	/** A number in place of a name. */
	| { readonly kind: 'address' }
	/** The page is on this machine, and the server is not. */
	| { readonly kind: 'machine' }
	/** The page is on a private network, and the server is not. */
	| { readonly kind: 'network' }
	/** What is typed there can be read on the way. */
	| { readonly kind: 'notEncrypted' };

/**
 * Spec, elicitation, URL mode: "highlight the domain", warn of "ambiguous or suspicious" ones.
 * @param server where the server is that names the page
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

/** How near a server is to the person: a program, or one behind a socket, is on the machine. */
export function nearnessOfServer(launch: LaunchDefinition): Nearness {
	if (launch.kind === 'stdio' || /^(?:unix|pipe):/i.test(launch.url)) {
		return Nearness.machine;
	}
	// With variables in it nobody knows yet.
	const url = tryParseUrl(launch.url);
	return url ? nearnessOf(url) : Nearness.public;
}
