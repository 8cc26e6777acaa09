/**
 * The demands of a server with status 401 or 403: its `WWW-Authenticate` challenges, and how often it repeats them.
 * RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1.
 */

/** One scheme of a `WWW-Authenticate` header. */
export interface Challenge {
	/** In lower case. */
	readonly scheme: string;
	/** By names in lower case. Of parameters with the same name, the first counts. */
	readonly parameters: ReadonlyMap<string, string>;
}

/** The `Bearer` and `DPoP` challenges of a response, as one. */
export interface Demand {
	/** Whether the server accepts only tokens that are bound to a key. */
	readonly isDpop: boolean;
	readonly error: string | undefined;
	readonly scopes: readonly string[] | undefined;
	/** The URL of the metadata, not validated. */
	readonly resourceMetadata: string | undefined;
}

const token = "[\\w!#$%&'*+\\-.^`|~]+";
const parameter = new RegExp(`^[\\s,]*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))(?=[\\s,]|$)`, 's');
const scheme = new RegExp(`^[\\s,]*(${token})(?=[\\s,]|$)`);
const token68 = /^[ \t]+[\w\-.~+/]+=*(?=\s*(?:,|$))/;

/** Characters of a header; a longer one is ignored. */
const maxLength = 16_384;

/** Parses a header up to the first syntax error. HTTP joins several headers with a comma. */
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

/** The demand of a response's `WWW-Authenticate` header; without a header, a demand for any token. */
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

/** Parses a list of scopes separated by spaces and drops invalid ones; undefined if none is left. RFC 6749, 3.3. */
export function parseScopes(text: string | undefined): readonly string[] | undefined {
	const scopes = text?.split(' ').filter(it => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(it));
	return scopes && scopes.length > 0 ? [...new Set(scopes)] : undefined;
}

/** How often the same demand is met before the server counts as never satisfied. */
export const maxGrants = 2;

/**
 * Counts how often a server repeats a demand that was met. Spec 2025-11-25, scope challenge handling: "Clients SHOULD
 * implement retry limits and SHOULD track scope upgrade attempts".
 */
export class DemandCounter {
	private readonly counts = new Map<string, number>();

	/** How often this demand has been met since the server last accepted a token. */
	count(demand: Demand): number {
		return this.counts.get(demandKey(demand)) ?? 0;
	}

	/** Records that the demand was met with a new token. */
	didMeet(demand: Demand): void {
		this.counts.set(demandKey(demand), this.count(demand) + 1);
	}

	/** Starts over: the server accepted a token, or the person wants to try again. */
	clear(): void {
		this.counts.clear();
	}
}

function demandKey({ error, scopes = [] }: Demand): string {
	return error === 'insufficient_scope' ? `more ${scopes.toSorted().join(' ')}` : 'who';
}
