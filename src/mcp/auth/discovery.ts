/**
 * Finds the authorization server of an MCP server. Spec 2025-11-25 and 2026-07-28, authorization server discovery; spec
 * 2025-03-26, authorization, for servers without metadata.
 */
import type { AuthorizationServer } from 'oauth4webapi';
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { tryParseUrl } from '../uri/parseUrl.js';
import type { AuthHttp } from './authHttp.js';
import type { Exceptions } from './config.js';
import { withoutQuery } from './addresses.js';
import { parseScopes } from './challenges.js';
import { AuthError, type AuthFailure, type AuthRequest } from './failure.js';
import type { ReportStep } from './signInSteps.js';

/** Spec 2025-03-26: clients SHOULD send the protocol version, so that servers can answer according to it. */
const revision = '2025-11-25';

/** Authorization servers of one MCP server that are tried. */
const maxIssuers = 5;

/** An authorization server. Its `issuer`, to which secrets and tokens are bound, is the URL that the metadata were requested for. */
export interface FoundServer extends AuthorizationServer {
	/** The issuer that the metadata name, if it differs and the person accepts it. Used only to check responses. */
	readonly namedIssuer?: string;
}

/** The results of discovery about a server and its authorization server. */
export interface Discovered {
	/** The resource identifier exactly as published; undefined if the server has no metadata. */
	readonly resource: string | undefined;
	/** The URL of the metadata that a challenge named. */
	readonly resourceMetadataUrl: string | undefined;
	/** The scopes that the server suggests. */
	readonly scopes: readonly string[] | undefined;
	/** Whether the server accepts only tokens that are bound to a key. */
	readonly needsDpop: boolean;
	readonly as: FoundServer;
	/** The authorization server has no metadata, so `as` has the default endpoints of revision 2025-03-26. */
	readonly isGuess: boolean;
}

interface ResourceMetadata {
	readonly resource: string;
	readonly issuers: readonly string[];
	readonly scopes: readonly string[] | undefined;
	readonly needsDpop: boolean;
}

export interface DiscoveryOptions {
	readonly server: URL;
	readonly http: AuthHttp;
	readonly report: ReportStep;
	readonly acceptedIssuers?: Exceptions['issuers'] | undefined;
}

/**
 * @param named the URL of the metadata in this or an earlier challenge
 * @param preferred the issuer that is chosen if the server still lists it
 * @throws AuthError
 * @throws AbortError
 */
export async function discover(
	options: DiscoveryOptions,
	named: string | undefined,
	preferred: string | undefined,
	signal: AbortSignal,
): Promise<Discovered> {
	const { server, report } = options;
	// RFC 9728, 5.1 requires an absolute URL, but some servers send a path (anthropics/claude-code#46539).
	const url = named !== undefined && /^\/(?!\/)/.test(named) ? server.origin + named : named;
	const metadata = await findResource(options, url, signal);
	if (!metadata) {
		report({ kind: 'resource', from: 'none', resource: undefined, issuers: [server.origin], scopes: undefined });
		const found = await findServer(options, server.origin, signal);
		const as = found ?? defaultMetadata(server);
		report({ kind: 'authorizationServer', issuer: as.issuer, from: found ? 'metadata' : 'defaults' });
		const nothing = { resource: undefined, resourceMetadataUrl: undefined, scopes: undefined, needsDpop: false };
		return { ...nothing, as, isGuess: !found };
	}
	const as = await findAny(options, metadata.issuers, preferred, signal);
	report({ kind: 'authorizationServer', issuer: as.issuer, from: 'metadata' });
	const { resource, scopes, needsDpop } = metadata;
	return { resource, resourceMetadataUrl: url, scopes, needsDpop, as, isGuess: false };
}

/** RFC 9728, 3.1: at the path of the server. MCP adds the root. */
export function resourceMetadataUrls({ origin, pathname }: URL): string[] {
	const root = `${origin}/.well-known/oauth-protected-resource`;
	return pathname === '/' ? [root] : [root + pathname, root];
}

/** The well-known URLs of an authorization server's metadata, in the order of the MCP specification. */
export function serverMetadataUrls(issuer: string): string[] {
	const { origin, pathname } = new URL(issuer);
	const path = pathname.replace(/\/$/, '');
	const wellKnown = `${origin}/.well-known`;
	return path === ''
		? [`${wellKnown}/oauth-authorization-server`, `${wellKnown}/openid-configuration`]
		: [
				`${wellKnown}/oauth-authorization-server${path}`,
				`${wellKnown}/openid-configuration${path}`,
				`${origin}${path}/.well-known/openid-configuration`,
			];
}

/**
 * Whether a server may use this resource identifier: its own URL, or a parent path on the same origin. The identifier of
 * another server would yield tokens that are valid there.
 */
export function isResourceOf(resource: string, server: URL): boolean {
	const url = tryParseUrl(resource);
	if (!url) {
		return false;
	}
	const { origin, pathname, hash } = url;
	const above = pathname.endsWith('/') ? pathname : `${pathname}/`;
	return origin === server.origin && hash === '' && `${server.pathname}/`.startsWith(above);
}

