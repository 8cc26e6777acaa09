/** The steps of a sign-in, as data for a report. They never contain secrets, nor the state parameter. */
import type { AuthException, AuthFailure, AuthRequest } from './failure.js';

/** Where a client id is from. */
export type ClientWay =
	/** Configured by the person. */
	| 'configured'
	/** The URL of a client metadata document. */
	| 'metadataDocument'
	/** Registered in this sign-in. */
	| 'registered'
	/** Registered or entered in an earlier sign-in. */
	| 'remembered'
	/** Entered by the person in this sign-in. */
	| 'asked'
	/** A workload without a client id. */
	| 'none';

/** How tokens were obtained: by a person in a browser (`code`), or in one of the ways without one. */
export type GrantWay = 'code' | 'clientCredentials' | 'enterprise' | 'workload';

export type AuthStep =
	/** The server demanded a token, or more scopes. */
	| {
			readonly kind: 'challenged';
			readonly status: number;
			readonly error: string | undefined;
			readonly scopes: readonly string[] | undefined;
			readonly resourceMetadata: string | undefined;
	  }
	/** A request was answered, or failed. */
	| {
			readonly kind: 'requested';
			readonly request: AuthRequest;
			/** Without query. */
			readonly url: string;
			/** The status, or why there is none: an error code of the system, or English for logs. */
			readonly outcome: number | string;
	  }
	/** The authorization servers of the server, and where its metadata was found. */
	| {
			readonly kind: 'resource';
			readonly from: 'challenge' | 'wellKnown' | 'none';
			readonly resource: string | undefined;
			readonly issuers: readonly string[];
			readonly scopes: readonly string[] | undefined;
	  }
	| {
			readonly kind: 'authorizationServer';
			readonly issuer: string;
			/** `defaults`: without metadata, the endpoints are those of revision 2025-03-26. */
			readonly from: 'metadata' | 'defaults';
	  }
	/** An exception of the person's settings applies to this sign-in. */
	| ({ readonly kind: 'exception' } & AuthException)
	| {
			readonly kind: 'redirect';
			/** See `RedirectTarget.kind`. */
			readonly way: string;
			readonly uri: string;
	  }
	| {
			readonly kind: 'client';
			readonly way: ClientWay;
			/** Why the preferred ways were not taken, and why a remembered client was not used. */
			readonly why: readonly (
				| 'notConfigured'
				| 'noDocumentUrl'
				| 'documentsUnsupported'
				| 'redirectChanged'
				| 'expired'
				| 'scopeRefused'
			)[];
			readonly clientId: string | undefined;
			/** The authentication method at the token endpoint. */
			readonly method: string;
	  }
	| {
			readonly kind: 'scopes';
			readonly scopes: readonly string[];
			readonly from: 'configuration' | 'challenge' | 'resource' | 'nothing' | 'stepUp';
	  }
	/** The browser was opened; the URL has no query. */
	| { readonly kind: 'browser'; readonly url: string }
	/** The redirect URI was opened with a state of another sign-in, or none. */
	| { readonly kind: 'strayReturn' }
	/** The browser was redirected back. `error` is also undefined if the answer is neither a code nor an error. */
	| { readonly kind: 'returned'; readonly outcome: 'code' | 'error'; readonly error: string | undefined }
	| {
			readonly kind: 'granted';
			readonly by: GrantWay | 'refresh';
			readonly scopes: readonly string[] | undefined;
			/** Milliseconds since 1970; undefined if not known. */
			readonly expiresAt: number | undefined;
			readonly refreshable: boolean;
			readonly isBound: boolean;
	  }
	/** `isKept`: the refresh token is kept, because the authorization server did not call it invalid. */
	| { readonly kind: 'notRefreshed'; readonly failure: AuthFailure; readonly isKept: boolean }
	/** Tokens were adopted from another window, which signed in or refreshed them. */
	| { readonly kind: 'taken' }
	/** Stored tokens were discarded; `elsewhere`: another window signed out. */
	| { readonly kind: 'forgotten'; readonly why: 'refused' | 'otherIssuer' | 'signedOut' | 'elsewhere' }
	| { readonly kind: 'failed'; readonly failure: AuthFailure };

/** Called for every step, in order. */
export type ReportStep = (step: AuthStep) => void;
