/**
 * One configured server, and all changes of its state. `serverRun.ts` is one attempt to run it, `restartScheduler.ts`
 * decides when it is restarted, and `serverState.ts` describes the state machine.
 */
import { clock } from '../../base/clock.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner } from '../../base/lifecycle.js';
import {
	type AuthState,
	type Client,
	type Era,
	type EraMemory,
	McpError,
	type Session,
	type SignInNeed,
	type TransportEnd,
} from '../../mcp/index.js';
import type { Interactivity } from './accounts.js';
import type { Catalog } from './catalog.js';
import type { ServerIcon } from './icons.js';
import type { Redactor } from '../text/redactor.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerOptions } from '../config/serverOptions.js';
import { RestartScheduler } from './restartScheduler.js';
import type { ServerLog } from './serverLog.js';
import type { ServerDeps } from './serverPorts.js';
import { prepareLaunch, ServerRun, type StartTrigger } from './serverRun.js';
import {
	canStart,
	missingFor,
	NotRunningError,
	ServerEndedError,
	type ServerState,
	type ServerWarning,
	toFailure,
} from './serverState.js';
import { expiryAfter, interactivityOf } from './signInStatus.js';

/** A restart without a person. */
const automatic: StartTrigger = { isRestart: true, mayAsk: false, isByPerson: false };

