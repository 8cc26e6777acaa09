/**
 * PURE: which URLs of strangers are visited. `https:` anywhere, `http:` on this machine alone; and what lies on the
 * person's own network or machine only where the MCP server lies there too, or the person agrees. Names are judged as
 * they are written: what they resolve to is not known here.
 */
import type { UnsafeUrl } from './failure.js';

/** How near a host is: what a server may name without a question is at most as near as the server itself. */
export const Nearness = {
	public: 0,
	/** Of the own network: RFC 1918, 4193, 6598, and names that only it knows. */
	network: 1,
	/** This machine, and link-local addresses, where clouds keep their secrets. */
	machine: 2,
} as const;

export type Nearness = (typeof Nearness)[keyof typeof Nearness];

const machineName = /^(?:.+\.)?localhost\.?$/;
const networkName = /^[^.]+$|\.(?:local|internal|intranet|lan|home|corp|home\.arpa)\.?$/;

/** @param url of which only the host counts */
export function nearnessOf({ hostname }: URL): Nearness {
	if (hostname.startsWith('[')) {
		return nearnessOfV6(hostname.slice(1, -1));
	}
	// The URL parser has written every IPv4 address, however disguised, as four decimal numbers.
	const v4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(hostname);
	if (v4) {
		return nearnessOfV4(Number(v4[1]), Number(v4[2]));
	}
	if (machineName.test(hostname)) {
		return Nearness.machine;
	}
	return networkName.test(hostname) ? Nearness.network : Nearness.public;
}

function nearnessOfV4(a: number, b: number): Nearness {
	if (a === 127 || a === 0 || (a === 169 && b === 254)) {
		return Nearness.machine;
	}
	const isPrivate = a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
	return isPrivate || (a === 100 && b >= 64 && b <= 127) ? Nearness.network : Nearness.public;
}

function nearnessOfV6(address: string): Nearness {
	if (address === '::1' || address === '::' || /^fe[89ab]/.test(address)) {
		return Nearness.machine;
	}
	// IPv4 in IPv6: mapped, and as NAT64 translates it. The parser writes `::ffff:7f00:1`.
	const mapped = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):[\da-f]{1,4}$/.exec(address);
	if (mapped) {
		const high = Number.parseInt(mapped[1] ?? '', 16);
		return nearnessOfV4(high >> 8, high & 255);
	}
	return /^f[cd]/.test(address) ? Nearness.network : Nearness.public;
}

/** True for `localhost` and the loopback addresses: what is sent there leaves no machine. */
export function isLoopback({ hostname }: URL): boolean {
	return machineName.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]';
}

/** What is wrong with a URL that we are to send something to; undefined if nothing is. */
export function problemOf(text: string): UnsafeUrl | undefined {
	// The parser drops white space and control characters silently.
	// oxlint-disable-next-line no-control-regex -- these are what is looked for
	if (/[\0-\x20\x7f-\x9f\u2028\u2029]/.test(text)) {
		return 'characters';
	}
	if (!URL.canParse(text)) {
		return 'notAUrl';
	}
	const url = new URL(text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return 'scheme';
	}
	if (url.username !== '' || url.password !== '') {
		return 'credentials';
	}
	return url.protocol === 'http:' && !isLoopback(url) ? 'insecure' : undefined;
}

/** The same for one that is handed to the system to open: nothing in it may mean something to a shell. */
export function problemOfPage(text: string): UnsafeUrl | undefined {
	return problemOf(text) ?? (/["'`<>\\^{|}$;()!*]/.test(text) ? 'characters' : undefined);
}

/** For reports: a URL without what may be secret. */
export function withoutQuery(text: string): string {
	if (!URL.canParse(text)) {
		return text.slice(0, 200);
	}
	const { protocol, host, pathname } = new URL(text);
	return `${protocol}//${host}${pathname}`.slice(0, 500);
}
