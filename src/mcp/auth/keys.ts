/** Imports private keys: the Web Crypto parameters of each JOSE algorithm. */
import type { CryptoKey } from 'oauth4webapi';

/** The parameters of `crypto.subtle.importKey`; TypeScript names their type only in the DOM library. */
export type KeyParams =
	| { readonly name: string; readonly hash: string }
	| { readonly name: string; readonly namedCurve: string };

const params: Readonly<Record<string, KeyParams>> = {
	ES256: { name: 'ECDSA', namedCurve: 'P-256' },
	ES384: { name: 'ECDSA', namedCurve: 'P-384' },
	ES512: { name: 'ECDSA', namedCurve: 'P-521' },
	RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
	RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
	RS512: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' },
	PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
	PS384: { name: 'RSA-PSS', hash: 'SHA-384' },
	PS512: { name: 'RSA-PSS', hash: 'SHA-512' },
	EdDSA: { name: 'Ed25519', namedCurve: 'Ed25519' },
	Ed25519: { name: 'Ed25519', namedCurve: 'Ed25519' },
};

/** @throws TypeError for an unknown algorithm */
export function keyParams(algorithm: unknown): KeyParams {
	const found = typeof algorithm === 'string' && Object.hasOwn(params, algorithm) ? params[algorithm] : undefined;
	if (!found) {
		throw new TypeError('unknown algorithm');
	}
	return found;
}

/** Imports a private key for signing. @param pem PKCS #8 @throws any error if the text isn't a key of that algorithm */
export function importPem(pem: string, algorithm: string): Promise<CryptoKey> {
	const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
	if (body === undefined) {
		throw new TypeError('no PKCS #8');
	}
	const bytes = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), it => it.charCodeAt(0));
	return crypto.subtle.importKey('pkcs8', bytes, keyParams(algorithm), false, ['sign']);
}
