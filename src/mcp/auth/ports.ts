/**
 * The ports through which authorization uses the editor, and the interface of the engine that signs in. The engine is a
 * separate bundle that is loaded when a server first asks for authorization. Error classes differ between bundles, so the engine returns failures
 * as data; only a cancellation is thrown.
 */
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { HttpFetch, HttpRequest } from '../transport/httpFetch.js';
import type { Demand } from './challenges.js';
import type { AuthConfig } from './config.js';
import type { AuthFailure, SignInNeed } from './failure.js';
import type { TokenGrant } from './grant.js';
import type { ReportStep } from './signInSteps.js';

/** Names one secret. Secrets are never shared between MCP servers, nor clients between authorization servers. */
export type SecretKey =
	/** The tokens of a server; the kept grant names its issuer. */
	| { readonly kind: 'grant'; readonly server: string }
	/** A client id that was registered, or entered by the person, for this server at that authorization server. */
	| { readonly kind: 'client'; readonly server: string; readonly issuer: string }
	/** The hosts of an authorization server that the person has confirmed for this server: of its page and of its tokens. */
	| { readonly kind: 'hosts'; readonly server: string; readonly issuer: string };

/**
 * Secret storage. Other windows may write the same keys, so callers do not cache what they read. If the store fails, the
 * person has to sign in again after a restart, and nothing else.
 */
export interface TokenStore {
	get(key: SecretKey): Promise<string | undefined>;
	set(key: SecretKey, text: string): Promise<void>;
	delete(key: SecretKey): Promise<void>;
	/** Fires after changes of this secret by this window and, where the storage reports them, by other windows. */
	onDidChange(key: SecretKey, listener: () => void): Disposable;
}

/** Removes known secrets from texts of servers, which may repeat what they were sent. */
export interface Secrecy {
	/** Adds secrets that `text` removes from now on. */
	hide(secrets: Iterable<string>): void;
	/** The text without the secrets. */
	text(text: string): string;
}

/** Opens a URL that the browser can be redirected to. */
export interface Redirect {
	/**
	 * Called before a client is registered, because the registration contains the URI.
	 * @param preferred the redirect URI of an earlier registration
	 * @param tail the end of the path of the URI: empty, or `/` and the name of an issuer
	 * @param fixed `PersonConfig.redirectUri`, which is used as it is
	 * @returns a target that the caller disposes
	 */
	open(preferred: string | undefined, tail: string, signal: AbortSignal, fixed?: string): Promise<RedirectTarget>;
}

export interface RedirectTarget extends Disposable {
	/** The redirect URI exactly as it is registered and sent. */
	readonly uri: string;
	/** For the report: `loopback`, `uriHandler` or `pasted`. */
	readonly kind: string;
	/**
	 * Opens `url` in the browser and waits for the redirect.
	 * @param accept whether a received URL answers this request; a URL that is not accepted (an old tab, another program)
	 * gets an error page, and the wait continues
	 * @returns the URL that was accepted
	 * @throws AbortError if the signal aborts or the person cancels
	 */
	follow(url: string, accept: (returned: URL) => boolean, signal: AbortSignal): Promise<URL>;
}

/** Decisions of the person, who can decline each of them. Never called while the person can't be asked. */
export interface AuthPrompt {
	/**
	 * Requests need a sign-in or more scopes. Called once for all requests that wait.
	 * @param isWaiting the person has just chosen to sign in, but has not seen the details yet
	 * @returns true to sign in now, as the need says; false fails the requests with `signInNeeded`
	 */
	mayInteract(need: SignInNeed, signal: AbortSignal, isWaiting: boolean): Promise<boolean>;
	/** Metadata of a server leads to an address that is more private than the server's: in the own network or machine. */
	mayVisit(visit: { readonly url: string; readonly server: string }, signal: AbortSignal): Promise<boolean>;
	/** Asks for a client that the person has registered, because the authorization server registers none itself. */
	askClient(
		question: { readonly issuer: string; readonly tokenEndpoint: string; readonly redirectUri: string },
		signal: AbortSignal,
	): Promise<{ readonly clientId: string; readonly clientSecret?: string | undefined } | undefined>;
}