export class Server extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** State or catalog changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	/** Whether changes of the server's files currently restart the server; set by the watcher. */
	isWatched = false;

	private readonly _onDidWarn = this.own(new Emitter<ServerWarning>());
	/** The server sent something that isn't part of the protocol. */
	readonly onDidWarn: Event<ServerWarning> = this._onDidWarn.event;

	private currentState: ServerState;
	/** From the start until nothing of the run is left; aborted by `stop`. */
	private attempt: AbortController | undefined;
	/** The attempt's run, once its launch is resolved. */
	private run: ServerRun | undefined;
	/** Settles when the server runs, or the state says why not. Never rejects. */
	private starting: Promise<void> | undefined;
	/** Settles when nothing of the run is left. */
	private stopping: Promise<void> | undefined;
	/** Number of calls of `stop`: a call while `start` still waits cancels the start. */
	private stops = 0;
	/** Number of starts that a person waits for. */
	private awaited = 0;
	/** When the current run became ready; milliseconds since 1970. */
	private since = 0;
	/** The end of the process, until the server runs again. */
	private crash: ServerEndedError | undefined;
	/** The warnings since the start, by kind. */
	private readonly warned = new Map<ServerWarning['kind'], ServerWarning>();
	private readonly restarts: RestartScheduler;
	private readonly waking = this.own(new MutableDisposable<Disposable>());
	/** Set while a sign-in has expired: why the person must sign in again. */
	private expired: SignInNeed | undefined;
	/** Why the person must sign in: a sign-in has expired, or a call waits for one. */
	private signIn: SignInNeed | undefined;
	private createdLog: ServerLog | undefined;
	private era: Era | undefined;
	/** Kept between runs, because detecting the era may require killing the process once. */
	private readonly memory: EraMemory = { get: () => this.era, set: era => (this.era = era) };

	/**
	 * @param definition may be replaced by the same definition at another place of its file
	 * @param predecessor resolves when nothing is left of the server that had this id before
	 * @param hasChanged whether the predecessor was stopped because its definition changed
	 */
	constructor(
		public definition: ServerDefinition,
		private readonly deps: ServerDeps,
		private readonly predecessor?: Promise<void>,
		hasChanged = false,
	) {
		super();
		this.restarts = this.own(new RestartScheduler(definition.launch.kind === 'stdio', () => this.begin(automatic)));
		this.currentState = deps.trust.isTrusted()
			? { kind: 'stopped', ...(hasChanged && { hasChanged }) }
			: { kind: 'untrusted' };
		const { accounts } = deps;
		if (accounts) {
			this.own(
				accounts.onDidChange(id => {
					const account = id === definition.id ? accounts.of(this.definition) : undefined;
					if (account) {
						this.didChangeAccount(account.state);
					}
				}),
			);
			this.own(accounts.onDidChangeIdentity(id => void (id === definition.id && this.catalog?.reload(true))));
		}
		this.own(deps.trust.onDidGrant(() => this.state.kind === 'untrusted' && this.setState({ kind: 'stopped' })));
	}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.currentState;
	}

	/** The person's options for the server. */
	get options(): ServerOptions {
		return this.deps.options(this.definition);
	}

	/** Whether requests of the server are declined automatically. */
	get isMuted(): boolean {
		return this.deps.questions?.isMuted(this.definition) === true;
	}

	/** The session's client, while the server runs. */
	get client(): Client | undefined {
		return this.state.kind === 'running' ? this.run?.client : undefined;
	}

	/** The lists of the server, while it runs. */
	get catalog(): Catalog | undefined {
		return this.run?.catalog;
	}

	/** The icon that the server gives itself, while it runs. */
	get icon(): ServerIcon | undefined {
		return this.state.kind === 'running' ? this.run?.icon : undefined;
	}

	/** The id of the running child process. */
	get pid(): number | undefined {
		return this.state.kind === 'running' ? this.run?.pid : undefined;
	}

	/** The port of the debugger, while the server starts or runs under one. */
	get debugPort(): number | undefined {
		return this.run?.debugging?.port;
	}

	/** Whether a start is under way; it may wait for the person. */
	get isStarting(): boolean {
		return this.starting !== undefined;
	}

	/** Whether a person waits for it to start. */
	get isAwaited(): boolean {
		return this.awaited > 0;
	}

	/** The last line that the process wrote, other than messages; without secrets. */
	get lastLine(): string | undefined {
		return this.run?.lastLine;
	}

	/** Violations of the protocol in calls since the start: the first of each kind. */
	get warnings(): readonly ServerWarning[] {
		return this.state.kind === 'running' ? [...this.warned.values()] : [];
	}

	/** Adds the warnings of a call. */
	warn(warnings: readonly ServerWarning[]): void {
		const fresh = warnings.filter(it => !this.warned.has(it.kind));
		fresh.forEach(it => this.warned.set(it.kind, it));
		if (fresh.length > 0) {
			this._onDidChange.fire();
		}
	}

	/** Created on first use: a server that never runs has no log channel. */
	get log(): ServerLog {
		this.createdLog ??= this.own(this.deps.createLog(this.definition));
		return this.createdLog;
	}

	/** The redactor of the log; `undefined` until the log is created. */
	get redactor(): Redactor | undefined {
		return this.createdLog?.redactor;
	}

	/**
	 * Starts the server if it isn't running; doesn't wait for a pending restart. Resolves when it runs, or with the state that
	 * says why not. Never throws.
	 * @param mayAsk whether the person may be asked for missing values
	 * @param isByPerson whether the person has just started the server: only then do sheets open and is progress shown
	 */
	async start(mayAsk = true, isByPerson = mayAsk): Promise<ServerState> {
		const count = isByPerson ? 1 : 0;
		this.awaited += count;
		try {
			return await this.startNow(mayAsk, isByPerson);
		} finally {
			this.awaited -= count;
		}
	}

	private async startNow(mayAsk: boolean, isByPerson: boolean): Promise<ServerState> {
		const { stops } = this;
		await this.stopping;
		if (stops === this.stops && !this.starting && canStart(this.state) && !this.owned.isDisposed) {
			this.begin({ isRestart: false, mayAsk, isByPerson });
		}
		await this.starting;
		// A stop during the start sets the state that is returned.
		await this.stopping;
		return this.state;
	}

	/**
	 * The client of the server, which is started if it doesn't run.
	 * @param isByPerson whether an action of the person needs the client
	 * @throws NotRunningError with the state that says why it doesn't run
	 */
	async use(isByPerson = false): Promise<Client> {
		const state = await this.start(true, isByPerson);
		const { client } = this;
		if (!client) {
			throw new NotRunningError(state);
		}
		return client;
	}

	/** Stops the server. Resolves when nothing of its run is left. */
	async stop(): Promise<void> {
		this.stops++;
		if (this.attempt) {
			this.end();
		} else if (this.state.kind === 'reconnecting' || this.state.kind === 'waiting') {
			this.restarts.cancel();
			this.setState({ kind: 'stopped' });
		}
		await this.stopping;
	}

	/**
	 * Stops and starts the server, unless `stop` is called meanwhile.
	 * @param isByPerson whether the person waits for the restart. If not, no question opens while they do something else.
	 */
	async restart(isByPerson = true): Promise<ServerState> {
		const stopped = this.stop();
		const { stops } = this;
		await stopped;
		return stops === this.stops ? this.start(isByPerson) : this.state;
	}

	override dispose(): void {
		this.attempt?.abort();
		this.release();
		super.dispose();
	}

	/** Begins an attempt. Each start except a restart resets the failure history. */
	private begin(trigger: StartTrigger): void {
		if (!trigger.isRestart) {
			this.restarts.reset();
		}
		this.starting = this.launch(trigger, new AbortController()).finally(() => {
			this.starting = undefined;
		});
	}

	private async launch(trigger: StartTrigger, attempt: AbortController): Promise<void> {
		const { signal } = attempt;
		this.attempt = attempt;
		this.warned.clear();
		this.setState({ kind: 'starting' });
		try {
			const resolved = await prepareLaunch(this.definition, this.deps, {
				...trigger,
				signal,
				predecessor: this.predecessor,
				log: this.log,
				onWait: what => this.setState(what ? { kind: 'waiting', what } : { kind: 'starting' }),
			});
			signal.throwIfAborted();
			// With the values of its variables; secrets are redacted.
			this.log.info(
				resolved.kind === 'stdio'
					? `Starting: ${resolved.command} ${resolved.args.join(' ')}`
					: `Connecting: ${resolved.url}`,
			);
			const interactivity = (): Interactivity => interactivityOf(trigger, this.state, this.run?.client);
			const run = new ServerRun(this, resolved, this.deps, {
				memory: this.memory,
				signal,
				interactivity,
				onDidChange: () => this._onDidChange.fire(),
				onDidWarn: warning => this._onDidWarn.fire(warning),
			});
			this.run = run;
			this.follow(run);
			const session = await run.client.connect(signal);
			run.publish(session);
			this.crash = undefined;
			this.since = clock.now();
			this.setRunning(session);
		} catch (error) {
			await this.fail(error, trigger.isRestart, signal);
		}
	}

	private follow(run: ServerRun): void {
		run.hold(
			run.client.onDidRenewSession(session => this.setRunning(session)),
			run.client.onDidEnd(end => this.didEnd(run, end)),
		);
	}

	/** @param signal of the attempt that failed */
	private async fail(error: unknown, isRestart: boolean, signal: AbortSignal): Promise<void> {
		const { run } = this;
		const failed = run?.failureOf(error) ?? toFailure(error);
		const output = run?.finalOutput ?? { stderr: [] };
		await run?.client.close();
		if (signal.aborted) {
			// `stop` sets the next state; after `dispose` there is none.
			return;
		}
		this.release();
		const what = missingFor(error);
		if (what) {
			this.log.info(what === 'signIn' ? 'Needs a person to sign in.' : toMessage(error));
			this.setState({ kind: 'waiting', what });
		} else if (isAbort(error) && !run) {
			this.setState({ kind: 'stopped' });
		} else {
			const failure = this.log.redactor.data(failed);
			this.log.error(`Failed: ${toMessage(error)}`);
			this.setState(
				isRestart ? this.restarts.schedule(failure, output, this.log) : { kind: 'failed', failure, ...output },
			);
		}
	}

	/** Called when the machine wakes up or changes its network: checks a running server, and reconnects at once otherwise. */
	private wake(): void {
		const { state, run } = this;
		if (run) {
			run.client.checkAlive();
		} else if (state.kind === 'reconnecting') {
			this.log.info('The machine woke up or changed its network.');
			this.restarts.cancel();
			this.begin(automatic);
		}
	}

	private didEnd(run: ServerRun, { expected, error, exitCode, signal }: TransportEnd): void {
		if (expected || this.state.kind !== 'running' || run !== this.run) {
			return;
		}
		const how = signal ?? (exitCode === undefined ? 'no answer' : `exit code ${exitCode}`);
		// The id of the process makes the line unique, so that the log can be opened there.
		const process = run.pid === undefined ? '' : ` Process ${run.pid}.`;
		const line = `Ended unexpectedly: ${error?.message ?? `${how}.`}${process}`;
		this.log.error(line);
		const failure = { kind: 'exited', exitCode, signal } as const;
		const stderr = run.newestStderr;
		this.crash = this.definition.launch.kind === 'stdio' ? new ServerEndedError(failure, stderr, line) : undefined;
		this.release();
		this.setState(this.restarts.schedule(failure, { stderr }, this.log));
	}

	/** The reason for a failed request: of a closed connection, the end of the process if it crashed. */
	explain(error: unknown): unknown {
		return error instanceof McpError && error.failure.code === 'closed' ? (this.crash ?? error) : error;
	}

	/** Ends the attempt, whether it is starting or running; `stopping` waits for it. */
	private end(): void {
		if (this.stopping) {
			return;
		}
		this.setState({ kind: 'stopping' });
		this.attempt?.abort();
		this.stopping = this.shutDown().finally(() => {
			this.stopping = undefined;
		});
	}

	private async shutDown(): Promise<void> {
		try {
			await this.run?.client.close();
			await this.starting;
		} finally {
			this.release();
			this.setState({ kind: 'stopped' });
			if (!this.owned.isDisposed) {
				this.log.info('Stopped.');
			}
		}
	}

	private release(): void {
		this.run?.dispose();
		this.run = undefined;
		this.attempt = undefined;
	}

	private setRunning(session: Session): void {
		const { signIn } = this;
		this.setState({ kind: 'running', session, since: this.since, ...(signIn && { signIn }) });
	}

	private didChangeAccount(account: AuthState): void {
		this.expired = expiryAfter(this.expired, account);
		const need = (account.kind === 'working' && account.need) || this.expired;
		if (need === this.signIn) {
			return;
		}
		this.signIn = need;
		if (this.state.kind === 'running') {
			this.setRunning(this.state.session);
			// Lists requested meanwhile were refused.
			if (account.kind === 'signedIn') {
				void this.catalog?.reload();
			}
		}
	}

	private setState(state: ServerState): void {
		this.currentState = state;
		const { kind } = state;
		const needsWake = kind === 'running' || kind === 'reconnecting';
		if (!needsWake || this.definition.launch.kind === 'stdio') {
			this.waking.value = undefined;
		} else if (!this.owned.isDisposed) {
			this.waking.value ??= this.deps.onDidWake(() => this.wake());
		}
		this._onDidChange.fire();
	}
}
