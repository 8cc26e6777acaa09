/** Keys that tokens are bound to, and proofs of possessing them. RFC 9449; DPoP profile for MCP. */
import {
	allowInsecureRequests,
	customFetch,
	DPoP,
	type DPoPHandle,
	generateKeyPair,
	modifyAssertion,
	protectedResourceRequest,
} from 'oauth4webapi';
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Prover } from './ports.js';
import type { TokenGrant } from './grant.js';
import { keyParams } from './keys.js';

/** Most preferred first. */
const supported = ['ES256', 'EdDSA', 'ES384', 'PS256', 'RS256'] as const;

type KeyPair = Parameters<typeof DPoP>[1];

/** The library reads only the clock skew of a client, which ours does not set. */
const noClient = {};

/**
 * The algorithm for a new key; undefined if none is in common.
 * @param offered what the metadata of the authorization server lists
 */
export function dpopAlgorithm(offered: readonly string[] | undefined): string | undefined {
	return offered === undefined ? 'ES256' : supported.find(it => offered.includes(it));
}

/** Creates a key, as a private JWK for storage. */
export async function createKey(algorithm: string): Promise<JsonObject> {
	const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
	return { ...((await crypto.subtle.exportKey('jwk', privateKey)) as JsonObject), alg: algorithm };
}

/** @throws any error if the JWK is not a usable private key */
export async function importKey(jwk: JsonObject): Promise<KeyPair> {
	const { alg, key_ops: _operations, ...own } = jwk;
	const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open } = own;
	const params = keyParams(alg);
	return {
		privateKey: await crypto.subtle.importKey('jwk', own as { kty?: string }, params, false, ['sign']),
		publicKey: await crypto.subtle.importKey('jwk', open as { kty?: string }, params, true, ['verify']),
	};
}

/** Makes proofs for requests to an authorization server, and remembers its nonces. @throws as `importKey` */
export async function dpopHandle(jwk: JsonObject): Promise<DPoPHandle> {
	return DPoP(noClient, await importKey(jwk));
}

/** Makes proofs for requests to the MCP server. @throws any error if the key is unusable */
export async function createProver(grant: TokenGrant & { readonly key: JsonObject }): Promise<Prover> {
	const keys = await importKey(grant.key);
	let nonce: string | undefined;
	return {
		async headers({ method, url, body }) {
			const digest = body === undefined ? undefined : await contentDigest(body);
			const proof = DPoP(noClient, keys, {
				[modifyAssertion]: (_header, payload) => {
					payload['nonce'] = nonce;
					// DPoP profile for MCP: all requests have the same URL and method, so the digest binds the proof to one.
					payload['content_digest'] = digest;
				},
			});
			let headers: Record<string, string> = {};
			// The library can only send a request with a proof. This one isn't sent; its headers go into ours.
			await protectedResourceRequest(grant.accessToken, method, url, undefined, undefined, {
				DPoP: proof,
				[allowInsecureRequests]: true,
				[customFetch]: (_url, init) => {
					headers = init.headers;
					return Promise.resolve(new Response());
				},
			});
			return headers;
		},
		learn(headers) {
			const given = headers['dpop-nonce'];
			const isNew = given !== undefined && given !== '' && given !== nonce;
			nonce = isNew ? given : nonce;
			return isNew;
		},
	};
}

/** RFC 9530, 2. */
async function contentDigest(body: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
	return `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(digest)))}:`;
}
