/**
 * Proves to one server who we are: gives every request its token, has tokens renewed before they end and when the
 * server wants others, and lets one sign-in serve however many requests wait for it. What signing in takes is in the
 * engine, which is loaded when a server asks.
 */
import { raceAbort, throwIfAborted } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { McpError } from '../jsonrpc/errors.js';
import type { AuthorizedRequest, HttpAuth, HttpProof } from '../transport/httpAuth.js';
import { problemOf } from './addresses.js';
import { type Demand, readDemand } from './challenges.js';
import { Demands, maxGrants } from './demands.js';
import type { AuthEngine, AuthorizerOptions, Outcome, Task } from './engine.js';
import { type AuthFailure, keyIsLost } from './failure.js';
import { Flight } from './flight.js';
import { type Grant, isDue, isRenewable } from './grant.js';
import type { AuthPrompt, AuthState } from './ports.js';
import { noProof, type Proof, proofFor } from './proof.js';
import { Secrets } from './secrets.js';
import type { AuthStep } from './steps.js';

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

	private readonly _onDidChangeIdentity = this.own(new Emitter<void>());
	/** Requests may be somebody else's from now on: what was private to the one before is not shown to them. */
	readonly onDidChangeIdentity: Event<void> = this._onDidChangeIdentity.event;

	private readonly server: URL;
	private readonly secrets: Secrets;
	private readonly now: () => number;
	private readonly demands = new Demands();
	private currentState: AuthState = { kind: 'unasked' };
	private engine: Promise<AuthEngine> | undefined;
	private loading: Promise<void> | undefined;
	private isLoaded = false;
	/** Also the proof of every request, as long as it is a bearer token. */
	private current: Proof = noProof;
	private flight: Flight | undefined;
	private lastDemand: Demand | undefined;
	private failedAt = -Infinity;
	/** The deletion of a signed-out grant. Until it ends, the store still has that grant. */
	private forgetting: Promise<void> | undefined;
	private wasSignedIn = false;

	/** @throws TypeError if the URL is none */
	constructor(private readonly options: AuthorizerOptions) {
		super();
		this.server = new URL(options.url);
		this.now = options.now ?? Date.now;
		this.secrets = new Secrets(options.store, this.server.href, options.log);
		this.own(toDisposable(() => this.flight?.abort()));
		this.own(
			this.secrets.onDidChangeGrant(() => {
				this.hear().catch((error: unknown) => options.log.warn(`Another window's sign-in: ${toMessage(error)}`));
			}),
		);
	}

	/** One that has been given up is only waited for. */
	private get joinable(): Flight | undefined {
		return this.flight?.isGivenUp ? undefined : this.flight;
	}

	get state(): AuthState {
		return this.currentState;
	}

	/** The state with what was kept from before, as far as the store gives it. */
	async known(): Promise<AuthState> {
		await this.load();
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
		if (isDue(current.grant, this.now()) && isRenewable(current.grant)) {
			return this.renewed(current.grant, request);
		}
		return proofFor(current, request);
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
			if (tries > 0) {
				this.demands.clear();
			}
			return false;
		}
		const demand = readDemand(headers['www-authenticate']);
		// Nobody is asked to sign in so that a session can be ended.
		const isLast = tries >= maxTries || request.method === 'DELETE';
		if (isLast || (status === 403 && demand.error !== 'insufficient_scope')) {
			return false;
		}
		if (demand.error === 'use_dpop_nonce' && prover) {
			return isNewNonce;
		}
		return this.meet(demand, status, grant, request);
	}

	/**
	 * Signs in with a person who waits for it.
	 * @throws McpError `authorization`; `signInNeeded` if the person gave it up
	 * @throws AbortError
	 */
	async signIn(signal: AbortSignal): Promise<void> {
		await raceAbort(this.load(), signal);
		// What goes on without a person may be all that it takes, and must not be disturbed.
		while (this.flight?.person === 'absent') {
			// Its failure is reported to the requests that wait for it.
			await raceAbort(this.flight.outcome, signal).catch(() => throwIfAborted(signal));
		}
		this.demands.clear();
		const flight = this.joinable ?? this.begin({ person: 'waiting', demand: this.lastDemand, mayRefresh: true });
		this.settle(await flight.join(signal));
	}

	/** Forgets the tokens, here and, where it listens, at the authorization server. @throws AbortError */
	async signOut(signal: AbortSignal): Promise<void> {
		await raceAbort(this.load(), signal);
		// Tokens that a sign-in still obtains are forgotten as well. Requests can begin another one meanwhile.
		for (let { flight } = this; flight; { flight } = this) {
			flight.abort();
			await raceAbort(flight.outcome, signal).catch(() => throwIfAborted(signal));
		}
		const { grant } = this.current;
		this.current = noProof;
		this.wasSignedIn = false;
		this.demands.clear();
		this.forgetting = this.secrets.forgetGrant();
		await this.forgetting;
		this.setState({ kind: 'unasked' });
		this._onDidChangeIdentity.fire();
		if (grant) {
			this.report({ kind: 'forgotten', why: 'signedOut' });
			await (await this.engineNow()).revoke(grant, signal);
		}
	}

	/** The next sign-in gets a client id anew. */
	async forgetRegistration(issuer: string): Promise<void> {
		await this.secrets.forgetClient(issuer);
	}

	/** The server wants somebody, somebody else, or more of the same. */
	private async meet(
		demand: Demand,
		status: number,
		used: Grant | undefined,
		{ abort }: Pick<AuthorizedRequest, 'abort'>,
	): Promise<boolean> {
		const unsafe = problemOf(this.server.href);
		if (unsafe === 'insecure') {
			throw failed({ code: 'unsafeUrl', request: 'authorization', url: this.server.href, why: unsafe });
		}
		if (unsafe) {
			// A socket, or a URL with a user in it: they have their own ways.
			return false;
		}
		const { grant } = this.current;
		if (grant && grant !== used) {
			return true;
		}
		const flight = this.joinable ?? this.beginFor(demand, status, grant);
		const failure = await flight.join(abort);
		if (failure?.code === 'signInNeeded' && flight.person === 'absent' && this.options.isInteractive()) {
			// It was begun by what goes on by itself; who waits for this one may be asked.
			return this.meet(demand, status, undefined, { abort });
		}
		this.settle(failure);
		return true;
	}

	private beginFor(demand: Demand, status: number, grant: Grant | undefined): Flight {
		const { error, scopes = [], resourceMetadata } = demand;
		const said = error === undefined ? undefined : this.options.secrecy.text(error);
		this.report({ kind: 'challenged', status, error: said, scopes, resourceMetadata });
		this.lastDemand = demand;
		const count = this.demands.count(demand);
		if (grant && count >= maxGrants) {
			const isStepUp = error === 'insufficient_scope';
			const failure: AuthFailure = isStepUp
				? { code: 'stepUpLimit', scopes, limit: maxGrants }
				: { code: 'grantRefused', issuer: grant.issuer };
			this.report({ kind: 'failed', failure });
			this.setState({ kind: 'failed', failure });
			throw failed(failure);
		}
		const person = this.options.isInteractive() ? 'ask' : 'absent';
		// What a refresh has just given is refused: another would give the same.
		return this.begin({ person, demand, mayRefresh: count === 0 });
	}

	private begin(task: Omit<Task, 'grant' | 'wasSignedIn'>): Flight {
		const { grant } = this.current;
		const flight: Flight = new Flight(task.person, this.flight, signal =>
			this.fly(task, grant, signal).finally(() => {
				if (this.flight === flight) {
					this.flight = undefined;
				}
			}),
		);
		this.flight = flight;
		return flight;
	}

	/** @param before what there was when it was asked for */
	private async fly(
		task: Omit<Task, 'grant' | 'wasSignedIn'>,
		before: Grant | undefined,
		signal: AbortSignal,
	): Promise<AuthFailure | undefined> {
		await this.forgetting;
		signal.throwIfAborted();
		const { grant } = this.current;
		if (grant && grant !== before) {
			// The flight before it, which nobody waited for any more, has brought what it was to bring.
			return undefined;
		}
		const state = this.currentState;
		this.setState({ kind: 'working' });
		try {
			const kept = await this.secrets.grant();
			const isNews = kept && kept.accessToken !== grant?.accessToken && !isDue(kept, this.now());
			// Another window has been there already.
			const outcome: Outcome = isNews
				? { kind: 'granted', grant: kept, isSamePerson: false }
				: await (
						await this.engineNow()
					).obtain({ ...task, grant: grant ?? kept, wasSignedIn: this.wasSignedIn }, signal);
			if (isNews) {
				this.report({ kind: 'taken' });
			}
			return await this.take(outcome, task.demand);
		} catch (error) {
			this.setState(state);
			throw error;
		}
	}

	/** Uses the tokens, or sets the state of the failure. @returns why there is no token */
	private async take(outcome: Outcome, demand: Demand | undefined): Promise<AuthFailure | undefined> {
		if (outcome.kind === 'granted' && (await this.use(outcome.grant))) {
			this.failedAt = -Infinity;
			if (demand) {
				this.demands.didMeet(demand);
			}
			if (!outcome.isSamePerson) {
				this._onDidChangeIdentity.fire();
			}
			return undefined;
		}
		const failure = outcome.kind === 'failed' ? outcome.failure : keyIsLost;
		if (outcome.kind !== 'failed' || outcome.isForgotten) {
			this.wasSignedIn = true;
			this.current = noProof;
		}
		this.failedAt = this.now();
		const isNeed = failure.code === 'signInNeeded';
		this.setState(isNeed ? { kind: 'needed', need: failure.need } : { kind: 'failed', failure });
		return failure;
	}

	/** @returns false if the grant is bound to a key that can't be used; the grant is forgotten */
	private async use(grant: Grant): Promise<boolean> {
		const { issuer, asked, scopes = asked, expiresAt, refreshToken, accessToken } = grant;
		const prover = grant.tokenType === 'dpop' ? await (await this.engineNow()).prover(grant) : undefined;
		if (grant.tokenType === 'dpop' && !prover) {
			// Its key is lost: the token is worth nothing without it.
			await this.secrets.forgetGrant();
			return false;
		}
		this.current = { headers: { authorization: `Bearer ${accessToken}` }, grant, prover };
		this.setState({ kind: 'signedIn', issuer, scopes, expiresAt, refreshable: refreshToken !== undefined });
		return true;
	}

	/** @throws McpError `authorization` */
	private settle(failure: AuthFailure | undefined): void {
		if (failure) {
			throw failed(failure);
		}
	}

	private async renewed(grant: Grant, request: AuthorizedRequest): Promise<Proof> {
		const isValid = grant.expiresAt !== undefined && this.now() < grant.expiresAt;
		if (isValid && this.now() < this.failedAt + pause) {
			return proofFor(this.current, request);
		}
		const flight = this.joinable ?? this.begin({ person: 'absent', demand: undefined, mayRefresh: true });
		try {
			this.settle(await flight.join(request.abort));
		} catch (error) {
			// Where a person is needed, the server is asked first: what it says then is what the person is told.
			if (!(error instanceof McpError) || (!isValid && this.current.grant === grant)) {
				throw error;
			}
		}
		return proofFor(this.current, request);
	}

	/** Another window may have signed in or out, or renewed the tokens. What this one has done is no news to it. */
	private async hear(): Promise<void> {
		// What is underway reads what is kept as well, and keeps what it gets.
		await Promise.allSettled([this.loading, this.flight?.outcome]);
		const changed = this.isLoaded ? await this.secrets.changedGrant() : undefined;
		const { grant } = this.current;
		if (!changed || this.flight || this.owned.isDisposed || changed.grant?.accessToken === grant?.accessToken) {
			return;
		}
		if (changed.grant) {
			this.report({ kind: 'taken' });
			await this.use(changed.grant);
		} else if (grant) {
			this.report({ kind: 'forgotten', why: 'elsewhere' });
			this.wasSignedIn = true;
			this.current = noProof;
			const { issuer, asked: scopes } = grant;
			const need = { server: this.server.href, issuer, isGuess: false, scopes, why: 'expired' } as const;
			this.setState({ kind: 'needed', need });
		}
		this._onDidChangeIdentity.fire();
	}

	private load(): Promise<void> {
		this.loading ??= (async () => {
			const grant = problemOf(this.server.href) ? undefined : await this.secrets.grant();
			if (grant) {
				await this.use(grant);
			}
			this.isLoaded = true;
		})();
		// What could not be had now may be there the next time.
		this.loading.catch(() => {
			this.loading = undefined;
		});
		return this.loading;
	}

	/** @throws McpError `authorization`, `unavailable` */
	private engineNow(): Promise<AuthEngine> {
		if (!this.engine) {
			const { options, server, now } = this;
			const engine = Promise.resolve().then(async () => {
				const bundle = await options.load();
				const prompt: AuthPrompt = {
					...options.prompt,
					mayInteract: (need, ...rest) => {
						this.setState({ kind: 'working', need });
						return options.prompt.mayInteract(need, ...rest);
					},
				};
				return bundle.createAuthEngine({ ...options, prompt, server, now, report: step => this.report(step) });
			});
			this.engine = engine.catch((error: unknown) => {
				this.engine = undefined;
				throw failed({ code: 'unavailable', why: toMessage(error) });
			});
		}
		return this.engine;
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
