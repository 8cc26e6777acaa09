/**
 * Authorizes the requests to one server: attaches tokens, renews them before they expire or when the server demands
 * others, and shares one sign-in among all waiting requests. The engine that signs in is loaded when a server asks for it.
 */
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { McpError } from '../jsonrpc/errors.js';
import type { AuthorizedRequest, HttpAuth, HttpProof } from '../transport/httpAuth.js';
import { HttpAbort } from '../transport/httpFetch.js';
import { findUrlProblem } from './addresses.js';
import { type Demand, DemandCounter, maxGrants, readDemand } from './challenges.js';
import type { AuthFailure } from './failure.js';
import { isDue, isRenewable, type TokenGrant } from './grant.js';
import type { AuthEngine, AuthorizerOptions, AuthPrompt, AuthState, Outcome, Prover, TokenTask } from './ports.js';
import { Secrets } from './secrets.js';
import type { AuthStep } from './signInSteps.js';

/** How often one request is repeated. */
const maxTries = 6;
/** Milliseconds before a failed renewal is tried again, while the token is still valid. */
const retryMs = 5000;

/** The tokens that a request is sent with. */
interface Proof extends HttpProof {
	readonly grant: TokenGrant | undefined;
	readonly prover: Prover | undefined;
}

const noProof: Proof = { headers: {}, grant: undefined, prover: undefined };

/** Disposing it cancels a sign-in that is running; stored tokens stay. */
export class Authorizer extends Owner implements HttpAuth {
	private readonly _onDidStep = this.own(new Emitter<AuthStep>());
	/** The steps of sign-ins, in order, for a report. */
	readonly onDidStep: Event<AuthStep> = this._onDidStep.event;

	private readonly _onDidChange = this.own(new Emitter<AuthState>());
	readonly onDidChange: Event<AuthState> = this._onDidChange.event;

	private readonly _onDidChangeIdentity = this.own(new Emitter<void>());
	/** Another person may be signed in from now on, so data of the previous one must not be shown. */
	readonly onDidChangeIdentity: Event<void> = this._onDidChangeIdentity.event;

	private readonly server: URL;
	private readonly secrets: Secrets;
	private readonly now: () => number;
	private readonly demands = new DemandCounter();
	private currentState: AuthState = { kind: 'unasked' };
	private engine: Promise<AuthEngine> | undefined;
	private loading: Promise<void> | undefined;
	private isLoaded = false;
	/** Also the proof of every request, if it is a bearer token. */
	private current: Proof = noProof;
	private shared: SharedSignIn | undefined;
	private lastDemand: Demand | undefined;
	private failedAt = -Infinity;
	/** The deletion of a signed-out grant. Until it ends, the store still has that grant. */
	private forgetting: Promise<void> | undefined;
	private wasSignedIn = false;

	/** @throws TypeError if the URL is invalid */
	constructor(private readonly options: AuthorizerOptions) {
		super();
		this.server = new URL(options.url);
		this.now = options.now ?? ((): number => clock.now());
		this.secrets = new Secrets(options.store, this.server.href, options.log);
		this.own(toDisposable(() => this.shared?.abort()));
		this.own(
			this.secrets.onDidChangeGrant(() => {
				this.adoptStored().catch((error: unknown) => options.log.warn(`Another window's sign-in: ${toMessage(error)}`));
			}),
		);
	}

	/** The sign-in that new requests join; an aborted one is only waited for. */
	private get joinable(): SharedSignIn | undefined {
		return this.shared?.isAborted ? undefined : this.shared;
	}

	get state(): AuthState {
		return this.currentState;
	}

	/** The state after stored tokens were read. */
	async known(): Promise<AuthState> {
		await this.load();
		return this.currentState;
	}

