/**
 * Who guards a server. Spec 2025-11-25 and 2026-07-28, authorization server discovery; 2025-03-26, authorization, for
 * servers that describe nothing.
 */
import { tryParseUrl } from '../uri/parseUrl.js';
import type { AuthorizationServer } from 'oauth4webapi';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { AuthHttp } from './authHttp.js';
import { withoutQuery } from './addresses.js';
import { parseScopes } from './challenges.js';
import { AuthError, type AuthFailure, type AuthRequest } from './failure.js';
import type { ReportStep } from './steps.js';

/** Spec 2025-03-26: clients SHOULD send it, so that a server may answer as that revision wants it. */
const revision = '2025-11-25';

/** A server that names more has a reason that we do not know. */
const maxIssuers = 5;

/** What is known of a server and of the authorization server that was chosen. */
export interface Discovered {
	/** As published, to the letter; undefined: the server publishes none, and knows no resource indicators. */
	readonly resource: string | undefined;
	/** Where that was published, if it is not where one would look. */
	readonly resourceMetadataUrl: string | undefined;
	/** What the server suggests to ask for. */
	readonly scopes: readonly string[] | undefined;
	/** The server insists on tokens that are bound to a key. */
	readonly needsDpop: boolean;
	readonly as: AuthorizationServer;
	/** It has no metadata: revision 2025-03-26 says where its endpoints are. */
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
}

/**
 * @param named the metadata's URL of the challenge, or of an earlier one
 * @param preferred an issuer that is taken if the server still names it
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
	const metadata = await findResource(options, named, signal);
	if (!metadata) {
		report({ kind: 'resource', from: 'none', resource: undefined, issuers: [server.origin], scopes: undefined });
		const found = await findServer(options, server.origin, signal);
		const as = found ?? defaultsOf(server);
		report({ kind: 'authorizationServer', issuer: as.issuer, from: found ? 'metadata' : 'defaults' });
		const nothing = { resource: undefined, resourceMetadataUrl: undefined, scopes: undefined, needsDpop: false };
		return { ...nothing, as, isGuess: !found };
	}
	const as = await findAny(options, metadata.issuers, preferred, signal);
	report({ kind: 'authorizationServer', issuer: as.issuer, from: 'metadata' });
	const { resource, scopes, needsDpop } = metadata;
	return { resource, resourceMetadataUrl: named, scopes, needsDpop, as, isGuess: false };
}

/** RFC 9728, 3.1: at the path of the server; and, as MCP adds, at the root. */
export function resourceMetadataUrls({ origin, pathname }: URL): string[] {
	const root = `${origin}/.well-known/oauth-protected-resource`;
	return pathname === '/' ? [root] : [root + pathname, root];
}

/** In the order of the specification. */
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
 * Whether a server may call itself by this resource identifier: its own URL, or one above it on the same origin.
 * Another's would make us ask for tokens that are good elsewhere.
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
		const json = await getJson(http, 'resourceMetadata', url, signal, url === named);
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

/** The preferred one of the first few, or the first that has metadata: any of them will do. */
async function findAny(
	options: DiscoveryOptions,
	issuers: readonly string[],
	preferred: string | undefined,
	signal: AbortSignal,
): Promise<AuthorizationServer> {
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

/** @returns undefined if there are no metadata */
async function findServer(
	{ http }: DiscoveryOptions,
	issuer: string,
	signal: AbortSignal,
): Promise<AuthorizationServer | undefined> {
	await http.check('serverMetadata', issuer, signal);
	for (const url of serverMetadataUrls(issuer)) {
		const json = await getJson(http, 'serverMetadata', url, signal, false);
		if (json && typeof json['issuer'] === 'string') {
			// RFC 8414, 3.3: identical, without any normalization.
			if (json['issuer'] !== issuer) {
				throw new AuthError({ code: 'issuerMismatch', issuer, named: json['issuer'].slice(0, 500) });
			}
			return checked(json);
		}
	}
	return undefined;
}

/**
 * The object at a URL; undefined where there is none.
 * @param isNamed a URL that is unsafe ends the search, unless it was only a guess of ours
 */
async function getJson(
	http: AuthHttp,
	request: AuthRequest,
	url: string,
	signal: AbortSignal,
	isNamed: boolean,
): Promise<JsonObject | undefined> {
	try {
		const init = { method: 'GET', headers: { accept: 'application/json', 'mcp-protocol-version': revision } };
		const { status, text } = await http.send(request, url, init, signal);
		const value: unknown = status === 200 ? JSON.parse(text) : undefined;
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError || (error instanceof AuthError && error.failure.code === 'noAnswer' && isNamed)) {
			return undefined;
		}
		throw error;
	}
}

/** Only what has the type that it should have is handed on: the library reads the rest without a look. */
function checked(json: JsonObject): AuthorizationServer {
	const texts = [
		'issuer',
		'authorization_endpoint',
		'token_endpoint',
		'registration_endpoint',
		'revocation_endpoint',
	] as const;
	const lists = [
		'code_challenge_methods_supported',
		'token_endpoint_auth_methods_supported',
		'token_endpoint_auth_signing_alg_values_supported',
		'scopes_supported',
		'grant_types_supported',
		'dpop_signing_alg_values_supported',
	] as const;
	const flags = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'] as const;
	const pairs: [string, unknown][] = [
		...texts.map((it): [string, unknown] => [it, typeof json[it] === 'string' ? json[it] : undefined]),
		...lists.map((it): [string, unknown] => [it, strings(json[it])]),
		...flags.map((it): [string, unknown] => [it, json[it] === true ? true : undefined]),
	];
	return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as unknown as AuthorizationServer;
}

/** Spec 2025-03-26, "Fallbacks for Servers without Metadata Discovery". */
function defaultsOf({ origin }: URL): AuthorizationServer {
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
