/**
 * Proves to one server who we are: gives every request its token, has tokens renewed before they end and when the
 * server wants others, and lets one sign-in serve however many requests wait for it. What signing in takes is in the
 * engine, which is loaded when a server asks.
 */
import { raceAbort } from '../../base/async.js';
import { AbortError, toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import type { AuthorizedRequest, HttpAuth, HttpProof } from '../transport/httpAuth.js';
import type { HttpAbort } from '../transport/httpFetch.js';
import { problemOf } from './addresses.js';
import { type Demand, readDemand } from './challenges.js';
import type { AuthEngine, AuthEngineModule, AuthEngineOptions, Outcome, Prover, Task } from './engine.js';
import type { AuthFailure } from './failure.js';
import { type Grant, isDue } from './grant.js';
import type { AuthState } from './ports.js';
import { Secrets } from './secrets.js';
import type { AuthStep } from './steps.js';

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

/** What a request was sent with. */
interface Proof extends HttpProof {
	readonly grant: Grant | undefined;
	readonly prover: Prover | undefined;
}

/** One sign-in or renewal, and everybody who waits for it. */
interface Flight {
	readonly promise: Promise<Outcome>;
	readonly controller: AbortController;
	readonly person: Task['person'];
	waiters: number;
}

const noProof: Proof = { headers: {}, grant: undefined, prover: undefined };

/** How often more is asked for because of the same scopes, before the server counts as never satisfied. */
const maxStepUps = 2;
/** How often one request is sent again, whatever for. */
const maxTries = 6;
/** Milliseconds before a renewal that failed is tried again, while the token still holds. */
const pause = 5000;

export class Authorizer extends Owner implements HttpAuth {
	private readonly _onDidStep = this.own(new Emitter<AuthStep>());
	/** Everything that happens, in order, for a report. */
	readonly onDidStep: Event<AuthStep> = this._onDidStep.event;

	private readonly _onDidChange = this.own(new Emitter<AuthState>());
	readonly onDidChange: Event<AuthState> = this._onDidChange.event;

	private readonly server: URL;
	private readonly secrets: Secrets;
	private readonly now: () => number;
	private currentState: AuthState = { kind: 'unasked' };
	private engine: Promise<AuthEngine> | undefined;
	private loading: Promise<void> | undefined;
	private isLoaded = false;
	/** Also the proof of every request, as long as it is a bearer token. */
	private current: Proof = noProof;
	private flight: Flight | undefined;
	private lastDemand: Demand | undefined;
	private failedAt = -Infinity;
	private readonly stepUps = new Map<string, number>();

	/** @throws TypeError if the URL is none */
	constructor(private readonly options: AuthorizerOptions) {
		super();
		this.server = new URL(options.url);
		this.now = options.now ?? Date.now;
		this.secrets = new Secrets(options.store, this.server.href, options.log);
		this.own(toDisposable(() => this.flight?.controller.abort()));
	}

	get state(): AuthState {
		return this.currentState;
	}

	prove(request: AuthorizedRequest): Promise<Proof> | Proof {
		if (!this.isLoaded) {
			return this.load().then(() => this.prove(request));
		}
		const { current } = this;
		if (!current.grant) {
			return noProof;
		}
		if (isDue(current.grant, this.now()) && this.isRenewable(current.grant)) {
			return this.renewed(current.grant, request);
		}
		return this.proofFor(current, request);
	}

	reviewResponse(
		request: AuthorizedRequest,
		{ status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
		proof: HttpProof,
		tries: number,
	): Promise<boolean> | boolean {
		const { grant, prover } = proof as Proof;
		const isNewNonce = prover?.learn(headers) === true;
		if (status !== 401 && status !== 403) {
			if (tries > 0 && status < 400) {
				this.stepUps.clear();
			}
			return false;
		}
		const demand = readDemand(headers['www-authenticate']);
		if (tries >= maxTries || (status === 403 && demand.error !== 'insufficient_scope')) {
			return false;
		}
		if (demand.error === 'use_dpop_nonce' && prover) {
			return isNewNonce;
		}
		return this.meet(demand, status, grant, request.abort);
	}

	/**
	 * Signs in with a person who waits for it.
	 * @throws McpError `authorization`
	 * @throws AbortError if it is given up
	 */
	async signIn(signal: AbortSignal): Promise<void> {
		await this.load();
		// What goes on without a person may be all that it takes, and must not be disturbed.
		while (this.flight?.person === 'absent') {
			await raceAbort(this.flight.promise, signal);
		}
		this.stepUps.clear();
		const flight = this.flight ?? this.begin({ person: 'waiting', demand: this.lastDemand, isRefused: true });
		await this.landed(flight, signal);
	}

	/** Forgets the tokens, here and, where it listens, at the authorization server. */
	async signOut(signal: AbortSignal): Promise<void> {
		await this.load();
		this.flight?.controller.abort();
		const { grant } = this.current;
		this.current = noProof;
		this.stepUps.clear();
		await this.secrets.forgetGrant();
		if (grant) {
			this.report({ kind: 'forgotten', why: 'signedOut' });
			await (await this.engineNow()).revoke(grant, signal);
		}
		this.setState({ kind: 'unasked' });
	}

	/** The server wants somebody, somebody else, or more of the same. */
	private async meet(demand: Demand, status: number, used: Grant | undefined, abort: HttpAbort): Promise<boolean> {
		const unsafe = problemOf(this.server.href);
		if (unsafe === 'insecure') {
			throw failed({ code: 'unsafeUrl', request: 'authorization', url: this.server.href, why: unsafe });
		}
		if (unsafe) {
			// A socket, or a URL with a user in it: they have their own ways.
			return false;
		}
		if (this.current.grant && this.current.grant !== used) {
			return true;
		}
		if (!this.flight) {
			const { error, scopes, resourceMetadata } = demand;
			this.report({ kind: 'challenged', status, error, scopes, resourceMetadata });
			this.lastDemand = demand;
			this.countStepUp(demand);
			const person = this.options.isInteractive() ? 'ask' : 'absent';
			this.begin({ person, demand, isRefused: true });
		}
		await this.landed(this.flight as unknown as Flight, abort);
		return true;
	}

	/** Spec 2025-11-25: "Clients SHOULD implement retry limits and SHOULD track scope upgrade attempts". */
	private countStepUp({ error, scopes = [] }: Demand): void {
		if (error === 'insufficient_scope') {
			const key = scopes.toSorted().join(' ');
			const count = (this.stepUps.get(key) ?? 0) + 1;
			if (count > maxStepUps) {
				throw this.lost({ code: 'stepUpLimit', scopes, limit: maxStepUps });
			}
			this.stepUps.set(key, count);
		}
	}

	private begin(task: Omit<Task, 'grant'>): Flight {
		const controller = new AbortController();
		const promise = this.fly({ ...task, grant: this.current.grant }, controller.signal).finally(() => {
			this.flight = undefined;
		});
		promise.catch(() => undefined);
		this.flight = { promise, controller, person: task.person, waiters: 0 };
		return this.flight;
	}

	private async fly(task: Task, signal: AbortSignal): Promise<Outcome> {
		const before = this.currentState;
		this.setState({ kind: 'working' });
		try {
			const kept = await this.secrets.grant();
			const isNews = kept && kept.accessToken !== task.grant?.accessToken && !isDue(kept, this.now());
			// Another window has been there already.
			const outcome: Outcome = isNews
				? { kind: 'granted', grant: kept }
				: await (await this.engineNow()).obtain({ ...task, grant: task.grant ?? kept }, signal);
			signal.throwIfAborted();
			await this.take(outcome);
			return outcome;
		} catch (error) {
			if (this.currentState.kind === 'working') {
				this.setState(before);
			}
			throw error;
		}
	}

	private async take(outcome: Outcome): Promise<void> {
		if (outcome.kind === 'granted') {
			await this.use(outcome.grant);
			this.failedAt = -Infinity;
			return;
		}
		const { failure, isForgotten } = outcome;
		if (isForgotten) {
			this.current = noProof;
		}
		this.failedAt = this.now();
		const isNeed = failure.code === 'signInNeeded';
		this.setState(isNeed ? { kind: 'needed', need: failure.need } : { kind: 'failed', failure });
	}

	private async use(grant: Grant): Promise<void> {
		const { issuer, asked, scopes = asked, expiresAt, refreshToken, accessToken } = grant;
		const prover = grant.tokenType === 'dpop' ? await (await this.engineNow()).prover(grant) : undefined;
		if (grant.tokenType === 'dpop' && !prover) {
			// A key that is lost: the token is worth nothing without it.
			return;
		}
		this.current = { headers: { authorization: `Bearer ${accessToken}` }, grant, prover };
		this.setState({ kind: 'signedIn', issuer, scopes, expiresAt, refreshable: refreshToken !== undefined });
	}

	/** Waits for a flight as long as somebody is interested in it, who leaves a flight that nobody waits for to end. */
	private async landed(flight: Flight, interest: HttpAbort | AbortSignal): Promise<void> {
		flight.waiters++;
		try {
			const outcome = await raceAbort(flight.promise, signalOf(interest));
			if (outcome.kind === 'failed') {
				throw failed(outcome.failure);
			}
		} finally {
			flight.waiters--;
			if (flight.waiters === 0 && flight.person !== 'absent') {
				flight.controller.abort();
			}
		}
	}

	private async renewed(grant: Grant, request: AuthorizedRequest): Promise<Proof> {
		const isValid = grant.expiresAt !== undefined && this.now() < grant.expiresAt;
		if (isValid && this.now() < this.failedAt + pause) {
			return this.proofFor(this.current, request);
		}
		const flight = this.flight ?? this.begin({ person: 'absent', demand: undefined, isRefused: false });
		try {
			await this.landed(flight, request.abort);
		} catch (error) {
			if (!(error instanceof McpError) || (!isValid && this.current.grant === grant)) {
				throw error;
			}
		}
		return this.proofFor(this.current, request);
	}

	/** Whether a new token can be had without a person. */
	private isRenewable({ refreshToken, client }: Grant): boolean {
		return refreshToken !== undefined || client.way === 'none';
	}

	private async proofOfKey(proof: Proof, prover: Prover, request: AuthorizedRequest): Promise<Proof> {
		return { ...proof, headers: await prover.headers(request) };
	}

	private proofFor(proof: Proof, request: AuthorizedRequest): Promise<Proof> | Proof {
		return proof.prover ? this.proofOfKey(proof, proof.prover, request) : proof;
	}

	private load(): Promise<void> {
		this.loading ??= (async () => {
			const grant = problemOf(this.server.href) ? undefined : await this.secrets.grant();
			if (grant) {
				await this.use(grant);
			}
			this.isLoaded = true;
		})();
		return this.loading;
	}

	/** @throws McpError `authorization`, `unavailable` */
	private engineNow(): Promise<AuthEngine> {
		if (!this.engine) {
			const { options, server, now } = this;
			const engine = Promise.resolve().then(async () => {
				const bundle = await options.load();
				return bundle.createAuthEngine({ ...options, server, now, report: step => this.report(step) });
			});
			this.engine = engine.catch((error: unknown) => {
				this.engine = undefined;
				throw failed({ code: 'unavailable', why: toMessage(error) });
			});
		}
		return this.engine;
	}

	private lost(failure: AuthFailure): McpError {
		this.report({ kind: 'failed', failure });
		this.setState({ kind: 'failed', failure });
		return failed(failure);
	}

	private report(step: AuthStep): void {
		this._onDidStep.fire(step);
	}

	private setState(state: AuthState): void {
		this.currentState = state;
		this._onDidChange.fire(state);
	}
}

function failed(failure: AuthFailure): McpError {
	return new McpError({ code: 'authorization', failure });
}

function signalOf(interest: HttpAbort | AbortSignal): AbortSignal {
	if (interest instanceof AbortSignal) {
		return interest;
	}
	const controller = new AbortController();
	interest.setStop(() => controller.abort(new AbortError()));
	return controller.signal;
}