async function findResource(
	{ server, http, report }: DiscoveryOptions,
	named: string | undefined,
	signal: AbortSignal,
): Promise<ResourceMetadata | undefined> {
	const candidates = [...(named === undefined ? [] : [named]), ...resourceMetadataUrls(server)];
	for (const url of new Set(candidates)) {
		const json = await getMetadata(http, 'resourceMetadata', url, signal, url === named);
		const { resource } = json ?? {};
		if (!json || typeof resource !== 'string') {
			continue;
		}
		if (!isResourceOf(resource, server)) {
			throw new AuthError({ code: 'resourceMismatch', server: server.href, resource: resource.slice(0, 500) });
		}
		const issuers = strings(json['authorization_servers']) ?? [];
		const scopes = parseScopes(strings(json['scopes_supported'])?.join(' '));
		const from = url === named ? 'challenge' : 'wellKnown';
		report({ kind: 'resource', from, resource, issuers, scopes });
		return { resource, issuers, scopes, needsDpop: json['dpop_bound_access_tokens_required'] === true };
	}
	return undefined;
}

/** The preferred authorization server, otherwise the first that has metadata. */
async function findAny(
	options: DiscoveryOptions,
	issuers: readonly string[],
	preferred: string | undefined,
	signal: AbortSignal,
): Promise<FoundServer> {
	const first = issuers.filter(it => it === preferred);
	const candidates = [...first, ...issuers.filter(it => it !== preferred)].slice(0, maxIssuers);
	let failure: AuthFailure = { code: 'noAuthorizationServer', url: options.server.href };
	for (const issuer of candidates) {
		const why = 'none of its metadata could be read';
		failure = { code: 'noAnswer', request: 'serverMetadata', url: withoutQuery(issuer), why };
		try {
			const as = await findServer(options, issuer, signal);
			if (as) {
				return as;
			}
		} catch (error) {
			if (!(error instanceof AuthError) || error.failure.code !== 'noAnswer') {
				throw error;
			}
			({ failure } = error);
		}
	}
	throw new AuthError(failure);
}

/** The metadata of an issuer; undefined if there is none. */
export async function findServer(
	{ http, acceptedIssuers }: Pick<DiscoveryOptions, 'http' | 'acceptedIssuers'>,
	issuer: string,
	signal: AbortSignal,
): Promise<FoundServer | undefined> {
	await http.check('serverMetadata', issuer, signal);
	for (const url of serverMetadataUrls(issuer)) {
		const json = await getMetadata(http, 'serverMetadata', url, signal, false);
		if (json && typeof json['issuer'] === 'string') {
			const { issuer: named } = json;
			// RFC 8414, 3.3: the issuers must be identical, without normalization.
			if (named !== issuer && acceptedIssuers?.get(issuer) !== named) {
				throw new AuthError({ code: 'issuerMismatch', issuer, named: named.slice(0, 500) });
			}
			return { ...checked(json), issuer, ...(named !== issuer && { namedIssuer: named }) };
		}
	}
	return undefined;
}

/**
 * The metadata at a URL; undefined if the answer is not a JSON object.
 * @param isNamed whether a challenge named the URL: if it can't be reached, there are other URLs to try
 */
async function getMetadata(
	http: AuthHttp,
	request: AuthRequest,
	url: string,
	signal: AbortSignal,
	isNamed: boolean,
): Promise<JsonObject | undefined> {
	try {
		const init = { method: 'GET', headers: { accept: 'application/json', 'mcp-protocol-version': revision } };
		const { status, text } = await http.send(request, url, init, signal);
		const value = status === 200 ? parseJson(text) : undefined;
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (isNamed && error instanceof AuthError && error.failure.code === 'noAnswer') {
			return undefined;
		}
		throw error;
	}
}

const metadataTexts = 'issuer authorization_endpoint token_endpoint registration_endpoint revocation_endpoint'.split(
	' ',
);
const metadataLists = (
	'code_challenge_methods_supported token_endpoint_auth_methods_supported scopes_supported grant_types_supported ' +
	'dpop_signing_alg_values_supported'
).split(' ');
const metadataFlags = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'];

/** The metadata that is used, without members of a wrong type, which the library doesn't check. */
function checked(json: JsonObject): AuthorizationServer {
	const pairs: [string, unknown][] = [
		...metadataTexts.map((it): [string, unknown] => [it, typeof json[it] === 'string' ? json[it] : undefined]),
		...metadataLists.map((it): [string, unknown] => [it, strings(json[it])]),
		...metadataFlags.map((it): [string, unknown] => [it, json[it] === true ? true : undefined]),
	];
	return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as unknown as AuthorizationServer;
}

/** Spec 2025-03-26, "Fallbacks for Servers without Metadata Discovery". */
function defaultMetadata({ origin }: URL): AuthorizationServer {
	return {
		issuer: origin,
		authorization_endpoint: `${origin}/authorize`,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
	};
}

function strings(value: unknown): string[] | undefined {
	return Array.isArray(value) ? value.filter(it => typeof it === 'string') : undefined;
}
