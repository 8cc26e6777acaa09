/** Gets tokens without a browser: client credentials, an enterprise's identity provider, and workload identity. */
import {
	clientCredentialsGrantRequest,
	genericTokenEndpointRequest,
	None,
	type TokenEndpointResponse,
} from 'oauth4webapi';
import { isAbort, toMessage } from '../../base/errors.js';
import type { AuthConfig, EnterpriseConfig } from './config.js';
import { findServer } from './discovery.js';
import { AuthError } from './failure.js';
import { requestTokens, type TokenEndpoint } from './tokenRequest.js';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';

/** The purpose of the requested tokens. */
export interface MachineTask {
	readonly resource: string | undefined;
	/** URL of the MCP server: the resource for an identity provider if the server publishes none. */
	readonly server: string;
	readonly scopes: readonly string[];
}

/**
 * Requests tokens in the configured way.
 * @throws AuthError
 * @throws AbortError
 */
export async function requestMachineTokens(
	config: Exclude<AuthConfig, { kind: 'person' }>,
	task: MachineTask,
	endpoint: TokenEndpoint,
): Promise<TokenEndpointResponse> {
	const { as, client, clientAuth } = endpoint;
	const parameters = parametersOf(task);
	switch (config.kind) {
		case 'clientCredentials':
			return requestTokens(endpoint, options =>
				clientCredentialsGrantRequest(as, client, clientAuth, parameters, options),
			);
		case 'workload':
		case 'enterprise': {
			// RFC 7523, 2.1.
			const assertion = await (config.kind === 'workload'
				? read(config.assertion, 'assertion')
				: exchange(config, task, endpoint));
			return requestTokens(endpoint, options =>
				genericTokenEndpointRequest(as, client, clientAuth, jwtBearer, { ...parameters, assertion }, options),
			);
		}
	}
}

/** RFC 8693: exchanges the subject token for an assertion that this authorization server accepts. */
async function exchange(
	{ identityProvider, exceptions }: EnterpriseConfig,
	task: MachineTask,
	endpoint: TokenEndpoint,
): Promise<string> {
	const { http, signal } = endpoint;
	const { issuer, tokenEndpoint } = identityProvider;
	const as = tokenEndpoint
		? { issuer, token_endpoint: tokenEndpoint }
		: await findServer({ http, acceptedIssuers: exceptions?.issuers }, issuer, signal);
	if (as?.token_endpoint === undefined) {
		throw new AuthError({ code: 'noEndpoint', request: 'tokenExchange', issuer });
	}
	const subject = await read(identityProvider.subjectToken, 'subjectToken');
	const parameters = {
		...parametersOf(task),
		resource: task.resource ?? task.server,
		requested_token_type: idJag,
		audience: endpoint.as.issuer,
		subject_token: subject,
		subject_token_type: idToken,
	};
	const client = { client_id: identityProvider.clientId };
	const auth = None();
	const there: TokenEndpoint = { as, client, clientAuth: auth, http, request: 'tokenExchange', signal };
	const { access_token: assertion, issued_token_type: type } = await requestTokens(there, options =>
		genericTokenEndpointRequest(as, client, auth, tokenExchange, parameters, options),
	);
	if (type !== idJag) {
		throw new AuthError({ code: 'badAnswer', request: 'tokenExchange', why: 'another type of token was issued' });
	}
	return assertion;
}

function parametersOf({ resource, scopes }: MachineTask): Record<string, string> {
	return {
		...(resource === undefined ? {} : { resource }),
		...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
	};
}

/** Reads a configured token. @throws AuthError `badConfiguration` if the token is empty or can't be read */
async function read(source: () => Promise<string>, what: 'assertion' | 'subjectToken'): Promise<string> {
	let why = 'empty';
	try {
		const text = (await source()).trim();
		if (text !== '') {
			return text;
		}
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		why = toMessage(error);
	}
	throw new AuthError({ code: 'badConfiguration', what, why });
}
