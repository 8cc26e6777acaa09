/**
 * Stands in for the browser of a person who agrees to everything: opens the page and reads where it sends them. Everything
 * else about signing in is product code.
 */
import type { AuthConfig, AuthPrompt, Redirect } from '../../src/mcp/index.js';
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
	const client = { clientId: text('client_id'), clientSecret: optional('client_secret'), issuer: optional('issuer') };
	switch (scenario) {
		case 'auth/pre-registration':
			return { kind: 'person', client };
		case 'auth/basic-cimd':
			return { kind: 'person', clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
		case 'auth/client-credentials-basic':
			return { kind: 'clientCredentials', client };
		case 'auth/client-credentials-jwt':
			return {
				kind: 'clientCredentials',
				client: { ...client, privateKey: text('private_key_pem'), algorithm: text('signing_algorithm') },
			};
		case 'auth/wif-jwt-bearer':
			return { kind: 'workload', clientId: client.clientId, assertion: () => Promise.resolve(text('valid_jwt')) };
		case 'auth/enterprise-managed-authorization':
			return {
				kind: 'enterprise',
				client,
				identityProvider: {
					issuer: text('idp_issuer'),
					tokenEndpoint: text('idp_token_endpoint'),
					client: { clientId: text('idp_client_id') },
					subjectToken: () => Promise.resolve(text('idp_id_token')),
				},
			};
		default:
			return { kind: 'person' };
	}
}
