/**
 * Chooses or registers the OAuth client. Spec 2026-07-28, client registration, in this order: configured client, client
 * metadata document, dynamic registration, asking the person. A client id is valid for one authorization server and one
 * redirect URI.
 */
import {
	allowInsecureRequests,
	type AuthorizationServer,
	customFetch,
	dynamicClientRegistrationRequest,
	processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import type { JsonObject } from '../jsonrpc/messages.js';
import { endpointOf } from './authorizationCode.js';
import type { AuthHttp } from './authHttp.js';
import { methodToRegister } from './clientAuth.js';
import type { KnownClient, PersonConfig } from './config.js';
import { AuthError } from './failure.js';
import type { ClientRecord } from './grant.js';
import type { AuthPrompt, ClientFacts } from './ports.js';
import type { Secrets } from './secrets.js';
import type { AuthStep } from './signInSteps.js';
import { normalizeResponse, toAuthError } from './tokenRequest.js';

/** Why a client was chosen: codes for the report of a sign-in. */
export type ClientReasons = Extract<AuthStep, { kind: 'client' }>['why'];

export interface RegistrationOptions {
	readonly facts: ClientFacts;
	readonly http: AuthHttp;
	readonly secrets: Secrets;
	readonly prompt: AuthPrompt;
	readonly now: () => number;
	readonly as: AuthorizationServer;
	readonly config: PersonConfig;
	readonly redirectUri: string;
	/** The requested scopes and the scopes that metadata list. Registered only if a registration without scopes is refused. */
	readonly scopes: readonly string[];
}

/** An answer that `completeClient` has completed and the library has validated. */
interface Registered {
	readonly client_id: string;
	readonly client_secret?: string;
	/** Seconds since 1970; 0 means never. */
	readonly client_secret_expires_at: number;
	readonly token_endpoint_auth_method?: unknown;
}

/**
 * @returns the client, and why the ways before it in the order were not taken
 * @throws AuthError `noClient`, or the failure of a registration
 */
export async function chooseClient(
	options: RegistrationOptions,
	signal: AbortSignal,
): Promise<{ readonly client: ClientRecord; readonly why: ClientReasons }> {
	const { as, config, redirectUri, secrets, prompt } = options;
	if (config.client) {
		return { client: configuredClient(config.client), why: [] };
	}
	const why: ClientReasons[number][] = ['notConfigured'];
	const kept = await secrets.client(as.issuer);
	if (kept?.way === 'asked') {
		return { client: { ...kept, way: 'remembered' }, why };
	}
	if (config.clientMetadataUrl !== undefined && as['client_id_metadata_document_supported'] === true) {
		return { client: { way: 'metadataDocument', clientId: config.clientMetadataUrl }, why };
	}
	why.push(config.clientMetadataUrl === undefined ? 'noDocumentUrl' : 'documentsUnsupported');
	if (kept) {
		const isExpired = kept.secretExpiresAt !== undefined && options.now() >= kept.secretExpiresAt;
		if (kept.redirectUri === redirectUri && !isExpired) {
			return { client: { ...kept, way: 'remembered' }, why };
		}
		why.push(isExpired ? 'expired' : 'redirectChanged');
	}
	if (as.registration_endpoint !== undefined) {
		return { client: await register(options, signal), why };
	}
	const question = { issuer: as.issuer, tokenEndpoint: endpointOf(as, 'token').href, redirectUri };
	const typed = await prompt.askClient(question, signal);
	signal.throwIfAborted();
	if (!typed) {
		throw new AuthError({ code: 'noClient', issuer: as.issuer });
	}
	const client: ClientRecord = { ...typed, way: 'asked', redirectUri };
	await secrets.keep(secrets.clientKey(as.issuer), client);
	return { client, why };
}

/** The configured client, without its secret until the person has confirmed an issuer for it. */
export function configuredClient(known: KnownClient): ClientRecord {
	const { issuer: _, bindSecret: _bind, ...client } = known;
	return { way: 'configured', ...client };
}

/** Whether `chooseClient` takes a client that we register, so that the redirect URI is our choice. */
export function registersClient(config: PersonConfig, as: AuthorizationServer, kept?: ClientRecord): boolean {
	const isDocument = config.clientMetadataUrl !== undefined && as['client_id_metadata_document_supported'] === true;
	const isRegistered = kept ? kept.way === 'registered' : as.registration_endpoint !== undefined;
	return !config.client && !isDocument && isRegistered;
}

/**
 * Registers a client and keeps it. RFC 7591. Registers without scopes first, because some authorization servers refuse later
 * requests for scopes that weren't registered. If the registration is refused, it is tried again with `options.scopes`.
 * @throws AuthError
 */
export async function register(
	options: RegistrationOptions,
	signal: AbortSignal,
	scopes: readonly string[] = [],
): Promise<ClientRecord> {
	const { facts, http, as, redirectUri, secrets } = options;
	const metadata = {
		client_name: facts.name,
		software_id: facts.softwareId,
		software_version: facts.softwareVersion,
		redirect_uris: [redirectUri],
		// Spec 2026-07-28, refresh tokens: clients that want refresh tokens SHOULD register the grant type.
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: methodToRegister(as),
		// The default of OpenID Connect is `web`, which doesn't allow redirects to loopback addresses.
		application_type: /^https:/i.test(redirectUri) ? 'web' : 'native',
		...(scopes.length > 0 && { scope: scopes.join(' ') }),
	};
	const send = http.fetcher('registration', signal);
	try {
		const response = await dynamicClientRegistrationRequest(as, metadata, {
			[allowInsecureRequests]: true,
			[customFetch]: send,
		});
		const normalized = await normalizeResponse(response, 201, completeClient);
		const answer = (await processDynamicClientRegistrationResponse(normalized)) as unknown as Registered;
		const {
			client_secret: clientSecret,
			client_secret_expires_at: expires,
			token_endpoint_auth_method: method,
		} = answer;
		const client: ClientRecord = {
			way: 'registered',
			clientId: answer.client_id,
			clientSecret,
			secretExpiresAt: expires === 0 ? undefined : expires * 1000,
			method: typeof method === 'string' ? method : undefined,
			redirectUri,
			...(scopes.length > 0 && { scopes }),
		};
		await secrets.keep(secrets.clientKey(as.issuer), client);
		return client;
	} catch (error) {
		const failure = toAuthError(error, 'registration', as.issuer);
		if (scopes.length === 0 && options.scopes.length > 0 && isBadRequest(failure)) {
			return register(options, signal, options.scopes);
		}
		throw failure;
	}
}

/** Whether the answer had status 400, with or without an error of RFC 7591. */
function isBadRequest(error: unknown): boolean {
	const failure = error instanceof AuthError ? error.failure : undefined;
	return failure?.code === 'refused' ? failure.status === 400 : failure?.code === 'noAnswer' && failure.why === '400';
}

/**
 * RFC 7591, 3.2.1 requires an expiry time with every secret; many servers leave it out, which means "never". Some send an
 * empty secret, or null, to a client without one.
 */
function completeClient({ client_secret: secret, client_secret_expires_at: expires, ...rest }: JsonObject): JsonObject {
	const isLimited = typeof expires === 'number' && expires > 0 && Number.isSafeInteger(Math.round(expires * 1000));
	return { ...rest, client_secret: secret || undefined, client_secret_expires_at: isLimited ? expires : 0 };
}
