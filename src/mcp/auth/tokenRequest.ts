/** One request to a token endpoint, and its answer as a grant or as an AuthError. */
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
import { isObject } from '../jsonrpc/messages.js';
import type { AuthHttp, AuthInit } from './authHttp.js';
import { AuthError, type AuthRequest } from './failure.js';

/** Everything that one request needs besides its grant. */
export interface TokenEndpoint {
	readonly as: AuthorizationServer;
	readonly client: Client;
	readonly clientAuth: ClientAuth;
	readonly http: AuthHttp;
	readonly request: AuthRequest;
	/** Binds the tokens to a key. */
	readonly dpop?: DPoPHandle | undefined;
	readonly signal: AbortSignal;
}

/**
 * Sends a request, once more if the authorization server wants a nonce in the proof. RFC 9449, 8.
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
			const response = await tidied(await ask(options));
			// Token exchange has a type of its own for what is no access token. RFC 8693, 2.2.1.
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

/** The library asks for what we have checked ourselves: where a request may go. */
export function optionsOf({ http, request, dpop, signal }: TokenEndpoint): TokenEndpointRequestOptions {
	const send = http.fetcher(request, signal);
	return {
		[allowInsecureRequests]: true,
		[customFetch]: (url: string, init: AuthInit) => send(url, init),
		...(dpop ? { DPoP: dpop } : {}),
	};
}

/**
 * What common servers do otherwise than the RFCs, made as those want it: errors with status 200, registrations and
 * tokens with 201 or 200, JSON of another type, no type of token. An ID token is not looked at: nothing here is decided
 * by it.
 */
export async function tidied(response: Response, success = 200): Promise<Response> {
	const json: unknown = await response
		.clone()
		.json()
		.catch(() => undefined);
	if (!isObject(json)) {
		return response;
	}
	const { id_token: _, ...rest } = json;
	const isError = typeof rest['error'] === 'string' && !('access_token' in rest) && !('client_id' in rest);
	const body = 'access_token' in rest && !('token_type' in rest) ? { ...rest, token_type: 'bearer' } : rest;
	const headers = new Headers(response.headers);
	headers.set('content-type', 'application/json');
	if (isError) {
		// The body says it better: the challenge only names the scheme.
		headers.delete('www-authenticate');
	}
	const { ok, status } = response;
	const isSuccess = status === 200 || status === 201;
	return new Response(JSON.stringify(body), { status: isError && ok ? 400 : isSuccess ? success : status, headers });
}

/** @param error anything that the library threw, or that we did */
export function toAuthError(error: unknown, request: AuthRequest, issuer: string): unknown {
	if (error instanceof ResponseBodyError) {
		return refused(request, error.status, error.error, error.error_description);
	}
	if (error instanceof AuthorizationResponseError) {
		return refused(request, undefined, error.error, error.error_description);
	}
	if (error instanceof WWWAuthenticateChallengeError) {
		const [first] = error.cause;
		return refused(
			request,
			error.status,
			first?.parameters.error ?? 'unauthorized',
			first?.parameters.error_description,
		);
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
