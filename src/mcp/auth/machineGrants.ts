/** Tokens without a browser: the extensions of MCP for clients that somebody has vouched for already. */
import { clientCredentialsGrantRequest, genericTokenEndpointRequest, type TokenEndpointResponse } from 'oauth4webapi';
import { isAbort, toMessage } from '../../base/errors.js';
import { isObject } from '../jsonrpc/messages.js';
import type { AuthHttp } from './authHttp.js';
import { serverMetadataUrls } from './discovery.js';
import { chooseMethod, clientAuth } from './clientAuth.js';
import type { AuthConfig, EnterpriseConfig, KnownClient } from './config.js';
import { AuthError } from './failure.js';
import { requestTokens, type TokenEndpoint } from './tokenRequest.js';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';

/** What the tokens are for. */
export interface MachineTask {
	readonly resource: string | undefined;
	/** URL of the server; an identity provider is always told what the tokens are for. */
	readonly server: string;
	readonly scopes: readonly string[];
}

/**
 * @throws AuthError
 * @throws AbortError
 */
export async function grantToMachine(
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
		case 'workload': {
			// RFC 7523, 2.1. Whatever is said to it is final: the same assertion would be refused again.
			const assertion = await read(config.assertion, 'assertion');
			return requestTokens(endpoint, options =>
				genericTokenEndpointRequest(as, client, clientAuth, jwtBearer, { ...parameters, assertion }, options),
			);
		}
		case 'enterprise': {
			const assertion = await exchange(config, task, endpoint);
			return requestTokens(endpoint, options =>
				genericTokenEndpointRequest(as, client, clientAuth, jwtBearer, { ...parameters, assertion }, options),
			);
		}
	}
}

/** RFC 8693: what proves the person to their organization, for what proves them to this authorization server. */
async function exchange(
	{ identityProvider }: EnterpriseConfig,
	task: MachineTask,
	endpoint: TokenEndpoint,
): Promise<string> {
	const { http, signal } = endpoint;
	const { issuer, subjectTokenType = idToken } = identityProvider;
	const as = {
		issuer,
		token_endpoint: identityProvider.tokenEndpoint ?? (await findTokenEndpoint(http, issuer, signal)),
	};
	const known = identityProvider.client;
	const record = { way: 'configured', clientId: known.clientId, clientSecret: known.clientSecret } as const;
	const subject = await read(identityProvider.subjectToken, 'subjectToken');
	const parameters = {
		...parametersOf(task),
		resource: task.resource ?? task.server,
		requested_token_type: idJag,
		audience: endpoint.as.issuer,
		subject_token: subject,
		subject_token_type: subjectTokenType,
	};
	const client = { client_id: known.clientId };
	const auth = await clientAuth(chooseMethod(record, known, as), record, known);
	const there: TokenEndpoint = { as, client, clientAuth: auth, http, request: 'tokenExchange', signal };
	const { access_token: assertion, issued_token_type: type } = await requestTokens(there, options =>
		genericTokenEndpointRequest(as, client, auth, tokenExchange, parameters, options),
	);
	if (type !== idJag) {
		throw new AuthError({ code: 'badAnswer', request: 'tokenExchange', why: 'another type of token was issued' });
	}
	return assertion;
}

async function findTokenEndpoint(http: AuthHttp, issuer: string, signal: AbortSignal): Promise<string> {
	await http.check('serverMetadata', issuer, signal);
	for (const url of serverMetadataUrls(issuer).toReversed()) {
		const { status, text } = await http.send('serverMetadata', url, { method: 'GET', headers: {} }, signal);
		const json = status === 200 ? parse(text) : undefined;
		if (isObject(json) && json['issuer'] === issuer && typeof json['token_endpoint'] === 'string') {
			return json['token_endpoint'];
		}
	}
	throw new AuthError({ code: 'noEndpoint', request: 'tokenExchange', issuer });
}

function parametersOf({ resource, scopes }: MachineTask): Record<string, string> {
	return {
		...(resource === undefined ? {} : { resource }),
		...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
	};
}

/** What a person configured may be a file that is not there. */
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

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The client that a configuration names; a workload may have none. */
export function knownClientOf(config: AuthConfig): KnownClient | undefined {
	return config.kind === 'workload' ? undefined : config.client;
}
