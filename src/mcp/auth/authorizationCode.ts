/** The authorization code flow in a browser: RFC 6749, 4.1 with PKCE (RFC 7636) and issuer identification (RFC 9207). */
import {
	authorizationCodeGrantRequest,
	type AuthorizationServer,
	AuthorizationResponseError,
	calculatePKCECodeChallenge,
	type Client,
	generateRandomCodeVerifier,
	generateRandomState,
	type TokenEndpointResponse,
	validateAuthResponse,
} from 'oauth4webapi';
import { raceAbort } from '../../base/async.js';
import type { AuthHttp } from './authHttp.js';
import { findPageProblem, findUrlProblem, withoutQuery } from './addresses.js';
import { AuthError } from './failure.js';
import type { RedirectTarget } from './ports.js';
import type { ReportStep } from './signInSteps.js';
import { requestTokens, toAuthError, type TokenEndpoint } from './tokenRequest.js';

export interface CodeFlow {
	readonly http: AuthHttp;
	readonly report: ReportStep;
	readonly target: RedirectTarget;
	readonly scopes: readonly string[];
	readonly resource: string | undefined;
	/** A response that names another issuer is refused. */
	readonly issuer: string;
}

/**
 * Opens the browser, waits for the redirect, and exchanges the code for tokens.
 * @throws AuthError `unsafeUrl`, `refused`, `mixUp`, `badAnswer`, `noAnswer`
 * @throws AbortError if the signal aborts or the person cancels
 */
export async function signInByCode(flow: CodeFlow, endpoint: TokenEndpoint): Promise<TokenEndpointResponse> {
	const { as, client, signal } = endpoint;
	const { target, resource, report, issuer } = flow;
	const verifier = generateRandomCodeVerifier();
	const state = generateRandomState();
	const page = await authorizationUrl(flow, endpoint, state, await calculatePKCECodeChallenge(verifier));
	report({ kind: 'browser', url: withoutQuery(page) });
	const returned = await raceAbort(
		target.follow(page, it => isAnswer(it, new URL(target.uri), state, report), signal),
		signal,
	);
	const parameters = readRedirect({ ...as, issuer }, client, returned, state, report);
	return requestTokens(endpoint, options =>
		authorizationCodeGrantRequest(as, client, endpoint.clientAuth, parameters, target.uri, verifier, {
			...options,
			...(resource === undefined ? {} : { additionalParameters: { resource } }),
		}),
	);
}

async function authorizationUrl(
	{ http, target, scopes, resource }: CodeFlow,
	{ as, client, dpop, signal }: TokenEndpoint,
	state: string,
	challenge: string,
): Promise<string> {
	const url = endpointOf(as, 'authorization');
	await http.check('authorization', url.href, signal);
	url.hash = '';
	const parameters: Record<string, string | undefined> = {
		response_type: 'code',
		client_id: client.client_id,
		redirect_uri: target.uri,
		state,
		code_challenge: challenge,
		code_challenge_method: 'S256',
		scope: scopes.length === 0 ? undefined : scopes.join(' '),
		resource,
		// RFC 9449, 10: binds the code to the key of the tokens.
		dpop_jkt: await dpop?.calculateThumbprint(),
		// OpenID Connect Core, 11: `offline_access` is ignored unless the person is asked for consent.
		prompt: scopes.includes('offline_access') ? 'consent' : undefined,
		// RFC 9101: a request object in the metadata would replace these parameters.
		request: undefined,
		request_uri: undefined,
	};
	for (const [name, value] of Object.entries(parameters)) {
		url.searchParams.delete(name);
		if (value !== undefined) {
			url.searchParams.set(name, value);
		}
	}
	return url.href;
}

/** The sign-in page or the token endpoint of an authorization server. @throws AuthError `noEndpoint`, `unsafeUrl` */
export function endpointOf(as: AuthorizationServer, request: 'authorization' | 'token'): URL {
	const url = as[`${request}_endpoint` as const];
	if (url === undefined) {
		throw new AuthError({ code: 'noEndpoint', request, issuer: as.issuer });
	}
	const why = request === 'token' ? findUrlProblem(url) : findPageProblem(url);
	if (why) {
		throw new AuthError({ code: 'unsafeUrl', request, url: withoutQuery(url), why });
	}
	return new URL(url);
}

/** Whether a URL has the path of our redirect URI and the state of this sign-in. Old tabs and other programs may open others. */
function isAnswer(returned: URL, { pathname }: URL, state: string, report: ReportStep): boolean {
	const states = returned.searchParams.getAll('state');
	const isOurs = returned.pathname === pathname && states.length === 1 && states[0] === state;
	if (!isOurs) {
		report({ kind: 'strayReturn' });
	}
	return isOurs;
}

function readRedirect(
	as: AuthorizationServer,
	client: Client,
	returned: URL,
	state: string,
	report: ReportStep,
): URLSearchParams {
	const issuers = returned.searchParams.getAll('iss');
	const isRequired = as.authorization_response_iss_parameter_supported === true;
	// RFC 9207, 2.4: compared exactly, before any other parameter of the answer is read.
	if (issuers.length > 1 || (issuers.length === 0 ? isRequired : issuers[0] !== as.issuer)) {
		const why = issuers.length === 0 ? 'the answer does not say who it is from' : 'the answer is from somebody else';
		report({ kind: 'returned', outcome: 'error', error: undefined });
		throw new AuthError({ code: 'mixUp', issuer: as.issuer, why });
	}
	try {
		const parameters = validateAuthResponse(as, client, returned, state);
		const codes = parameters.getAll('code');
		if (codes.length !== 1 || codes[0] === '') {
			report({ kind: 'returned', outcome: 'error', error: undefined });
			throw new AuthError({ code: 'badAnswer', request: 'authorization', why: 'the answer has no code, or several' });
		}
		report({ kind: 'returned', outcome: 'code', error: undefined });
		return parameters;
	} catch (error) {
		if (error instanceof AuthorizationResponseError) {
			report({ kind: 'returned', outcome: 'error', error: error.error.slice(0, 200) });
		}
		throw toAuthError(error, 'authorization', as.issuer);
	}
}
