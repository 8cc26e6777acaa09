/** PURE: what about the address of a page a person should know before they open it. */

export type UrlWarning =
	/** It has a name or password before the host, which can look like the host. */
	| { readonly kind: 'userInfo' }
	/** Letters of other scripts, which may look like those of another domain; as a browser would show it. */
	| { readonly kind: 'punycode'; readonly host: string }
	/** A number in place of a name. */
	| { readonly kind: 'address' }
	/** What is typed there can be read on the way. */
	| { readonly kind: 'notEncrypted' };

/** Spec, elicitation, URL mode: "highlight the domain", warn of "ambiguous or suspicious" ones. */
export function warningsOfUrl({ protocol, hostname, username, password }: URL): UrlWarning[] {
	const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$|\.localhost$/.test(hostname);
	return [
		...(username !== '' || password !== '' ? [{ kind: 'userInfo' } as const] : []),
		...(/(?:^|\.)xn--/.test(hostname) ? [{ kind: 'punycode', host: hostname } as const] : []),
		...(!isLocal && (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) ? [{ kind: 'address' } as const] : []),
		...(protocol === 'http:' && !isLocal ? [{ kind: 'notEncrypted' } as const] : []),
	];
}