	prove(request: AuthorizedRequest): Promise<Proof> | Proof {
		if (!this.isLoaded) {
			return this.load().then(() => this.prove(request));
		}
		const { grant } = this.current;
		return grant && isDue(grant, this.now()) && isRenewable(grant)
			? this.renewed(grant, request)
			: this.proofFor(request);
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
		// Ending a session is not worth a sign-in.
		const isLast = tries >= maxTries || request.method === 'DELETE';
		if (isLast || (status === 403 && demand.error !== 'insufficient_scope')) {
			return false;
		}
		if (demand.error === 'use_dpop_nonce' && prover) {
			return isNewNonce;
		}
		return this.meetDemand(demand, status, grant, request);
	}

	/**
	 * Signs in because the person has chosen to.
	 * @throws McpError `authorization`, with the failure `signInNeeded` if the person cancelled
	 * @throws AbortError
	 */
	async signIn(signal: AbortSignal): Promise<void> {
		await raceAbort(this.load(), signal);
		// A running refresh may be sufficient. Its failure is reported to the requests that wait for it.
		while (this.shared?.person === 'absent') {
			await raceAbort(this.shared.outcome, signal).catch(() => signal.throwIfAborted());
		}
		this.demands.clear();
		const shared = this.joinable ?? this.begin({ person: 'waiting', demand: this.lastDemand, mayRefresh: true });
		throwIfFailed(await shared.join(signal));
	}

	/** Deletes the tokens, and revokes them if the authorization server supports it. @throws AbortError */
	async signOut(signal: AbortSignal): Promise<void> {
		await raceAbort(this.load(), signal);
		// A sign-in may still obtain tokens, which are deleted too. Requests can begin another sign-in meanwhile.
		for (let { shared } = this; shared; { shared } = this) {
			shared.abort();
			await raceAbort(shared.outcome, signal).catch(() => signal.throwIfAborted());
		}
		const { grant } = this.current;
		this.current = noProof;
		this.wasSignedIn = false;
		this.demands.clear();
		this.forgetting = this.secrets.forget(this.secrets.grantKey);
		await this.forgetting;
		this.setState({ kind: 'unasked' });
		this._onDidChangeIdentity.fire();
		if (grant) {
			this._onDidStep.fire({ kind: 'forgotten', why: 'signedOut' });
			await (await this.loadEngine()).revoke(grant, signal);
		}
	}

	/** Gets the token that the server demands. @returns whether to repeat the request */
	private async meetDemand(
		demand: Demand,
		status: number,
		used: TokenGrant | undefined,
		{ abort }: Pick<AuthorizedRequest, 'abort'>,
	): Promise<boolean> {
		const unsafe = findUrlProblem(this.server.href);
		if (unsafe === 'insecure') {
			throw failed({ code: 'unsafeUrl', request: 'authorization', url: this.server.href, why: unsafe });
		}
		if (unsafe) {
			// Sockets, and URLs with a user in them, don't use OAuth.
			return false;
		}
		const { grant } = this.current;
		if (grant && grant !== used) {
			return true;
		}
		const shared = this.joinable ?? this.beginFor(demand, status, grant);
		const failure = await shared.join(abort);
		if (failure?.code === 'signInNeeded' && shared.person === 'absent' && this.options.isInteractive()) {
			// A background refresh was not enough; this request may ask the person.
			return this.meetDemand(demand, status, used, { abort });
		}
		throwIfFailed(failure);
		return true;
	}

	private beginFor(demand: Demand, status: number, grant: TokenGrant | undefined): SharedSignIn {
		const { error, scopes = [], resourceMetadata } = demand;
		const said = error === undefined ? undefined : this.options.secrecy.text(error);
		this._onDidStep.fire({ kind: 'challenged', status, error: said, scopes, resourceMetadata });
		this.lastDemand = demand;
		const count = this.demands.count(demand);
		if (grant && count >= maxGrants) {
			const isStepUp = error === 'insufficient_scope';
			const failure: AuthFailure = isStepUp
				? { code: 'stepUpLimit', scopes, limit: maxGrants }
				: { code: 'grantRefused', issuer: grant.issuer };
			this._onDidStep.fire({ kind: 'failed', failure });
			this.setState({ kind: 'failed', failure });
			throw failed(failure);
		}
		const person = this.options.isInteractive() ? 'ask' : 'absent';
		// If the server rejects tokens of a refresh, another refresh is useless.
		return this.begin({ person, demand, mayRefresh: count === 0 });
	}

