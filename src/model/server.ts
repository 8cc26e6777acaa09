/**
 * One configured server: its state, its session while it runs, and the only two ways to change either,
 * `start` and `stop`.
 */
import { Emitter, type Event, type Disposable, DisposableStore, Owner } from '../base/lifecycle.js';
import { AbortError, toMessage } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import {
	Client,
	type ClientOptions,
	type Era,
	type EraMemory,
	type Implementation,
	type Limits,
	type LoggingLevel,
	type LogMessage,
	McpError,
	type Root,
	type Transport,
	type TransportEnd,
	type WireEvent,
} from '../mcp/index.js';
import { Catalog } from './catalog.js';
import type { HttpDefinition, ServerDefinition, StdioDefinition } from './serverConfig.js';
import { StderrTail } from './stderrTail.js';
import { canStart, type ServerFailure, type ServerState, toFailure } from './serverState.js';

/** Where one server's log goes. */
export interface ServerLog extends Logger, Disposable {
	/** The least severe level worth asking the server for. */
	readonly level: LoggingLevel;
	readonly onDidChangeLevel: Event<LoggingLevel>;
	/** A line the server sent by `notifications/message`. */
	message(message: LogMessage): void;
	stderr(line: string): void;
	/** Subscribes to the wire as long as someone wants to read it. */
	tap(onDidTransfer: Event<WireEvent>): Disposable;
	/** Brings the log before the person. */
	show(): void;
}

/** The folders servers may know of. */
export interface Roots {
	list(source: ServerDefinition): readonly Root[];
	readonly onDidChange: Event<void>;
}

/** Whether anything of this workspace may run. Trust is only ever granted while a window is open. */
export interface Trust {
	isTrusted(): boolean;
	readonly onDidGrant: Event<void>;
}

export interface ServerDeps {
	readonly clientInfo: Implementation;
	readonly roots: Roots;
	readonly trust: Trust;
	/** Milliseconds a request may go without answer or progress. */
	readonly timeoutMs: () => number;
	/** Milliseconds between two pings in the legacy era; 0 for none. */
	readonly pingMs: () => number;
	readonly createLog: (definition: ServerDefinition) => ServerLog;
	/** What a server may cost, asked at each start. */
	readonly limits: () => Limits;
	/** Makes the transport of a server that runs as a child process. */
	readonly stdio: (
		definition: ServerDefinition,
		launch: StdioDefinition,
		limits: Limits,
		onStderr: (line: string) => void,
	) => Transport;
	/** Makes the transports of a server at a URL. */
	readonly http: (definition: ServerDefinition, launch: HttpDefinition, limits: Limits, log: Logger) => HttpTransports;
}

/** The two ways to a server at a URL. */
export interface HttpTransports {
	readonly streamable: () => Transport;
	/** HTTP+SSE of 2024-11-05. */
	readonly legacySse: () => Transport;
}

/** One attempt to run the server, from `start` to its end. */
interface Run {
	readonly owned: DisposableStore;
	readonly abort: AbortController;
	readonly stderr: StderrTail;
	readonly client: Client;
	ended: TransportEnd | undefined;
}

