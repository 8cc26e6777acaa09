/**
 * Which URLs from servers may be visited: `https:` anywhere, `http:` only on this machine, and addresses in the person's
 * network or machine only if the MCP server is as near or the person agrees. Host names are judged as written, because
 * this layer can't resolve them.
 */
import { tryParseUrl } from '../uri/parseUrl.js';
import type { UnsafeUrl } from './failure.js';

/** How near a host is. A server may lead to hosts that are as near as itself; nearer ones need the person's consent. */
export const Nearness = {
	public: 0,
	/** The person's network: RFC 1918, 4193, 6598, and names that only a local network resolves. */
	network: 1,
	/** This machine, and link-local addresses, where cloud providers serve credentials. */
	machine: 2,
} as const;

export type Nearness = (typeof Nearness)[keyof typeof Nearness];

const machineName = /^(?:.+\.)?localhost\.?$/;
/** Last labels of names that only a local network or a cluster resolves. */
const networkLabels = new Set('corp home internal intranet lan local localdomain private svc'.split(' '));

/** Addresses of this machine, including link-local addresses and the metadata service of Azure. */
const v4Machine = /^(?:0|127)\.|^169\.254\.|^168\.63\.129\.16$/;
/** Private, carrier-grade NAT, protocol assignments, benchmarks, multicast, and reserved addresses with broadcast. */
const v4Network =
	/^10\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.(?:168|0\.0)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^198\.1[89]\.|^2(?:2[4-9]|[345]\d)\./;
/** IPv4 in IPv6, compatible or mapped, as the URL parser writes it. */
const v4InV6 = /^::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})$/;
const v6Machine = /^::1?$|^fe[89ab]/;
/** Global unicast addresses, without 6to4 and Teredo, which lead to IPv4 addresses. */
const v6Public = /^(?!2002:|2001:0?:)[23][\da-f]{3}:/;

/** How near the host of a URL is. */
export function nearnessOf({ hostname }: URL): Nearness {
	if (hostname.startsWith('[')) {
		return nearnessOfV6(hostname.slice(1, -1));
	}
	// The URL parser rewrites every notation of an IPv4 address (hexadecimal, octal) as four decimal numbers.
	if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
		return nearnessOfV4(hostname);
	}
	const labels = hostname.split('.').filter(Boolean);
	const last = labels.at(-1) ?? '';
	if (last === 'localhost' || labels.slice(-2).join('.') === 'localhost.localdomain') {
		return Nearness.machine;
	}
	const isOfNetwork = labels.length <= 1 || networkLabels.has(last) || labels.slice(-2).join('.') === 'home.arpa';
	return isOfNetwork ? Nearness.network : Nearness.public;
}

function nearnessOfV4(address: string): Nearness {
	return v4Machine.test(address) ? Nearness.machine : v4Network.test(address) ? Nearness.network : Nearness.public;
}

function nearnessOfV6(address: string): Nearness {
	const [, high, low] = v4InV6.exec(address) ?? [];
	if (high !== undefined && low !== undefined) {
		const bytes = [high, low].map(it => parseInt(it, 16)).flatMap(it => [it >> 8, it & 0xff]);
		return nearnessOfV4(bytes.join('.'));
	}
	return v6Machine.test(address) ? Nearness.machine : v6Public.test(address) ? Nearness.public : Nearness.network;
}

/** True for `localhost` and the loopback addresses: requests to them never leave the machine. */
export function isLoopback({ hostname }: URL): boolean {
	return machineName.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]';
}

/** Why a URL must not be requested; undefined if it may be. */
export function findUrlProblem(text: string): UnsafeUrl | undefined {
	// The URL parser silently drops white space and control characters.
	// oxlint-disable-next-line no-control-regex -- the pattern finds control characters
	if (/[\0-\x20\x7f-\x9f\u2028\u2029]/.test(text)) {
		return 'characters';
	}
	const url = tryParseUrl(text);
	if (!url) {
		return 'notAUrl';
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return 'scheme';
	}
	if (url.username !== '' || url.password !== '') {
		return 'credentials';
	}
	return url.protocol === 'http:' && !isLoopback(url) ? 'insecure' : undefined;
}

const shellCharacter = /["'`<>\\^{|}$;()!*]/;

/** Why the operating system must not open a URL: as for a request, or a character has a meaning for a shell. */
export function findPageProblem(text: string): UnsafeUrl | undefined {
	return findUrlProblem(text) ?? (shellCharacter.test(text) ? 'characters' : undefined);
}

/** A page that the operating system may open after the person agreed; plain `http:` is allowed. */
export type Page =
	| { readonly kind: 'page'; readonly url: URL }
	| { readonly kind: 'unsafe'; readonly why: Exclude<UnsafeUrl, 'insecure'> };

/** Parses the URL of a page. Characters with a meaning for a shell are percent-encoded; in the host they are refused. */
export function readPage(text: string): Page {
	const why = findUrlProblem(text);
	if (why !== undefined && why !== 'insecure') {
		return { kind: 'unsafe', why };
	}
	const url = new URL(text);
	if (shellCharacter.test(url.host)) {
		return { kind: 'unsafe', why: 'characters' };
	}
	const encoded = url.href.replaceAll(
		new RegExp(shellCharacter, 'g'),
		it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return { kind: 'page', url: new URL(encoded) };
}

/** A URL for reports, without its user, query and fragment, which may be secret; at most 500 characters. */
export function withoutQuery(text: string): string {
	const url = tryParseUrl(text);
	if (!url) {
		return text.slice(0, 200);
	}
	const { protocol, host, pathname } = url;
	return `${protocol}//${host}${pathname}`.slice(0, 500);
}