	private begin(task: Omit<TokenTask, 'grant' | 'wasSignedIn'>): SharedSignIn {
		const { grant } = this.current;
		const shared: SharedSignIn = new SharedSignIn(task.person, this.shared, signal =>
			this.getToken(task, grant, signal).finally(() => {
				if (this.shared === shared) {
					this.shared = undefined;
				}
			}),
		);
		this.shared = shared;
		return shared;
	}

	/** @param before the grant when the sign-in was requested */
	private async getToken(
		task: Omit<TokenTask, 'grant' | 'wasSignedIn'>,
		before: TokenGrant | undefined,
		signal: AbortSignal,
	): Promise<AuthFailure | undefined> {
		await this.forgetting;
		signal.throwIfAborted();
		const { grant } = this.current;
		if (grant && grant !== before) {
			// The previous sign-in obtained a token although no request waited for it.
			return undefined;
		}
		const state = this.currentState;
		this.setState({ kind: 'working' });
		try {
			const kept = await this.secrets.grant();
			let outcome: Outcome;
			if (kept && kept.accessToken !== grant?.accessToken && !isDue(kept, this.now())) {
				// Another window has signed in or refreshed already.
				this._onDidStep.fire({ kind: 'taken' });
				outcome = { kind: 'granted', grant: kept, isSamePerson: false };
			} else {
				const engine = await this.loadEngine();
				outcome = await engine.obtain({ ...task, grant: grant ?? kept, wasSignedIn: this.wasSignedIn }, signal);
			}
			return await this.applyOutcome(outcome, task.demand);
		} catch (error) {
			this.setState(state);
			throw error;
		}
	}

	/** Uses the tokens, or sets the state of the failure. @returns why there is no token */
	private async applyOutcome(outcome: Outcome, demand: Demand | undefined): Promise<AuthFailure | undefined> {
		if (outcome.kind === 'granted' && (await this.useGrant(outcome.grant))) {
			this.failedAt = -Infinity;
			if (demand) {
				this.demands.didMeet(demand);
			}
			if (!outcome.isSamePerson) {
				this._onDidChangeIdentity.fire();
			}
			return undefined;
		}
		const why = 'the key of the token cannot be used';
		const failure: AuthFailure =
			outcome.kind === 'failed' ? outcome.failure : { code: 'badAnswer', request: 'token', why };
		if (outcome.kind !== 'failed' || outcome.isForgotten) {
			this.wasSignedIn = true;
			this.current = noProof;
		}
		this.failedAt = this.now();
		const isNeed = failure.code === 'signInNeeded';
		this.setState(isNeed ? { kind: 'needed', need: failure.need } : { kind: 'failed', failure });
		return failure;
	}

	/** @returns false if the grant is bound to an unusable key; then the grant is deleted */
	private async useGrant(grant: TokenGrant): Promise<boolean> {
		const { issuer, asked, scopes = asked, expiresAt, refreshToken, accessToken } = grant;
		const prover = grant.tokenType === 'dpop' ? await (await this.loadEngine()).prover(grant) : undefined;
		if (grant.tokenType === 'dpop' && !prover) {
			await this.secrets.forget(this.secrets.grantKey);
			return false;
		}
		this.current = { headers: { authorization: `Bearer ${accessToken}` }, grant, prover };
		this.setState({ kind: 'signedIn', issuer, scopes, expiresAt, refreshable: refreshToken !== undefined });
		return true;
	}

	/** A bearer token is the same for every request; a proof of possession is signed for each. */
	private proofFor(request: AuthorizedRequest): Promise<Proof> | Proof {
		const { current } = this;
		return current.prover?.headers(request).then(headers => ({ ...current, headers })) ?? current;
	}