export class Server extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** State or catalog changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private currentState: ServerState;
	private run: Run | undefined;
	private starting: Promise<void> | undefined;
	private stopping: Promise<void> | undefined;
	/** Calls of `stop`: one that comes while `start` still waits takes it back. */
	private stops = 0;
	private currentCatalog: Catalog | undefined;
	private createdLog: ServerLog | undefined;
	/** What a start has taught about the server: the next need not kill it again to find out. */
	private knownEra: Era | undefined;
	private readonly eraMemory: EraMemory = {
		get: () => this.knownEra,
		set: era => {
			this.knownEra = era;
		},
	};

	constructor(
		private defined: ServerDefinition,
		private readonly deps: ServerDeps,
	) {
		super();
		this.currentState = initialState(defined, deps.trust);
		this.own(
			deps.trust.onDidGrant(() => {
				if (this.currentState.kind === 'untrusted') {
					this.setState(initialState(defined, deps.trust));
				}
			}),
		);
	}

	get definition(): ServerDefinition {
		return this.defined;
	}

	/** The same definition, at another place of its file. */
	redefine(definition: ServerDefinition): void {
		this.defined = definition;
	}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.currentState;
	}

	/** The session's client, while the server runs. */
	get client(): Client | undefined {
		return this.currentState.kind === 'running' ? this.run?.client : undefined;
	}

	/** What it offers, while it runs. */
	get catalog(): Catalog | undefined {
		return this.currentCatalog;
	}

	/** Made on first use: a server that never runs has no log channel. */
	get log(): ServerLog {
		this.createdLog ??= this.own(this.deps.createLog(this.definition));
		return this.createdLog;
	}

	/** Starts it if it is not running; resolves when it runs or the state says why not. Never throws. */
	async start(): Promise<ServerState> {
		const { stops } = this;
		await this.stopping;
		if (stops === this.stops && canStart(this.currentState) && !this.owned.isDisposed) {
			this.starting = this.launch().finally(() => {
				this.starting = undefined;
			});
		}
		await this.starting;
		// Stopped in the middle of it: what `stop` says comes after.
		await this.stopping;
		return this.currentState;
	}

	/** Stops it; resolves when nothing of it is left. */
	async stop(): Promise<void> {
		this.stops++;
		const { run } = this;
		if (run && !this.stopping) {
			this.setState({ kind: 'stopping' });
			run.abort.abort();
			this.stopping = this.shutDown(run).finally(() => {
				this.stopping = undefined;
			});
		}
		await this.stopping;
	}

	override dispose(): void {
		this.run?.abort.abort();
		this.run?.owned.dispose();
		this.run = undefined;
		super.dispose();
	}

	private async launch(): Promise<void> {
		const { launch } = this.definition;
		this.setState({ kind: 'starting' });
		this.log.info(
			launch.kind === 'stdio' ? `Starting: ${launch.command} ${launch.args.join(' ')}` : `Connecting: ${launch.url}`,
		);
		let run: Run | undefined;
		const limits = this.deps.limits();
		const stderr = new StderrTail(this.log, limits);
		try {
			run = this.open(stderr, limits);
			this.run = run;
			const session = await run.client.connect(run.abort.signal);
			if (run.abort.signal.aborted) {
				throw new AbortError();
			}
			if (run.ended) {
				throw new McpError({ code: 'closed' });
			}
			const { name, version } = session.serverInfo;
			this.log.info(`Running: ${name} ${version}, protocol revision ${session.protocolVersion}.`);
			this.publish(run);
			this.setState({ kind: 'running', session });
		} catch (error) {
			await this.fail(run, stderr, error);
		}
	}

	private open(stderr: StderrTail, limits: Limits): Run {
		const { deps, log, definition } = this;
		const ways = this.ways(stderr, limits);
		const owned = new DisposableStore();
		owned.add(stderr);
		const { clientInfo, roots, timeoutMs } = deps;
		const client = owned.add(
			new Client({
				clientInfo,
				log,
				timeoutMs: timeoutMs(),
				pingMs: deps.pingMs(),
				limits,
				memory: this.eraMemory,
				handlers: { roots: () => roots.list(definition) },
				...ways,
			}),
		);
		const run: Run = { owned, client, stderr, abort: new AbortController(), ended: undefined };
		owned.add(log.tap(client.onDidTransfer));
		owned.add(client.onDidLog(message => log.message(message)));
		owned.add(
			client.onDidReceiveNoise(({ text, count }) => {
				const times = count === undefined ? '' : ` (${count} times by now)`;
				log.warn(`Not a protocol message${times}: ${text}`);
			}),
		);
		owned.add(
			client.onDidEnd(end => {
				run.ended = end;
				this.didEnd(run, end);
			}),
		);
		return run;
	}

	/** How to reach the server, by what its definition says. */
	private ways(stderr: StderrTail, limits: Limits): Pick<ClientOptions, 'open' | 'openLegacySse' | 'mode'> {
		const { definition, deps, log } = this;
		const { launch } = definition;
		if (launch.kind !== 'stdio') {
			const { streamable, legacySse } = deps.http(definition, launch, limits, log);
			// `"type": "sse"` names the transport of 2024-11-05, and with it the era.
			return launch.kind === 'sse'
				? { open: legacySse, mode: 'legacy' }
				: { open: streamable, openLegacySse: legacySse };
		}
		return {
			open: () => {
				stderr.clear();
				return deps.stdio(definition, launch, limits, line => stderr.add(line));
			},
		};
	}

	/** Makes what a running session offers visible, and keeps the server informed. */
	private publish(run: Run): void {
		const { log, deps } = this;
		const { client, owned } = run;
		const catalog = owned.add(new Catalog(client, log));
		this.currentCatalog = catalog;
		owned.add(catalog.onDidChange(() => this._onDidChange.fire()));
		owned.add(
			client.onDidRenewSession(session => {
				log.info(`Connected again, protocol revision ${session.protocolVersion}.`);
				this.setState({ kind: 'running', session });
			}),
		);
		owned.add(deps.roots.onDidChange(() => this.tell('roots', client.notifyRootsChanged())));
		owned.add(log.onDidChangeLevel(level => this.tell('logging level', client.setLoggingLevel(level))));
		this.tell('logging level', client.setLoggingLevel(log.level));
		this.tell('lists', catalog.loadAll());
	}

	/** What the server need not know for us to go on: a failure is a line in its log. */
	private tell(what: string, sent: Promise<void>): void {
		sent.catch((error: unknown) => this.log.debug(`${what}: ${String(error)}`));
	}

	private async fail(run: Run | undefined, stderr: StderrTail, error: unknown): Promise<void> {
		const failure = failureOf(run, error);
		if (run) {
			await run.client.close();
			this.release(run);
		}
		stderr.dispose();
		if (run?.abort.signal.aborted) {
			// `stop` says what comes next; after `dispose`, nothing does.
			return;
		}
		this.log.error(`Failed: ${toMessage(error)}`);
		this.setState({ kind: 'failed', failure, stderr: stderr.lines });
	}

	private didEnd(run: Run, end: TransportEnd): void {
		if (end.expected || this.currentState.kind !== 'running' || run !== this.run) {
			return;
		}
		const { exitCode, signal } = end;
		this.log.error(`Ended unexpectedly: ${signal ?? `exit code ${exitCode}`}.`);
		this.release(run);
		this.setState({ kind: 'failed', failure: { kind: 'exited', exitCode, signal }, stderr: run.stderr.lines });
	}

	private async shutDown(run: Run): Promise<void> {
		try {
			await run.client.close();
			await this.starting;
		} finally {
			this.release(run);
			this.setState({ kind: 'stopped' });
			this.log.info('Stopped.');
		}
	}

	private release(run: Run): void {
		run.owned.dispose();
		if (this.run === run) {
			this.run = undefined;
			this.currentCatalog = undefined;
		}
	}

	private setState(state: ServerState): void {
		this.currentState = state;
		this._onDidChange.fire();
	}
}

/** A server that exits during the handshake closes the connection: the exit is the better reason. */
function failureOf(run: Run | undefined, error: unknown): ServerFailure {
	if (run?.ended && error instanceof McpError && error.failure.code === 'closed') {
		return { kind: 'exited', exitCode: run.ended.exitCode, signal: run.ended.signal };
	}
	return toFailure(error);
}

function initialState({ launch }: ServerDefinition, trust: Trust): ServerState {
	if (launch.kind === 'stdio' && launch.envFile !== undefined) {
		return { kind: 'unsupported', what: 'envFile' };
	}
	return trust.isTrusted() ? { kind: 'stopped' } : { kind: 'untrusted' };
}
