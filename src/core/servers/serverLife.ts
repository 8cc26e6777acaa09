/**
 * What happens to one server: its state, and its runs from `begin` until nothing of them is left. One that ends by
 * itself is started again, later and later, as `restartPolicy.ts` says. When to begin and to end is `server.ts`'s affair.
 */
import { raceAbort } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { McpFailure, Session, TransportEnd } from '../../mcp/index.js';
import type { Presence } from './accounts.js';
import { Comebacks } from './comebacks.js';
import { ConsentNeededError } from '../launch/consent.js';
import { EndedSignIn } from './endedSignIn.js';
import type { Redactor } from '../text/redactor.js';
import { eraMemory, prepareLaunch } from './launching.js';
import { InputNeededError, type ResolvedServer } from '../launch/resolvedServer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerDeps, ServerLog } from './serverPorts.js';
import { ServerRun } from './serverRun.js';
import { isSignInNeeded, type LastWords, type ServerFailure, type ServerState, toFailure } from './serverState.js';

export class ServerLife extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** State or catalog changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly _onDidOverload = this.own(new Emitter<void>());
	/** See `ServerRun.onDidOverload`. Fires at most once in each run. */
	readonly onDidOverload: Event<void> = this._onDidOverload.event;

	private currentState: ServerState;
	private currentRun: ServerRun | undefined;
	/** There while the definition is resolved, before there is a run. */
	private resolving: AbortController | undefined;
	private underway: Promise<void> | undefined;
	private ending: Promise<void> | undefined;
	private readonly comebacks: Comebacks;
	private readonly waking = this.own(new MutableDisposable<Disposable>());
	/** When the current run began to run. */
	private since = 0;
	private readonly ended: EndedSignIn | undefined;
	private createdLog: ServerLog | undefined;
	private readonly eraMemory = eraMemory();

	constructor(
		/** May be replaced by the same one at another place of its file. */
		public definition: ServerDefinition,
		private readonly deps: ServerDeps,
		private readonly predecessor: Promise<void> | undefined,
	) {
		super();
		this.comebacks = this.own(
			new Comebacks(definition.launch.kind === 'stdio', () =>
				this.begin({ isAgain: true, mayAsk: false, isByPerson: false }),
			),
		);
		this.currentState = initialState(deps);
		this.ended = deps.accounts && this.own(new EndedSignIn(deps.accounts, () => this.definition));
		if (this.ended) {
			this.own(this.ended.onDidChange(() => this.didChangeSignIn()));
		}
		this.own(
			deps.trust.onDidGrant(() => {
				if (this.currentState.kind === 'untrusted') {
					this.setState(initialState(deps));
				}
			}),
		);
	}

	get state(): ServerState {
		return this.currentState;
	}

	get run(): ServerRun | undefined {
		return this.currentRun;
	}

	/** What waits for the run to run, or for the state that says why not. Never rejects. */
	get starting(): Promise<void> | undefined {
		return this.underway;
	}

	/** What waits until nothing of the run is left. */
	get stopping(): Promise<void> | undefined {
		return this.ending;
	}

	/** Made on first use: a server that never runs has no log channel. */
	get log(): ServerLog {
		this.createdLog ??= this.own(this.deps.createLog(this.definition));
		return this.createdLog;
	}

	/** What its log leaves out; there is none before there is a log. */
	get redactor(): Redactor | undefined {
		return this.createdLog?.redactor;
	}

	/** Launches it. Who asks for it by hand starts the counting of failures anew. */
	begin(occasion: Occasion): void {
		if (!occasion.isAgain) {
			this.comebacks.forget();
		}
		this.underway = this.launch(occasion).finally(() => {
			this.underway = undefined;
		});
	}

	/** Whatever is going on ends; resolves when nothing of it is left. */
	async end(): Promise<void> {
		const { run } = this;
		if (this.resolving) {
			this.setState({ kind: 'stopping' });
			this.resolving.abort();
			await this.underway;
		} else if (!run && (this.currentState.kind === 'reconnecting' || this.currentState.kind === 'waiting')) {
			this.comebacks.cancel();
			this.setState({ kind: 'stopped' });
		} else if (run && !this.ending) {
			this.shutDownRun(run);
		}
		await this.ending;
	}

	/** The run ends; `stopping` waits for it. */
	shutDownRun(run: ServerRun): void {
		this.setState({ kind: 'stopping' });
		run.abort.abort();
		this.ending = this.shutDown(run).finally(() => {
			this.ending = undefined;
		});
	}

	override dispose(): void {
		this.resolving?.abort();
		this.run?.abort.abort();
		this.run?.dispose();
		this.currentRun = undefined;
		super.dispose();
	}

	private async launch({ isAgain, ...asking }: Occasion): Promise<void> {
		const { launch } = this.definition;
		this.setState({ kind: 'starting' });
		this.log.info(
			launch.kind === 'stdio' ? `Starting: ${launch.command} ${launch.args.join(' ')}` : `Connecting: ${launch.url}`,
		);
		let run: ServerRun | undefined;
		try {
			const resolved = await this.resolve(asking);
			const presence = (): Presence => this.presence(asking);
			run = new ServerRun(this, resolved, this.deps, this.eraMemory, presence);
			this.currentRun = run;
			this.follow(run);
			const session = await run.connect();
			this.showSession('Running', session);
			run.publish();
			this.since = Date.now();
			this.setRunning(session);
		} catch (error) {
			await this.fail(run, error, isAgain);
		}
	}

	private async resolve(asking: Asking): Promise<ResolvedServer['launch']> {
		const resolving = new AbortController();
		this.resolving = resolving;
		try {
			const { signal } = resolving;
			const launch = await prepareLaunch(this.definition, this.deps, {
				signal,
				...asking,
				log: this.log,
				onWait: what => this.setState(what ? { kind: 'waiting', what } : { kind: 'starting' }),
			});
			// Two processes of one server would fight for its ports and files.
			await (this.predecessor && raceAbort(this.predecessor, signal));
			return launch;
		} finally {
			this.resolving = undefined;
		}
	}

	private follow(run: ServerRun): void {
		run.hold(run.onDidChange(() => this._onDidChange.fire()));
		run.hold(
			run.onDidOverload(() => {
				this.log.warn('The server sends so many messages that the editor may become slow.');
				this._onDidOverload.fire();
			}),
		);
		run.hold(
			run.client.onDidRenewSession(session => {
				this.showSession('Connected again', session);
				this.setRunning(session);
			}),
		);
		run.hold(run.client.onDidDoubt(why => this.doubt(run, why)));
		run.hold(run.client.onDidEnd(end => this.didEnd(run, end)));
	}

	private showSession(what: string, { serverInfo, protocolVersion }: Session): void {
		this.log.info(`${what}: ${serverInfo.name} ${serverInfo.version}, protocol revision ${protocolVersion}.`);
	}

	private async fail(run: ServerRun | undefined, error: unknown, isAgain: boolean): Promise<void> {
		if (!run && this.isUnresolved(error)) {
			return;
		}
		const failure = this.log.redactor.data(run ? run.failureOf(error) : toFailure(error));
		const words = run?.lastWords ?? { stderr: [] };
		if (run) {
			await run.client.close();
			this.release(run);
		}
		if (run?.abort.signal.aborted) {
			// `stop` says what comes next; after `dispose`, nothing does.
			return;
		}
		if (isSignInNeeded(error)) {
			this.log.info('Needs a person to sign in.');
			this.setState({ kind: 'waiting', what: 'signIn' });
			return;
		}
		this.log.error(`Failed: ${toMessage(error)}`);
		if (isAgain) {
			this.startAgain(failure, words);
		} else {
			this.setState({ kind: 'failed', failure, ...words });
		}
	}

	/** Nothing failed: nobody gave what it needs, or it is not wanted any more. */
	private isUnresolved(error: unknown): boolean {
		if (this.owned.isDisposed) {
			return true;
		}
		if (error instanceof InputNeededError || error instanceof ConsentNeededError) {
			this.log.info(error.message);
			this.setState({ kind: 'waiting', what: error instanceof InputNeededError ? 'input' : 'consent' });
			return true;
		}
		if (isAbort(error)) {
			this.setState({ kind: 'stopped' });
			return true;
		}
		return false;
	}

	/** The machine woke up, or its network is another: what runs must prove itself, and what was away may be back. */
	private wake(): void {
		const state = this.currentState;
		if (this.run) {
			this.run.client.prove();
		} else if (state.kind === 'reconnecting' || (state.kind === 'failed' && state.isAway)) {
			this.log.info('The machine woke up or changed its network.');
			this.comebacks.cancel();
			if (state.kind === 'failed') {
				this.comebacks.forget();
			}
			this.begin({ isAgain: true, mayAsk: false, isByPerson: false });
		}
	}

	private doubt(run: ServerRun, why: McpFailure | undefined): void {
		if (run !== this.run) {
			return;
		}
		if (why && this.currentState.kind === 'running') {
			this.log.warn('No answer since the machine woke up or changed its network; asking again.');
			this.setState({
				kind: 'reconnecting',
				failure: { kind: 'protocol', failure: why },
				...run.lastWords,
				retryAt: Date.now(),
			});
		} else if (!why && this.currentState.kind === 'reconnecting') {
			this.log.info('It answers again.');
			this.setRunning(run.client.session);
		}
	}

	private didEnd(run: ServerRun, end: TransportEnd): void {
		const { kind } = this.currentState;
		if (end.expected || (kind !== 'running' && kind !== 'reconnecting') || run !== this.run) {
			return;
		}
		const { error, exitCode, signal } = end;
		const how = signal ?? (exitCode === undefined ? 'no answer' : `exit code ${exitCode}`);
		this.log.error(`Ended unexpectedly: ${error?.message ?? `${how}.`}`);
		const words = run.lastWords;
		this.release(run);
		this.startAgain({ kind: 'exited', exitCode, signal }, words);
	}

	/** Later, and not for ever. */
	private startAgain(failure: ServerFailure, words: LastWords): void {
		this.setState(
			this.owned.isDisposed ? { kind: 'failed', failure, ...words } : this.comebacks.afterEnd(failure, words, this.log),
		);
	}

	private async shutDown(run: ServerRun): Promise<void> {
		try {
			await run.client.close();
			await this.underway;
		} finally {
			this.release(run);
			this.setState({ kind: 'stopped' });
			if (!this.owned.isDisposed) {
				this.log.info('Stopped.');
			}
		}
	}

	private release(run: ServerRun): void {
		run.dispose();
		if (this.run === run) {
			this.currentRun = undefined;
		}
	}

	/** Nobody is asked about what goes on by itself, such as a ping. */
	private presence({ mayAsk, isByPerson }: Asking): Presence {
		if (this.currentState.kind === 'starting') {
			return isByPerson ? 'starting' : mayAsk ? 'inUse' : 'absent';
		}
		return this.run?.client.isInUse ? 'inUse' : 'absent';
	}

	private setRunning(session: Session): void {
		const signIn = this.ended?.need;
		this.setState({ kind: 'running', session, since: this.since, ...(signIn && { signIn }) });
	}

	private didChangeSignIn(): void {
		if (this.currentState.kind === 'running') {
			this.setRunning(this.currentState.session);
			// Lists that were asked for meanwhile were refused, and somebody else may see others.
			if (this.deps.accounts?.of(this.definition)?.state.kind === 'signedIn') {
				void this.currentRun?.catalog?.reload();
			}
		}
	}

	private setState(state: ServerState): void {
		this.currentState = state;
		const { kind } = state;
		const wakes = kind === 'running' || kind === 'reconnecting' || (kind === 'failed' && state.isAway);
		if (!wakes || this.definition.launch.kind === 'stdio') {
			this.waking.value = undefined;
		} else if (!this.owned.isDisposed) {
			this.waking.value ??= this.deps.onDidWake(() => this.wake());
		}
		this._onDidChange.fire();
	}
}

/** What a start comes of. */
export interface Occasion extends Asking {
	/** It ran before and ended by itself. */
	readonly isAgain: boolean;
}

interface Asking {
	/** A person is there to be asked for what is missing. */
	readonly mayAsk: boolean;
	/** They have started the server just now. */
	readonly isByPerson: boolean;
}

function initialState({ trust }: ServerDeps): ServerState {
	return trust.isTrusted() ? { kind: 'stopped' } : { kind: 'untrusted' };
}
