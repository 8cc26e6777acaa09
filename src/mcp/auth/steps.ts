/** Everything that happens while signing in, as data for a report. No secret is ever in it: not even the state. */
import type { AuthFailure, AuthRequest } from './failure.js';
import type { GrantWay } from './grant.js';

/** How a client id was come by. */
export type ClientWay =
	/** Configured by the person. */
	| 'configured'
	/** The URL of our client metadata document. */
	| 'metadataDocument'
	/** Registered just now. */
	| 'registered'
	/** Registered, or typed, earlier. */
	| 'remembered'
	/** Typed just now. */
	| 'asked'
	/** A workload needs none. */
	| 'none';

export type AuthStep =
	/** The server asked who we are, or for more. */
	| {
			readonly kind: 'challenged';
			readonly status: number;
			readonly error: string | undefined;
			readonly scopes: readonly string[] | undefined;
			readonly resourceMetadata: string | undefined;
	  }
	/** One request and what came of it. */
	| {
			readonly kind: 'requested';
			readonly request: AuthRequest;
			/** Without query. */
			readonly url: string;
			/** A status, or why there is none: a system's code, or English for logs. */
			readonly outcome: number | string;
	  }
	/** Whom the server trusts; `from` says how that was found. */
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
			/** `defaults`: it has no metadata, and revision 2025-03-26 says where its endpoints are then. */
			readonly from: 'metadata' | 'defaults';
	  }
	| {
			readonly kind: 'redirect';
			/** As RedirectTarget. */
			readonly way: string;
			readonly uri: string;
	  }
	| {
			readonly kind: 'client';
			readonly way: ClientWay;
			/** Why no better way was taken, and why an older id was not used. */
			readonly why: readonly (
				| 'notConfigured'
				| 'noDocumentUrl'
				| 'documentsUnsupported'
				| 'redirectChanged'
				| 'expired'
			)[];
			readonly clientId: string | undefined;
			/** How it proves itself at the token endpoint. */
			readonly method: string;
	  }
	| {
			readonly kind: 'scopes';
			readonly scopes: readonly string[];
			readonly from: 'configuration' | 'challenge' | 'resource' | 'nothing' | 'stepUp';
	  }
	/** The browser was sent to this page (without query), or came back. */
	| { readonly kind: 'browser'; readonly url: string }
	/** A URL came back that answers no question of this sign-in. */
	| { readonly kind: 'strayReturn' }
	/** `error` is undefined where the answer is neither a code nor an error. */
	| { readonly kind: 'returned'; readonly outcome: 'code' | 'error'; readonly error: string | undefined }
	| {
			readonly kind: 'granted';
			readonly by: GrantWay | 'refresh';
			readonly scopes: readonly string[] | undefined;
			/** Milliseconds since 1970; undefined: the server does not say. */
			readonly expiresAt: number | undefined;
			readonly refreshable: boolean;
			readonly isBound: boolean;
	  }
	/** The refresh token is kept unless the authorization server said that it is worth nothing. */
	| { readonly kind: 'notRefreshed'; readonly failure: AuthFailure; readonly isKept: boolean }
	/** Another window has signed in, or has renewed the tokens: those are used. */
	| { readonly kind: 'taken' }
	/** Kept tokens were forgotten: refused by the server, of another authorization server, or signed out, here or elsewhere. */
	| { readonly kind: 'forgotten'; readonly why: 'refused' | 'otherIssuer' | 'signedOut' | 'elsewhere' }
	| { readonly kind: 'failed'; readonly failure: AuthFailure };

/** Told of every step, in order. */
export type ReportStep = (step: AuthStep) => void;
