/**
 * The port of everything that signing in takes, and what it gives back. Its implementation is a bundle of its own,
 * loaded when a server asks who we are: most never do. Classes of ours are not the same on both sides, so what comes
 * back is data; only cancelling throws.
 */
import type { Logger } from '../../base/log.js';
import type { HttpFetch, HttpRequest } from '../transport/httpFetch.js';
import type { AuthConfig } from './config.js';
import type { AuthHttpLimits } from './authHttp.js';
import type { Demand } from './challenges.js';
import type { AuthFailure } from './failure.js';
import type { Grant } from './grant.js';
import type { AuthPrompt, Redirect, Secrecy, TokenStore } from './ports.js';
import type { ReportStep } from './steps.js';

/** What is known of the client wherever it registers. */
export interface ClientFacts {
	/** Shown to people who are asked for their consent. */
	readonly name: string;
	readonly uri?: string | undefined;
	/** Of the software, not of the installation. RFC 7591. */
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
	/** Read anew for each sign-in. */
	readonly config: () => Promise<AuthConfig>;
	readonly limits?: Partial<AuthHttpLimits> | undefined;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

/** What is wanted. */
export interface Task {
	/** What there is already. */
	readonly grant: Grant | undefined;
	/** There was something, which has ended. */
	readonly wasSignedIn: boolean;
	/** What the server said; undefined: nothing yet, or the token has expired. */
	readonly demand: Demand | undefined;
	/** Whether a person may be asked: only told what would be, asked whether it suits, or waiting for the question. */
	readonly person: 'absent' | 'ask' | 'waiting';
	/** A refresh may be what it takes. */
	readonly mayRefresh: boolean;
}

export type Outcome =
	/** `isSamePerson`: it continues what there was. */
	| { readonly kind: 'granted'; readonly grant: Grant; readonly isSamePerson: boolean }
	/** `isForgotten`: what there was is of no more use, and has been removed. */
	| { readonly kind: 'failed'; readonly failure: AuthFailure; readonly isForgotten: boolean };

/** Proves the possession of the key that a token is bound to. */
export interface Prover {
	headers(request: {
		readonly method: HttpRequest['method'];
		readonly url: URL;
		readonly body: string | undefined;
	}): Promise<Record<string, string>>;
	/** Remembers the nonce that a response asks for. @returns whether it is a new one */
	learn(headers: Readonly<Record<string, string>>): boolean;
}

export interface AuthEngine {
	/** New tokens, which are kept in the store as well. @throws AbortError */
	obtain(task: Task, signal: AbortSignal): Promise<Outcome>;
	/** @returns undefined if the grant has no key that could be used */
	prover(grant: Grant): Promise<Prover | undefined>;
	/** Tells the authorization server that the tokens are not needed any more; never rejects. */
	revoke(grant: Grant, signal: AbortSignal): Promise<void>;
}

/** The bundle. */
export interface AuthEngineModule {
	createAuthEngine(options: AuthEngineOptions): AuthEngine;
}

/** Of an authorizer, which loads the bundle. */
export interface AuthorizerOptions extends Omit<AuthEngineOptions, 'server' | 'report' | 'now'> {
	/** URL of the server. */
	readonly url: string;
	readonly log: Logger;
	/** Loads the bundle with the engine: `() => import('./authorization.js')`. */
	readonly load: () => Promise<AuthEngineModule>;
	/** Whether a person may be asked now. At start-up nobody is: requests fail with `signInNeeded` instead. */
	readonly isInteractive: () => boolean;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}
