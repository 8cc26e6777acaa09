/**
 * Stands in for the browser of a person who agrees to everything: opens the page and reads where it sends them. Everything
 * else about signing in is product code.
 */
import type { AuthConfig, AuthPrompt, BoundClient, Redirect } from '../../src/mcp/index.js';
import { isObject } from '../../src/mcp/index.js';

/** The harness sends every browser back to here; nothing listens. */
const redirectUri = 'http://localhost:3000/callback';

export const browser: Redirect = {
	open: () =>
		Promise.resolve({
			uri: redirectUri,
			kind: 'harness',
			async follow(url, accept, signal) {
				const response = await fetch(url, { redirect: 'manual', signal });
				const returned = new URL(response.headers.get('location') ?? 'about:blank');
				if (!accept(returned)) {
					throw new Error(`The browser was sent to ${returned.href}.`);
				}
				return returned;
			},
			dispose() {},
		}),
};

/** A person who says yes. */
export const agreeing: AuthPrompt = {
	mayInteract: () => Promise.resolve(true),
	mayVisit: () => Promise.resolve(true),
	askClient: () => Promise.resolve(undefined),
};

/** What a person would have written in their settings for a scenario. */
export function configFor(scenario: string, context: unknown): AuthConfig {
	const given = isObject(context) ? context : {};
	const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '');
	const optional = (name: string): string | undefined => text(name) || undefined;
	const clientId = text('client_id');
	const boundTo = (issuer: string): BoundClient => ({
		clientId,
		issuer,
		clientSecret: optional('client_secret'),
		...(scenario === 'auth/client-credentials-jwt' && {
			privateKey: text('private_key_pem'),
			algorithm: text('signing_algorithm'),
		}),
	});
	const issuer = optional('issuer');
	// Without an issuer, the person confirms the one that is found.
	const client =
		issuer === undefined
			? { clientId, bindSecret: (found: string) => Promise.resolve(boundTo(found)) }
			: boundTo(issuer);
	switch (scenario) {
		case 'auth/pre-registration':
			return { kind: 'person', client };
		case 'auth/basic-cimd':
			return { kind: 'person', clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
		case 'auth/client-credentials-basic':
		case 'auth/client-credentials-jwt':
			return { kind: 'clientCredentials', client };
		case 'auth/wif-jwt-bearer': {
			const [, claims = ''] = text('valid_jwt').split('.');
			const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
			return { kind: 'workload', clientId, issuer: aud, assertion: () => Promise.resolve(text('valid_jwt')) };
		}
		case 'auth/enterprise-managed-authorization':
			return {
				kind: 'enterprise',
				client,
				identityProvider: {
					issuer: text('idp_issuer'),
					tokenEndpoint: text('idp_token_endpoint'),
					clientId: text('idp_client_id'),
					subjectToken: () => Promise.resolve(text('idp_id_token')),
				},
			};
		default:
			return { kind: 'person' };
	}
}
