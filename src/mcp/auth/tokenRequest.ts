/** Requests to token endpoints, with the library's answers and errors turned into our own. */
import {
	allowInsecureRequests,
	type AuthorizationServer,
	AuthorizationResponseError,
	type Client,
	type ClientAuth,
	customFetch,
	type DPoPHandle,
	isDPoPNonceError,
	OperationProcessingError,
	processGenericTokenEndpointResponse,
	ResponseBodyError,
	type TokenEndpointRequestOptions,
	type TokenEndpointResponse,
	UnsupportedOperationError,
	WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { AuthHttp, AuthInit } from './authHttp.js';
import { AuthError, type AuthRequest } from './failure.js';

/** Everything that a token request needs besides its grant. */
export interface TokenEndpoint {
	readonly as: AuthorizationServer;
	readonly client: Client;
	readonly clientAuth: ClientAuth;
	readonly http: AuthHttp;
	readonly request: AuthRequest;
	/** Present if the tokens are to be bound to a key. */
	readonly dpop?: DPoPHandle | undefined;
	readonly signal: AbortSignal;
}

/**
 * Sends a request, and repeats it once if the authorization server demands a nonce in the proof. RFC 9449, 8.
 * @param ask one of the library's grant requests
 * @throws AuthError
 * @throws AbortError
 */
export async function requestTokens(
	endpoint: TokenEndpoint,
	ask: (options: TokenEndpointRequestOptions) => Promise<Response>,
): Promise<TokenEndpointResponse> {
	const { as, client, request } = endpoint;
	const options = optionsOf(endpoint);
	for (let isAgain = false; ; isAgain = true) {
		try {
			const response = await normalizeResponse(await ask(options));
			// Token exchange uses the type `N_A` for tokens that aren't access tokens. RFC 8693, 2.2.1.
			const types = { n_a: () => undefined };
			return await processGenericTokenEndpointResponse(as, client, response, { recognizedTokenTypes: types });
		} catch (error) {
			if (endpoint.dpop && !isAgain && isDPoPNonceError(error)) {
				continue;
			}
			throw toAuthError(error, request, as.issuer);
		}
	}
}

/** Options for the library. `AuthHttp` checks URLs, so the library's own check of them is off. */
export function optionsOf({ http, request, dpop, signal }: TokenEndpoint): TokenEndpointRequestOptions {
	const send = http.fetcher(request, signal);
	return {
		[allowInsecureRequests]: true,
		[customFetch]: (url: string, init: AuthInit) => send(url, init),
		...(dpop ? { DPoP: dpop } : {}),
	};
}

/**
 * Corrects common deviations from the RFCs: errors with status 200, tokens and registrations with 201 or 200, another
 * content type, no token type, null for what is absent. Drops the ID token, which is not used.
 * @param success the status that the library expects
 * @param complete makes further corrections to the JSON
 */
export async function normalizeResponse(
	response: Response,
	success = 200,
	complete = (json: JsonObject): JsonObject => json,
): Promise<Response> {
	const json: unknown = await response
		.clone()
		.json()
		.catch(() => undefined);
	if (!isObject(json)) {
		return response;
	}
	const { id_token: _, ...rest } = Object.fromEntries(Object.entries(json).filter(([, it]) => it !== null));
	const isError = typeof rest['error'] === 'string' && !('access_token' in rest) && !('client_id' in rest);
	const body = 'access_token' in rest && !('token_type' in rest) ? { ...rest, token_type: 'bearer' } : rest;
	const headers = new Headers(response.headers);
	headers.set('content-type', 'application/json');
	if (isError) {
		// The library would prefer the challenge to the body, but only the body has the error.
		headers.delete('www-authenticate');
	}
	const { ok, status } = response;
	const isSuccess = status === 200 || status === 201;
	const expected = isError && ok ? 400 : isSuccess ? success : status;
	return new Response(JSON.stringify(complete(body)), { status: expected, headers });
}

/** Turns an error of the library into an `AuthError`; other errors stay the same. */
export function toAuthError(error: unknown, request: AuthRequest, issuer: string): unknown {
	if (error instanceof ResponseBodyError) {
		return refused(request, error.status, error.error, error.error_description);
	}
	if (error instanceof AuthorizationResponseError) {
		return refused(request, undefined, error.error, error.error_description);
	}
	if (error instanceof WWWAuthenticateChallengeError) {
		const [first] = error.cause;
		const { error: code = 'unauthorized', error_description: description } = first?.parameters ?? {};
		return refused(request, error.status, code, description);
	}
	if (error instanceof OperationProcessingError) {
		if (error.code === 'OAUTH_MISSING_SERVER_METADATA' || error.code === 'OAUTH_INVALID_SERVER_METADATA') {
			return new AuthError({ code: 'noEndpoint', request, issuer });
		}
		if (error.cause instanceof Response && error.cause.status >= 400) {
			const why = String(error.cause.status);
			return new AuthError({ code: 'noAnswer', request, url: issuer, why });
		}
		return new AuthError({ code: 'badAnswer', request, why: error.message });
	}
	if (error instanceof UnsupportedOperationError) {
		return new AuthError({ code: 'badAnswer', request, why: error.message });
	}
	return error;
}

const maxText = 500;

/** @param description of any type: the library doesn't check it */
function refused(request: AuthRequest, status: number | undefined, error: string, description: unknown): AuthError {
	const text = typeof description === 'string' ? description.slice(0, maxText) : undefined;
	const refusal = { error: error.slice(0, maxText), description: text };
	return new AuthError({ code: 'refused', request, status, refusal });
}
