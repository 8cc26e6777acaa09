/** Why authorization failed, as codes with data; `editor/l10n/authWords.ts` has the texts. Failures contain no secrets. */

/** An exception at one authorization server. See `Exceptions`. */
export type AuthException =
	| { readonly what: 'issuer'; readonly issuer: string; readonly named: string }
	| { readonly what: 'pkce' | 'resource'; readonly issuer: string };

/** A sign-in that needs the person. */
export interface SignInNeed {
	/** URL of the MCP server. */
	readonly server: string;
	/** Issuer of the authorization server. */
	readonly issuer: string;
	/** The server names no authorization server. It may not support OAuth, and expect an API key instead. */
	readonly isGuess: boolean;
	/** The scopes to request; if empty, the authorization server chooses. */
	readonly scopes: readonly string[];
	/** The page that the browser opens; undefined if there is none, or if it isn't known yet. */
	readonly page?: string | undefined;
	/** The endpoint that gets the code and a client secret; undefined if it isn't known yet. */
	readonly tokenEndpoint?: string | undefined;
	/** Whether this sign-in sends a client secret or signature to an issuer and host that the person has yet to confirm. */
	readonly bindsSecret?: boolean;
	/** Whether the two are on different hosts that aren't confirmed yet, and responses needn't name their issuer: RFC 9207. */
	readonly isMixed?: boolean;
	/** The exceptions of the person's settings that apply. Missing if there are none. */
	readonly exceptions?: readonly AuthException[];
	readonly why:
		/** The person has not signed in yet. */
		| 'first'
		/** The tokens are no longer valid and can't be refreshed. */
		| 'expired'
		/** The server demands more scopes than were granted. */
		| 'moreScopes';
}

/** A request during a sign-in. */
export type AuthRequest =
	| 'resourceMetadata'
	| 'serverMetadata'
	| 'registration'
	| 'authorization'
	| 'token'
	| 'tokenExchange'
	| 'revocation';

/** The error of an authorization server, shortened: untrusted text. */
export interface OAuthRefusal {
	readonly error: string;
	readonly description: string | undefined;
}

export type AuthFailure =
	| { readonly code: 'signInNeeded'; readonly need: SignInNeed }
	/** A URL that must not be requested: `http:` beyond this machine, another scheme, odd characters, a user in it. */
	| { readonly code: 'unsafeUrl'; readonly request: AuthRequest; readonly url: string; readonly why: UnsafeUrl }
	/** The person declined to contact an address in their network or machine. */
	| { readonly code: 'privateAddress'; readonly request: AuthRequest; readonly url: string }
	/** No usable answer; `why` is a status, an error code of the system, or English for logs. */
	| { readonly code: 'noAnswer'; readonly request: AuthRequest; readonly url: string; readonly why: string }
	/** The metadata describes another server. */
	| { readonly code: 'resourceMismatch'; readonly server: string; readonly resource: string }
	/** The metadata names another issuer than the one it was requested from. */
	| { readonly code: 'issuerMismatch'; readonly issuer: string; readonly named: string }
	/** The metadata of the server lists no authorization server. */
	| { readonly code: 'noAuthorizationServer'; readonly url: string }
	/** The server names no authorization server, and registering a client at the server's own origin failed. */
	| { readonly code: 'guessFailed'; readonly failure: AuthFailure }
	/** The authorization server doesn't announce PKCE with S256. */
	| { readonly code: 'noPkce'; readonly issuer: string }
	/** The metadata lacks an endpoint. */
	| { readonly code: 'noEndpoint'; readonly request: AuthRequest; readonly issuer: string }
	/** The client that was configured belongs to another authorization server. */
	| { readonly code: 'otherIssuer'; readonly issuer: string; readonly configured: string }
	/** No client could be registered, and the person entered none. */
	| { readonly code: 'noClient'; readonly issuer: string }
	/** The client supports none of the authentication methods that the authorization server accepts. */
	| { readonly code: 'noClientMethod'; readonly issuer: string; readonly offered: readonly string[] }
	/** A configured value is missing or unusable: an invalid key, an unreadable file; `why` is the system's text. */
	| { readonly code: 'badConfiguration'; readonly what: BadConfiguration; readonly why?: string | undefined }
	| {
			readonly code: 'refused';
			readonly request: AuthRequest;
			readonly status: number | undefined;
			readonly refusal: OAuthRefusal;
	  }
	/** The answer violates the protocol; `why` is English for logs. */
	| { readonly code: 'badAnswer'; readonly request: AuthRequest; readonly why: string }
	/** Nothing can listen at the configured redirect URI; `why` is a code of the system. */
	| { readonly code: 'noRedirect'; readonly uri: string; readonly why: string }
	/** No redirect URI is available, or no browser could be opened; `why` is English for logs. */
	| { readonly code: 'noBrowser'; readonly why: string }
	/** The redirect came from another authorization server. RFC 9207. */
	| { readonly code: 'mixUp'; readonly issuer: string; readonly why: string }
	/** The server keeps demanding scopes that were granted already. */
	| { readonly code: 'stepUpLimit'; readonly scopes: readonly string[]; readonly limit: number }
	/** The server rejects tokens that its authorization server has just issued. */
	| { readonly code: 'grantRefused'; readonly issuer: string }
	/** The bundle with the sign-in engine could not be loaded. */
	| { readonly code: 'unavailable'; readonly why: string };

export type BadConfiguration = 'settings' | 'issuer' | 'privateKey' | 'assertion' | 'subjectToken';

/** `insecure`: `http:` beyond this machine; `credentials`: a user or password in the URL. */
export type UnsafeUrl = 'notAUrl' | 'scheme' | 'insecure' | 'characters' | 'credentials';

/** Carries a failure within this folder. Errors that leave the folder are `McpError`s. */
export class AuthError extends Error {
	override readonly name = 'AuthError';

	constructor(readonly failure: AuthFailure) {
		super(`authorization: ${failure.code}`);
	}
}

/** The exception with which a failed sign-in would continue; undefined if no exception helps. */
export function exceptionFor(failure: AuthFailure): AuthException | undefined {
	switch (failure.code) {
		case 'issuerMismatch':
			return { what: 'issuer', issuer: failure.issuer, named: failure.named };
		case 'noPkce':
			return { what: 'pkce', issuer: failure.issuer };
		default:
			return undefined;
	}
}

/** Turns the error of a guessed authorization server into `guessFailed` if no client could be registered there. */
export function withGuess(error: unknown): unknown {
	const failure = error instanceof AuthError ? error.failure : undefined;
	const isUnregistered = failure && 'request' in failure && failure.request === 'registration';
	return isUnregistered ? new AuthError({ code: 'guessFailed', failure }) : error;
}
