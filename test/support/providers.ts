// How the authorization servers of known providers behave, as far as they differ from what specifications ask for.
import type { GuardedServer, Refusal } from './guardedServer.js';
import { json } from './httpServer.js';

interface Provider {
	/** Changes the authorization server. */
	readonly prepare: (server: GuardedServer) => void;
}

const refusal = (error: string, error_description?: string): Refusal => ({ body: { error, error_description } });

export const providers = {
	/** Registers no client without `scope`. */
	Fastmail: {
		prepare: server => {
			server.metadata = { scopes_supported: ['mail', 'calendar'] };
			server.refuse = (path, { scope }) =>
				path === '/register' && scope === undefined ? refusal('invalid_request', 'no scope') : undefined;
		},
	},
	/** Grants a client only the scopes that it was registered with. */
	Keycloak: {
		prepare: server => {
			server.prm = { scopes_supported: ['read', 'write'] };
			server.refuse = (path, { scope = '', client_id }) => {
				const registered = server.registrations.find((_, index) => client_id === `client${index + 1}`);
				const granted = String(registered?.['scope']).split(' ');
				const isRefused =
					path === '/authorize' &&
					!String(scope)
						.split(' ')
						.every(it => granted.includes(it));
				return isRefused ? { ...refusal('invalid_scope'), redirects: true } : undefined;
			};
		},
	},
	/** Registers no clients, announces no PKCE, shows an error for `resource`, and renews tokens only for named scopes. */
	Entra: {
		prepare: server => {
			server.prm = { scopes_supported: ['api://x/.default'] };
			server.metadata = { registration_endpoint: undefined, code_challenge_methods_supported: undefined };
			server.refuse = (path, { grant_type, scope, resource }) =>
				resource !== undefined
					? refusal('invalid_target', 'AADSTS9010010')
					: path === '/token' && grant_type === 'refresh_token' && scope === undefined
						? refusal('invalid_request', 'AADSTS90009')
						: undefined;
		},
	},
	/** Registers no clients and announces no PKCE, but checks it. */
	Cognito: {
		prepare: server => {
			server.metadata = { registration_endpoint: undefined, code_challenge_methods_supported: undefined };
		},
	},
	/** Is listed with a slash that its metadata don't have. */
	Google: {
		prepare: server => {
			server.prm = { authorization_servers: [`${server.issuer}/`] };
		},
	},
	/** Names no authorization server, and answers itself with the metadata of one at another host. */
	Atlassian: {
		prepare: server => {
			server.instead.set('/.well-known/oauth-protected-resource/mcp', (_asked, response) => json(response, {}, 404));
			server.instead.set('/.well-known/oauth-authorization-server', (_asked, response) =>
				json(response, server.serverMetadata),
			);
		},
	},
	/** Refuses an ended refresh token in a format of its own. */
	Supabase: {
		prepare: server => {
			server.refuse = (path, { grant_type, refresh_token }) =>
				path === '/token' && grant_type === 'refresh_token' && !server.refreshTokens.has(String(refresh_token))
					? { body: { code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' } }
					: undefined;
		},
	},
	/** Returns only to the registered redirect URI: no other name, port or path. */
	Okta: {
		prepare: server => {
			server.metadata = { registration_endpoint: undefined };
			server.refuse = (path, { redirect_uri }) =>
				path === '/authorize' && redirect_uri !== 'http://localhost:3118/callback'
					? refusal('invalid_request', 'redirect_uri')
					: undefined;
		},
	},
} as const satisfies Readonly<Record<string, Provider>>;
