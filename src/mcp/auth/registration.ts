/**
 * Which client we are. Spec 2026-07-28, client registration: what the person configured, our metadata document, dynamic
 * registration, asking. An id belongs to the authorization server it is from, and to the redirect it is registered with.
 */
import {
	allowInsecureRequests,
	type AuthorizationServer,
	customFetch,
	dynamicClientRegistrationRequest,
	processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import { isObject } from '../jsonrpc/messages.js';
import type { AuthHttp } from './authHttp.js';
import { methodToRegister } from './clientAuth.js';
import type { PersonConfig } from './config.js';
import type { ClientFacts } from './engine.js';
import { AuthError } from './failure.js';
import type { ClientRecord } from './grant.js';
import type { AuthPrompt } from './ports.js';
import type { Secrets } from './secrets.js';
import type { AuthStep } from './steps.js';
import { tidied, toAuthError } from './tokenRequest.js';

type Reasons = Extract<AuthStep, { kind: 'client' }>['why'];

export interface RegistrationOptions {
	readonly server: URL;
	readonly facts: ClientFacts;
	readonly http: AuthHttp;
	readonly secrets: Secrets;
	readonly prompt: AuthPrompt;
	readonly now: () => number;
}

/** What the registration is for. */
export interface Wanted {
	readonly as: AuthorizationServer;
	readonly config: PersonConfig;
	readonly redirectUri: string;
}

/** An answer that `tidiedClient` has completed and the library has looked at. */
interface Registered {
	readonly client_id: string;
	readonly client_secret?: string;
	/** Seconds since 1970; 0: never. */
	readonly client_secret_expires_at: number;
	readonly token_endpoint_auth_method?: unknown;
}

/**
 * @returns the client, and why none of the better ways was taken
 * @throws AuthError `otherIssuer`, `noClient`, or why a registration failed
 */
export async function chooseClient(
	options: RegistrationOptions,
	wanted: Wanted,
	signal: AbortSignal,
): Promise<{ readonly client: ClientRecord; readonly why: Reasons }> {
	const { as, config, redirectUri } = wanted;
	const { secrets, prompt, server } = options;
	if (config.client) {
		return { client: configuredClient(config.client, as.issuer), why: [] };
	}
	const why: Reasons[number][] = ['notConfigured'];
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
		const client = await register(options, wanted, signal);
		await secrets.keepClient(as.issuer, client);
		return { client, why };
	}
	const typed = await prompt.askClient({ issuer: as.issuer, server: server.href, redirectUri }, signal);
	signal.throwIfAborted();
	if (!typed) {
		throw new AuthError({ code: 'noClient', issuer: as.issuer });
	}
	const client: ClientRecord = { ...typed, way: 'asked', redirectUri };
	await secrets.keepClient(as.issuer, client);
	return { client, why };
}

/** @throws AuthError `otherIssuer`: it is bound to another authorization server */
export function configuredClient(
	{ clientId, clientSecret, issuer }: NonNullable<PersonConfig['client']>,
	actual: string,
): ClientRecord {
	if (issuer !== undefined && issuer !== actual) {
		throw new AuthError({ code: 'otherIssuer', issuer: actual, configured: issuer });
	}
	return { way: 'configured', clientId, clientSecret };
}

/** RFC 7591. */
async function register(
	{ facts, http }: RegistrationOptions,
	{ as, redirectUri }: Wanted,
	signal: AbortSignal,
): Promise<ClientRecord> {
	// No scope: a server that takes what is registered for all that may ever be asked would refuse a step-up later.
	const metadata = {
		client_name: facts.name,
		client_uri: facts.uri,
		software_id: facts.softwareId,
		software_version: facts.softwareVersion,
		redirect_uris: [redirectUri],
		// Spec 2026-07-28, refresh tokens: clients that want some SHOULD say so.
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: methodToRegister(as),
		// OpenID Connect takes an application for a web site unless it says otherwise, and then refuses such redirects.
		application_type: /^https:/i.test(redirectUri) ? 'web' : 'native',
	};
	const send = http.fetcher('registration', signal);
	const options = { [allowInsecureRequests]: true, [customFetch]: send };
	try {
		const response = await tidiedClient(
			await tidied(await dynamicClientRegistrationRequest(as, metadata, options), 201),
		);
		const answer = (await processDynamicClientRegistrationResponse(response)) as unknown as Registered;
		const {
			client_secret: clientSecret,
			client_secret_expires_at: expires,
			token_endpoint_auth_method: method,
		} = answer;
		return {
			way: 'registered',
			clientId: answer.client_id,
			clientSecret,
			secretExpiresAt: expires === 0 ? undefined : expires * 1000,
			method: typeof method === 'string' ? method : undefined,
			redirectUri,
		};
	} catch (error) {
		throw toAuthError(error, 'registration', as.issuer);
	}
}

/**
 * RFC 7591, 3.2.1 requires the time with every secret; many servers leave it out, and mean "never". Some give a client
 * that has no secret an empty one, or null.
 */
async function tidiedClient(response: Response): Promise<Response> {
	const json: unknown = await response
		.clone()
		.json()
		.catch(() => undefined);
	if (!isObject(json)) {
		return response;
	}
	const { client_secret: secret, client_secret_expires_at: expires, ...rest } = json;
	const isLimited = typeof expires === 'number' && expires > 0 && Number.isSafeInteger(Math.round(expires * 1000));
	const client = { ...rest, client_secret: secret || undefined, client_secret_expires_at: isLimited ? expires : 0 };
	return new Response(JSON.stringify(client), response);
}
