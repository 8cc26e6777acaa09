/** PURE: what a server says when it does not let us in. RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1. */

/** One scheme of a `WWW-Authenticate` header. */
export interface Challenge {
	/** In lower case. */
	readonly scheme: string;
	/** Names in lower case. The first of several counts. */
	readonly parameters: ReadonlyMap<string, string>;
}

/** What of all challenges concerns us. */
export interface Demand {
	readonly isDpop: boolean;
	readonly error: string | undefined;
	/** undefined: the server does not say. */
	readonly scopes: readonly string[] | undefined;
	/** Not looked at yet: it may be anything. */
	readonly resourceMetadata: string | undefined;
}

const token = "[\\w!#$%&'*+\\-.^`|~]+";
const parameter = new RegExp(`^[\\s,]*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))(?=[\\s,]|$)`, 's');
const scheme = new RegExp(`^[\\s,]*(${token})(?=[\\s,]|$)`);
const token68 = /^[ \t]+[\w\-.~+/]+=*(?=\s*(?:,|$))/;

/** A header that is longer is not read. */
const maxLength = 16_384;

/** Reads as much of the header as is well-formed; HTTP joins several headers with a comma. */
export function parseChallenges(header: string): Challenge[] {
	const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
	let rest = header.length > maxLength ? '' : header;
	while (rest !== '') {
		const pair = challenges.length > 0 ? parameter.exec(rest) : undefined;
		if (pair) {
			const [all, name = '', quoted, plain] = pair;
			const { parameters } = challenges.at(-1) ?? { parameters: new Map<string, string>() };
			if (!parameters.has(name.toLowerCase())) {
				parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '');
			}
			rest = rest.slice(all.length);
			continue;
		}
		const next = scheme.exec(rest);
		if (!next) {
			break;
		}
		challenges.push({ scheme: (next[1] ?? '').toLowerCase(), parameters: new Map() });
		rest = rest.slice(next[0].length);
		rest = rest.slice(token68.exec(rest)?.[0].length ?? 0);
	}
	return challenges;
}

/** @param header of the response; none is a challenge that says nothing */
export function readDemand(header: string | undefined): Demand {
	const ours = parseChallenges(header ?? '').filter(it => it.scheme === 'bearer' || it.scheme === 'dpop');
	const find = (name: string): string | undefined =>
		ours.find(it => it.parameters.has(name))?.parameters.get(name) || undefined;
	return {
		isDpop: ours.length > 0 && ours.every(it => it.scheme === 'dpop'),
		error: find('error'),
		scopes: parseScopes(find('scope')),
		resourceMetadata: find('resource_metadata'),
	};
}

/** RFC 6749, 3.3: separated by spaces. What no scope can be is left out. */
export function parseScopes(text: string | undefined): readonly string[] | undefined {
	const scopes = text?.split(' ').filter(it => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(it));
	return scopes && scopes.length > 0 ? [...new Set(scopes)] : undefined;
}
