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

/** Address ranges by first address and prefix length. Addresses outside every row are public. */
type V4Row = readonly [first: string, bits: number, nearness: Nearness];
const v4Rows: readonly V4Row[] = [
	['0.0.0.0', 8, Nearness.machine],
	['127.0.0.0', 8, Nearness.machine],
	['169.254.0.0', 16, Nearness.machine],
	// The metadata service of Azure.
	['168.63.129.16', 32, Nearness.machine],
	['10.0.0.0', 8, Nearness.network],
	['172.16.0.0', 12, Nearness.network],
	['192.168.0.0', 16, Nearness.network],
	// Carrier-grade NAT, protocol assignments, benchmarks, multicast, and reserved addresses with broadcast.
	['100.64.0.0', 10, Nearness.network],
	['192.0.0.0', 24, Nearness.network],
	['198.18.0.0', 15, Nearness.network],
	['224.0.0.0', 4, Nearness.network],
	['240.0.0.0', 4, Nearness.network],
];

/** `v4` and `inverted` are bit offsets of embedded IPv4 addresses; Teredo inverts them. The nearest address counts. */
interface V6Row {
	readonly first: string;
	readonly bits: number;
	readonly nearness?: Nearness;
	readonly v4?: readonly number[];
	readonly inverted?: readonly number[];
}
const v6Rows: readonly V6Row[] = [
	{ first: '::', bits: 127, nearness: Nearness.machine },
	{ first: 'fe80::', bits: 10, nearness: Nearness.machine },
	// Unique local, site-local, and multicast.
	{ first: 'fc00::', bits: 7, nearness: Nearness.network },
	{ first: 'fec0::', bits: 10, nearness: Nearness.network },
	{ first: 'ff00::', bits: 8, nearness: Nearness.network },
	// IPv4 in IPv6: compatible, mapped, translated (SIIT, NAT64), 6to4 and Teredo.
	{ first: '::', bits: 96, v4: [96] },
	{ first: '::ffff:0:0', bits: 96, v4: [96] },
	{ first: '::ffff:0:0:0', bits: 96, v4: [96] },
	{ first: '64:ff9b::', bits: 96, v4: [96] },
	{ first: '64:ff9b:1::', bits: 48, nearness: Nearness.network, v4: [96] },
	{ first: '2002::', bits: 16, v4: [16] },
	{ first: '2001::', bits: 32, v4: [32], inverted: [96] },
];

/** How near the host of a URL is. */
export function nearnessOf({ hostname }: URL): Nearness {
	if (hostname.startsWith('[')) {
		return nearnessOfV6(parseV6(hostname.slice(1, -1)));
	}
	// The URL parser rewrites every notation of an IPv4 address (hexadecimal, octal) as four decimal numbers.
	if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
		return nearnessOfV4(parseV4(hostname));
	}
	const labels = hostname.split('.').filter(Boolean);
	const last = labels.at(-1) ?? '';
	if (last === 'localhost' || labels.slice(-2).join('.') === 'localhost.localdomain') {
		return Nearness.machine;
	}
	const isOfNetwork = labels.length <= 1 || networkLabels.has(last) || labels.slice(-2).join('.') === 'home.arpa';
	return isOfNetwork ? Nearness.network : Nearness.public;
}

function nearnessOfV4(address: bigint): Nearness {
	const row = v4Rows.find(([first, bits]) => (address ^ parseV4(first)) >> BigInt(32 - bits) === 0n);
	return row?.[2] ?? Nearness.public;
}

function nearnessOfV6(address: bigint): Nearness {
	const row = v6Rows.find(({ first, bits }) => (address ^ parseV6(first)) >> BigInt(128 - bits) === 0n);
	const v4At = (bit: number): bigint => BigInt.asUintN(32, address >> BigInt(96 - bit));
	const all: Nearness[] = [
		row?.nearness ?? Nearness.public,
		...(row?.v4 ?? []).map(it => nearnessOfV4(v4At(it))),
		...(row?.inverted ?? []).map(it => nearnessOfV4(BigInt.asUintN(32, ~v4At(it)))),
	];
	return all.reduce((nearest, it) => (it > nearest ? it : nearest));
}

function parseV4(text: string): bigint {
	return text.split('.').reduce((address, it) => (address << 8n) | BigInt(it), 0n);
}

/** @param text an address as the URL parser writes it: without an IPv4 part at its end */
function parseV6(text: string): bigint {
	const [head = [], tail = []] = text.split('::').map(it => (it === '' ? [] : it.split(':')));
	const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
	return [...head, ...zeros, ...tail].reduce((address, it) => (address << 16n) | BigInt(`0x${it}`), 0n);
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
