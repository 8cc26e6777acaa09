/** How the client authenticates at a token endpoint. RFC 6749, 2.3; RFC 7523, 2.2. */
import { type AuthorizationServer, type ClientAuth, ClientSecretPost, None, PrivateKeyJwt } from 'oauth4webapi';
import { AuthError } from './failure.js';
import type { ClientRecord } from './grant.js';
import { importPem } from './keys.js';

export type ClientMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/**
 * The method for a client: the one assigned at registration, otherwise the first that the client has credentials for and
 * the authorization server accepts. RFC 8414, 2: the default is `client_secret_basic`.
 * @throws AuthError `noClientMethod`
 */
export function chooseMethod(client: ClientRecord, as: AuthorizationServer): ClientMethod {
	const offered = as.token_endpoint_auth_methods_supported;
	const accepts = (method: ClientMethod): boolean => offered === undefined || offered.includes(method);
	if (client.privateKey !== undefined && (accepts('private_key_jwt') || client.clientSecret === undefined)) {
		return 'private_key_jwt';
	}
	if (client.clientSecret === undefined) {
		return 'none';
	}
	const assigned = (['none', 'client_secret_basic', 'client_secret_post'] as const).find(it => it === client.method);
	const method = assigned ?? (['client_secret_basic', 'client_secret_post', 'none'] as const).find(it => accepts(it));
	if (!method) {
		throw new AuthError({ code: 'noClientMethod', issuer: as.issuer, offered: (offered ?? []).slice(0, 20) });
	}
	return method;
}

/** The method to register with: preferably none, because a native application can't keep a secret from its user. */
export function methodToRegister({
	token_endpoint_auth_methods_supported: offered,
}: AuthorizationServer): ClientMethod {
	const wanted = ['none', 'client_secret_basic', 'client_secret_post'] as const;
	return offered === undefined ? 'none' : (wanted.find(it => offered.includes(it)) ?? 'none');
}

/**
 * The library's authentication for a method.
 * @throws AuthError `badConfiguration` if the private key can't be read
 */
export async function clientAuth(method: ClientMethod, client: ClientRecord): Promise<ClientAuth> {
	const { clientSecret = '', privateKey = '', algorithm = 'ES256', keyId } = client;
	switch (method) {
		case 'none':
			return None();
		case 'client_secret_post':
			return ClientSecretPost(clientSecret);
		case 'client_secret_basic':
			return basic(clientSecret);
		case 'private_key_jwt':
			try {
				const key = await importPem(privateKey, algorithm);
				return PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId });
			} catch {
				throw new AuthError({ code: 'badConfiguration', what: 'privateKey' });
			}
	}
}

/**
 * HTTP Basic with form-encoded parts. RFC 6749, 2.3.1. The library also encodes `-` and `_`; servers that don't decode
 * would read another client id.
 */
function basic(secret: string): ClientAuth {
	return (_as, client, _body, headers) => {
		headers.set('authorization', `Basic ${btoa(`${formEncoded(client.client_id)}:${formEncoded(secret)}`)}`);
	};
}

function formEncoded(text: string): string {
	return new URLSearchParams([['', text]]).toString().slice(1);
}
