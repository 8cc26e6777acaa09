/** Tokens and clients as they are stored, with the validation of stored texts. */
import { parseJson } from '../../base/parseJson.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { ClientWay, GrantWay } from './signInSteps.js';

/** A client at one authorization server. */
export interface ClientRecord {
	readonly way: ClientWay;
	readonly clientId: string;
	readonly clientSecret?: string | undefined;
	/** Milliseconds since 1970. */
	readonly secretExpiresAt?: number | undefined;
	/** The authentication method at the token endpoint, if the registration assigned one. */
	readonly method?: string | undefined;
	/** The redirect URI that the client is registered with. */
	readonly redirectUri?: string | undefined;
	/** The scopes that the client is registered with; undefined if it was registered without. */
	readonly scopes?: readonly string[] | undefined;
	/** The key of a configured client, which isn't stored here: see `BoundClient`. */
	readonly privateKey?: string | undefined;
	readonly algorithm?: string | undefined;
	readonly keyId?: string | undefined;
}

/** Tokens, with all that is needed to use and renew them. */
export interface TokenGrant {
	readonly issuer: string;
	/** The resource that was requested; see `Discovered.resource`. */
	readonly resource?: string | undefined;
	readonly resourceMetadataUrl?: string | undefined;
	readonly accessToken: string;
	readonly tokenType: 'bearer' | 'dpop';
	/** Milliseconds since 1970; undefined if not known. */
	readonly expiresAt?: number | undefined;
	/** Milliseconds since 1970: before `expiresAt`, so that a token doesn't expire on its way to the server. */
	readonly renewAt?: number | undefined;
	readonly refreshToken?: string | undefined;
	/** The scopes that were requested, and those granted. */
	readonly asked: readonly string[];
	/** The scopes that were granted; undefined if the authorization server didn't say. */
	readonly scopes?: readonly string[] | undefined;
	/** Without the secret of a configured client, which is read from the configuration. */
	readonly client: ClientRecord;
	/** How the first tokens were obtained; a refresh doesn't change it. */
	readonly by: GrantWay;
	/** Private JWK of the key that the token is bound to. */
	readonly key?: JsonObject | undefined;
}

/** Milliseconds before its expiry at which a token is renewed, but at most half of its lifetime. */
const margin = 30_000;

/** Whether a token should be renewed. @param now milliseconds since 1970 */
export function isDue({ renewAt }: TokenGrant, now: number): boolean {
	return renewAt !== undefined && now >= renewAt;
}

/** Whether a new token can be obtained without the person. */
export function isRenewable({ refreshToken, by }: TokenGrant): boolean {
	return refreshToken !== undefined || by !== 'code';
}

/**
 * When a token expires and is renewed; empty if never or not known.
 * @param seconds the `expires_in` of the authorization server
 * @param now milliseconds since 1970
 */
export function expiryOf(seconds: number | undefined, now: number): Pick<TokenGrant, 'expiresAt' | 'renewAt'> {
	const ms = (seconds ?? Infinity) * 1000;
	if (!Number.isSafeInteger(Math.round(now + ms))) {
		return {};
	}
	return { expiresAt: now + ms, renewAt: now + ms - Math.min(margin, ms / 2) };
}

/** The distinct texts of all lists, in their order. */
export function mergeScopes(...lists: readonly (readonly string[] | undefined)[]): string[] {
	return [...new Set(lists.flatMap(it => it ?? []))];
}

/** Reads a stored grant. Checks the required members; undefined if one is missing. */
export function parseGrant(text: string | undefined): TokenGrant | undefined {
	const value = parseJson(text ?? '');
	const isGrant =
		hasTexts(value, ['issuer', 'accessToken', 'by']) &&
		(value['tokenType'] === 'bearer' || (value['tokenType'] === 'dpop' && isObject(value['key']))) &&
		Array.isArray(value['asked']) &&
		hasTexts(value['client'], clientTexts);
	return isGrant ? (value as unknown as TokenGrant) : undefined;
}

/** Reads a stored client. Checks the required members; undefined if one is missing. */
export function parseClient(text: string | undefined): ClientRecord | undefined {
	const value = parseJson(text ?? '');
	return hasTexts(value, clientTexts) ? (value as unknown as ClientRecord) : undefined;
}

const clientTexts = ['way', 'clientId'];

function hasTexts(value: unknown, names: readonly string[]): value is JsonObject {
	return isObject(value) && names.every(it => typeof value[it] === 'string');
}