	private async renewed(grant: TokenGrant, request: AuthorizedRequest): Promise<Proof> {
		const isValid = grant.expiresAt !== undefined && this.now() < grant.expiresAt;
		if (isValid && this.now() < this.failedAt + retryMs) {
			return this.proofFor(request);
		}
		const shared = this.joinable ?? this.begin({ person: 'absent', demand: undefined, mayRefresh: true });
		try {
			throwIfFailed(await shared.join(request.abort));
		} catch (error) {
			// A token is still sent if it is valid, or if only a sign-in can replace it. The person is asked only if the server
			// refuses the token.
			const isNeed = this.currentState.kind === 'needed';
			if (!(error instanceof McpError) || (!isValid && !isNeed && this.current.grant === grant)) {
				throw error;
			}
		}
		return this.proofFor(request);
	}

	/** Adopts tokens that another window has stored or deleted. */
	private async adoptStored(): Promise<void> {
		// A running sign-in reads and writes the store itself.
		await Promise.allSettled([this.loading, this.shared?.outcome]);
		const changed = this.isLoaded ? await this.secrets.changedGrant() : undefined;
		const { grant } = this.current;
		if (!changed || this.shared || this.owned.isDisposed || changed.grant?.accessToken === grant?.accessToken) {
			return;
		}
		if (changed.grant) {
			this._onDidStep.fire({ kind: 'taken' });
			await this.useGrant(changed.grant);
		} else if (grant) {
			this._onDidStep.fire({ kind: 'forgotten', why: 'elsewhere' });
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
			const grant = findUrlProblem(this.server.href) ? undefined : await this.secrets.grant();
			if (grant) {
				await this.useGrant(grant);
			}
			this.isLoaded = true;
		})();
		// The next call tries again.
		this.loading.catch(() => {
			this.loading = undefined;
		});
		return this.loading;
	}

	/** @throws McpError `authorization`, `unavailable` */
	private loadEngine(): Promise<AuthEngine> {
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
				return bundle.createAuthEngine({ ...options, prompt, server, now, report: step => this._onDidStep.fire(step) });
			});
			this.engine = engine.catch((error: unknown) => {
				this.engine = undefined;
				throw failed({ code: 'unavailable', why: toMessage(error) });
			});
		}
		return this.engine;
	}

	private setState(state: AuthState): void {
		this.currentState = state;
		this._onDidChange.fire(state);
	}
}

function failed(failure: AuthFailure): McpError {
	return new McpError({ code: 'authorization', failure });
}

/** @throws McpError `authorization` */
function throwIfFailed(failure: AuthFailure | undefined): void {
	if (failure) {
		throw failed(failure);
	}
}

/** One sign-in or refresh that all waiting requests share. */
export class SharedSignIn {
	/** Why no token was obtained; undefined if one was. */
	readonly outcome: Promise<AuthFailure | undefined>;
	private readonly controller = new AbortController();
	private waiters = 0;

	/**
	 * @param person see `TokenTask.person`
	 * @param previous an aborted sign-in that may not have ended yet
	 */
	constructor(
		readonly person: TokenTask['person'],
		previous: SharedSignIn | undefined,
		run: (signal: AbortSignal) => Promise<AuthFailure | undefined>,
	) {
		const { signal } = this.controller;
		// Authorization servers revoke the tokens when a refresh token is used twice, so refreshes never run in parallel.
		const previousEnd = previous?.outcome.catch(() => undefined);
		this.outcome = Promise.resolve(previousEnd).then(() => run(signal));
		this.outcome.catch(() => undefined);
	}

	/** If true, new requests must not join. */
	get isAborted(): boolean {
		return this.controller.signal.aborted;
	}

	/**
	 * Waits for the outcome. When the last waiting request is cancelled, a sign-in that involves the person ends.
	 * @throws AbortError if `interest` aborts
	 */
	async join(interest: HttpAbort | AbortSignal): Promise<AuthFailure | undefined> {
		this.waiters++;
		try {
			return await raceAbort(this.outcome, interest instanceof HttpAbort ? interest.toSignal() : interest);
		} finally {
			this.waiters--;
			if (this.waiters === 0 && this.person !== 'absent') {
				this.abort();
			}
		}
	}

	abort(): void {
		this.controller.abort();
	}
}
