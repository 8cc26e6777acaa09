/** PURE: what was granted, as it is used and as it is kept. */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { ClientWay } from './steps.js';

/** By a person with a browser, or in one of the ways that need none. */
export type GrantWay = 'code' | 'clientCredentials' | 'enterprise' | 'workload';

/** A client as an authorization server knows it. Belongs to that one alone. */
export interface ClientRecord {
	readonly way: ClientWay;
	readonly clientId: string;
	readonly clientSecret?: string | undefined;
	/** Milliseconds since 1970. */
	readonly secretExpiresAt?: number | undefined;
	/** How it proves itself at the token endpoint, where the authorization server has said so. */
	readonly method?: string | undefined;
	/** The one that it is registered with. */
	readonly redirectUri?: string | undefined;
}

/** Tokens, and what must be known to use and to renew them. */
export interface Grant {
	readonly issuer: string;
	/** As it was asked for; see Discovered. */
	readonly resource?: string | undefined;
	readonly resourceMetadataUrl?: string | undefined;
	readonly accessToken: string;
	readonly tokenType: 'bearer' | 'dpop';
	/** Milliseconds since 1970; undefined: not known. */
	readonly expiresAt?: number | undefined;
	/** When another one is got: a token would expire on its way in its last moments. */
	readonly renewAt?: number | undefined;
	readonly refreshToken?: string | undefined;
	/** What has been asked for, and what was granted where that was said. */
	readonly asked: readonly string[];
	readonly scopes?: readonly string[] | undefined;
	/** Without the secret of a configured one, which stays where it is. */
	readonly client: ClientRecord;
	/** How it was come by at first. */
	readonly by: GrantWay;
	/** Private JWK of the key that the token is bound to. */
	readonly key?: JsonObject | undefined;
}

/** Milliseconds before its end at which a token is renewed; of a short-lived one, half of its life. */
const margin = 30_000;

/** @param now milliseconds since 1970 */
export function isDue({ renewAt }: Grant, now: number): boolean {
	return renewAt !== undefined && now >= renewAt;
}

/** Whether a new token can be had without a person. */
export function isRenewable({ refreshToken, by }: Grant): boolean {
	return refreshToken !== undefined || by !== 'code';
}

/** @param seconds as the authorization server said; undefined: it did not. More than fits into a date is for ever. */
export function expiryOf(seconds: number | undefined, now: number): Pick<Grant, 'expiresAt' | 'renewAt'> {
	const ms = (seconds ?? Infinity) * 1000;
	if (!Number.isSafeInteger(Math.round(now + ms))) {
		return {};
	}
	return { expiresAt: now + ms, renewAt: now + ms - Math.min(margin, ms / 2) };
}

/** All of both, in the order in which they came. */
export function union(...lists: readonly (readonly string[] | undefined)[]): string[] {
	return [...new Set(lists.flatMap(it => it ?? []))];
}

/** What was kept by `JSON.stringify`; undefined if it is anything else. */
export function parseGrant(text: string | undefined): Grant | undefined {
	const value = parse(text);
	const isGrant =
		value !== undefined &&
		isText(value, ['issuer', 'accessToken', 'by']) &&
		isTextOrNothing(value, ['resource', 'resourceMetadataUrl', 'refreshToken']) &&
		isNumberOrNothing(value['expiresAt']) &&
		isNumberOrNothing(value['renewAt']) &&
		(value['tokenType'] === 'bearer' || (value['tokenType'] === 'dpop' && isObject(value['key']))) &&
		isList(value['asked']) &&
		(value['scopes'] === undefined || isList(value['scopes'])) &&
		isClient(value['client']);
	return isGrant ? (value as unknown as Grant) : undefined;
}

export function parseClient(text: string | undefined): ClientRecord | undefined {
	const value = parse(text);
	return isClient(value) ? value : undefined;
}

function isClient(value: unknown): value is ClientRecord & JsonObject {
	return (
		isObject(value) &&
		isText(value, ['way', 'clientId']) &&
		isTextOrNothing(value, ['clientSecret', 'method', 'redirectUri']) &&
		isNumberOrNothing(value['secretExpiresAt'])
	);
}

function parse(text: string | undefined): JsonObject | undefined {
	try {
		const value: unknown = text === undefined ? undefined : JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isText(value: JsonObject, names: readonly string[]): boolean {
	return names.every(it => typeof value[it] === 'string');
}

function isTextOrNothing(value: JsonObject, names: readonly string[]): boolean {
	return names.every(it => value[it] === undefined || typeof value[it] === 'string');
}

function isNumberOrNothing(value: unknown): boolean {
	return value === undefined || typeof value === 'number';
}

function isList(value: unknown): boolean {
	return Array.isArray(value) && value.every(it => typeof it === 'string');
}
