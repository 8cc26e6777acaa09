/** Why authorization did not come about: codes with data, worded by the editor's rooms. Nothing here is a secret. */

/** What only a person can begin. */
export interface SignInNeed {
	/** URL of the MCP server. */
	readonly server: string;
	/** Issuer of the authorization server that would be asked. */
	readonly issuer: string;
	/** The server does not say whom to ask: it may not know OAuth at all, but want a key of its own. */
	readonly isGuess: boolean;
	/** What would be asked for; empty: whatever the authorization server gives. */
	readonly scopes: readonly string[];
	readonly why:
		/** Nobody has signed in yet. */
		| 'first'
		/** The tokens are not valid any more, and cannot be refreshed. */
		| 'expired'
		/** The server wants more than was granted. */
		| 'moreScopes';
}

/** A request in the course of signing in. */
export type AuthRequest =
	| 'resourceMetadata'
	| 'serverMetadata'
	| 'registration'
	| 'authorization'
	| 'token'
	| 'tokenExchange'
	| 'revocation';

/** What an authorization server said, cut to a readable length: untrusted text. */
export interface OAuthRefusal {
	readonly error: string;
	readonly description: string | undefined;
}

export type AuthFailure =
	| { readonly code: 'signInNeeded'; readonly need: SignInNeed }
	/** A URL that we would not visit: `http:` beyond this machine, another scheme, odd characters, a user in it. */
	| { readonly code: 'unsafeUrl'; readonly request: AuthRequest; readonly url: string; readonly why: UnsafeUrl }
	/** The person did not want an address of the own network or machine to be visited. */
	| { readonly code: 'privateAddress'; readonly request: AuthRequest; readonly url: string }
	/** No answer that could be used; `why` is a status, a system's code, or English for logs. */
	| { readonly code: 'noAnswer'; readonly request: AuthRequest; readonly url: string; readonly why: string }
	/** The metadata describe another server than the one that was asked. */
	| { readonly code: 'resourceMismatch'; readonly server: string; readonly resource: string }
	/** The metadata name another issuer than the one they were asked of. */
	| { readonly code: 'issuerMismatch'; readonly issuer: string; readonly named: string }
	/** The metadata of the server name no authorization server. */
	| { readonly code: 'noAuthorizationServer'; readonly url: string }
	/** The authorization server does not promise PKCE with S256. */
	| { readonly code: 'noPkce'; readonly issuer: string }
	/** The metadata lack an endpoint. */
	| { readonly code: 'noEndpoint'; readonly request: AuthRequest; readonly issuer: string }
	/** The client that was configured belongs to another authorization server. */
	| { readonly code: 'otherIssuer'; readonly issuer: string; readonly configured: string }
	/** There is no way to get a client id but to ask, and the person gave none. */
	| { readonly code: 'noClient'; readonly issuer: string }
	/** None of the ways in which the authorization server accepts a client's proof is possible. */
	| { readonly code: 'noClientMethod'; readonly issuer: string; readonly offered: readonly string[] }
	/** What was configured cannot be used: a key that is none, a file that cannot be read; `why` is of the system. */
	| { readonly code: 'badConfiguration'; readonly what: BadConfiguration; readonly why?: string | undefined }
	| {
			readonly code: 'refused';
			readonly request: AuthRequest;
			readonly status: number | undefined;
			readonly refusal: OAuthRefusal;
	  }
	/** The answer breaks a rule; `why` is English for logs. */
	| { readonly code: 'badAnswer'; readonly request: AuthRequest; readonly why: string }
	/** There is no way for a browser to come back, or none could be opened; `why` is English for logs. */
	| { readonly code: 'noBrowser'; readonly why: string }
	/** The browser came back from another authorization server than the one it was sent to. */
	| { readonly code: 'mixUp'; readonly issuer: string; readonly why: string }
	/** The server wants scopes that were granted already, or wants more again and again. */
	| { readonly code: 'stepUpLimit'; readonly scopes: readonly string[]; readonly limit: number }
	/** The server refuses the tokens that its own authorization server has just issued. */
	| { readonly code: 'grantRefused'; readonly issuer: string }
	/** Our own code could not be loaded. */
	| { readonly code: 'unavailable'; readonly why: string };

export type BadConfiguration = 'settings' | 'privateKey' | 'assertion' | 'subjectToken';

export type UnsafeUrl = 'notAUrl' | 'scheme' | 'insecure' | 'characters' | 'credentials';

/** A token that is bound to a key, without the key. */
export const keyIsLost: AuthFailure = {
	code: 'badAnswer',
	request: 'token',
	why: 'the key of the token cannot be used',
};

/** Carries a failure within this folder; what leaves it is an `McpError`. */
export class AuthError extends Error {
	override readonly name = 'AuthError';

	constructor(readonly failure: AuthFailure) {
		super(`authorization: ${failure.code}`);
	}
}
