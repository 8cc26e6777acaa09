/** What authorization asks of the room that it runs in. */
import type { Disposable } from '../../base/lifecycle.js';
import type { AuthFailure, SignInNeed } from './failure.js';

/** Names one secret. Everything is kept for one server and, where it is an authorization server's, for that one. */
export type SecretKey =
	/** The tokens of a server, whoever issued them: the record says who. */
	| { readonly kind: 'grant'; readonly server: string }
	/** A client id that was registered, or typed by a person, for this server at that authorization server. */
	| { readonly kind: 'client'; readonly server: string; readonly issuer: string };

/**
 * Keeps texts in a safe place. Other windows may write the same: what was read is not remembered for long.
 * A failure of it is survived; the person only has to sign in again after a restart.
 */
export interface TokenStore {
	get(key: SecretKey): Promise<string | undefined>;
	set(key: SecretKey, text: string): Promise<void>;
	delete(key: SecretKey): Promise<void>;
	/** Tells of each change of what is kept by that name, by this window or another, as far as the place can. */
	onDidChange(key: SecretKey, listener: () => void): Disposable;
}

/** Knows what nobody is to read. What servers say passes it, since they may repeat what they were sent. */
export interface Secrecy {
	/** From now on these are taken out. */
	hide(secrets: Iterable<string>): void;
	/** The same without them. */
	text(text: string): string;
}

/** Where a browser can be sent back to. */
export interface Redirect {
	/**
	 * Finds a place before anything is registered: `uri` is never altered afterwards.
	 * @param preferred one that is registered already, if there is any
	 */
	open(preferred: string | undefined, signal: AbortSignal): Promise<RedirectTarget>;
}

export interface RedirectTarget extends Disposable {
	/** As it is registered and sent. */
	readonly uri: string;
	/** Of which kind it is, for the report: `loopback`, `uriHandler`, `pasted`. */
	readonly kind: string;
	/**
	 * Sends the person's browser to `url` and waits for it to come back.
	 * @param accept tells whether a URL that came is the answer to this very question; what is refused (an old tab,
	 * a stranger) is told so, and waited on
	 * @returns the URL that was accepted
	 * @throws AbortError if the signal aborts, or the person gives it up
	 */
	follow(url: string, accept: (returned: URL) => boolean, signal: AbortSignal): Promise<URL>;
}

/** What only a person can decide. Every question may be declined; none is asked while nobody is there to answer. */
export interface AuthPrompt {
	/**
	 * A request cannot go on before the person signs in, or allows more. Asked once, however many requests wait.
	 * @param isWaiting the person has just said that they want to sign in, and has not seen what for
	 * @returns true to open the browser now; false fails the requests with `signInNeeded`
	 */
	mayInteract(need: SignInNeed, signal: AbortSignal, isWaiting: boolean): Promise<boolean>;
	/** Metadata leads from a public server to an address of the person's own network or machine. */
	mayVisit(visit: { readonly url: string; readonly server: string }, signal: AbortSignal): Promise<boolean>;
	/** Nothing gives a client id: the person may have registered one. */
	askClient(
		question: { readonly issuer: string; readonly server: string; readonly redirectUri: string },
		signal: AbortSignal,
	): Promise<{ readonly clientId: string; readonly clientSecret?: string | undefined } | undefined>;
}

/** Where a server stands with its authorization; data for the tree. */
export type AuthState =
	/** The server has not asked who we are. */
	| { readonly kind: 'unasked' }
	/** `need`: a person is asked for it, or at it. */
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