/** The state of a server's authorization, for the tree. */
export type AuthState =
	/** The server has not asked for authorization. */
	| { readonly kind: 'unasked' }
	/** With `need`, the person is asked to sign in, or is signing in. */
	| { readonly kind: 'working'; readonly need?: SignInNeed }
	| {
			readonly kind: 'signedIn';
			readonly issuer: string;
			readonly scopes: readonly string[];
			/** Milliseconds since 1970. */
			readonly expiresAt: number | undefined;
			readonly refreshable: boolean;
	  }
	| { readonly kind: 'needed'; readonly need: SignInNeed }
	| { readonly kind: 'failed'; readonly failure: AuthFailure };

/** The metadata of this client in every registration. */
export interface ClientFacts {
	/** Shown on consent pages. */
	readonly name: string;
	/** Identifies the software, not the installation. RFC 7591, 2. */
	readonly softwareId?: string | undefined;
	readonly softwareVersion?: string | undefined;
}

export interface AuthEngineOptions {
	readonly server: URL;
	readonly client: ClientFacts;
	readonly fetch: HttpFetch;
	readonly store: TokenStore;
	readonly redirect: Redirect;
	readonly prompt: AuthPrompt;
	readonly secrecy: Secrecy;
	readonly report: ReportStep;
	/** Read for each sign-in. */
	readonly config: () => Promise<AuthConfig>;
	/** Milliseconds for one request of a sign-in with its answer and all redirects; 15,000 by default. */
	readonly requestMs?: number | undefined;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

/** One request for tokens. */
export interface TokenTask {
	/** The current tokens. */
	readonly grant: TokenGrant | undefined;
	/** Whether the server has had tokens before. Without a `grant`, they have expired or were refused. */
	readonly wasSignedIn: boolean;
	/** The demand of the server; undefined if the token has expired or the server has not answered yet. */
	readonly demand: Demand | undefined;
	/** `absent`: the person must not be asked; `ask`: they may be asked; `waiting`: they have just chosen to sign in. */
	readonly person: 'absent' | 'ask' | 'waiting';
	/** Whether the refresh token may be tried first. */
	readonly mayRefresh: boolean;
}

export type Outcome =
	/** `isSamePerson`: the grant continues `TokenTask.grant`. */
	| { readonly kind: 'granted'; readonly grant: TokenGrant; readonly isSamePerson: boolean }
	/** `isForgotten`: the tokens of the task were discarded. */
	| { readonly kind: 'failed'; readonly failure: AuthFailure; readonly isForgotten: boolean };

/** Proves the possession of the key that a token is bound to. RFC 9449. */
export interface Prover {
	headers(request: {
		readonly method: HttpRequest['method'];
		readonly url: URL;
		readonly body: string | undefined;
	}): Promise<Record<string, string>>;
	/** Remembers the nonce that a response demands. @returns whether the nonce is a new one */
	learn(headers: Readonly<Record<string, string>>): boolean;
}

export interface AuthEngine {
	/** Gets new tokens and stores them. @throws AbortError */
	obtain(task: TokenTask, signal: AbortSignal): Promise<Outcome>;
	/** @returns undefined if the grant has no usable key */
	prover(grant: TokenGrant): Promise<Prover | undefined>;
	/** Revokes the tokens at the authorization server. Never rejects. */
	revoke(grant: TokenGrant, signal: AbortSignal): Promise<void>;
}

export interface AuthorizerOptions extends Omit<AuthEngineOptions, 'server' | 'report' | 'now'> {
	/** URL of the MCP server. */
	readonly url: string;
	readonly log: Logger;
	/** Loads the bundle with the engine: `() => import('./authorization.js')`. */
	readonly load: () => Promise<{ createAuthEngine(options: AuthEngineOptions): AuthEngine }>;
	/** Whether the person may be asked now. During start-up they may not: requests fail with `signInNeeded` instead. */
	readonly isInteractive: () => boolean;
	/** Milliseconds since 1970; the clock of the system by default. */
	readonly now?: () => number;
}
