/**
 * One attempt to run a server: the preparation of the launch (`prepareLaunch`), and the run from the launch to its end.
 * `server.ts` decides when to start and stop.
 */
import { onAbort, raceAbort, within } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner } from '../../base/lifecycle.js';
import { shorten } from '../../base/trim.js';
import {
	Client,
	type ClientOptions,
	type EraMemory,
	McpError,
	type Root,
	type Session,
	type Transport,
	type TransportEnd,
} from '../../mcp/index.js';
import type { Interactivity } from './accounts.js';
import { Catalog } from './catalog.js';
import type { ServerDebugger, ResolvedServer, ResolveRequest } from '../launch/resolvedServer.js';
import { chooseServerIcon, type ServerIcon } from './icons.js';
import type { AskingServer } from '../requests/questions.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerLog } from './serverLog.js';
import type { ServerDeps } from './serverPorts.js';
import { type FinalOutput, type ServerFailure, type ServerWarning, toFailure } from './serverState.js';

/** Number of lines on stdout that are no messages and are kept for the report of a failure. */
const keptNoise = 5;
/** Characters of such a line. */
const maxNoiseLength = 300;

/** Milliseconds that a request for roots waits for the disk, before it is answered with the last known roots. */
const rootsMs = 1000;

/** Why a server is started. */
export interface StartTrigger {
	/** Whether the server ran before and ended unexpectedly. */
	readonly isRestart: boolean;
	/** Whether the person may be asked for missing values. */
	readonly mayAsk: boolean;
	/** Whether the person has just started the server. */
	readonly isByPerson: boolean;
}

export interface LaunchOptions extends StartTrigger {
	readonly signal: AbortSignal;
	/** Settles when the server that had this id before has ended. */
	readonly predecessor: Promise<void> | undefined;
	readonly log: ServerLog;
	/** Called when a person is asked, and with `undefined` once they have answered. */
	readonly onWait: (what: 'consent' | 'input' | undefined) => void;
}

/**
 * Gets the person's consent, then the values that the server is started with.
 * @throws ConsentNeededError, InputNeededError; AbortError once the signal aborts
 */
export async function prepareLaunch(
	definition: ServerDefinition,
	{ consent, resolve }: Pick<ServerDeps, 'consent' | 'resolve'>,
	{ signal, mayAsk, isByPerson, predecessor, log, onWait }: LaunchOptions,
): Promise<ResolvedServer['launch']> {
	let isWaiting = false;
	const request: ResolveRequest = {
		signal,
		mayAsk,
		isByPerson,
		onAsk: what => {
			if (!signal.aborted) {
				isWaiting = true;
				onWait(what);
			}
		},
	};
	const endWait = (): void => {
		signal.throwIfAborted();
		if (isWaiting) {
			isWaiting = false;
			onWait(undefined);
		}
	};
	// Files may be on a disk that doesn't answer: a stop doesn't wait for them.
	// The snapshot that the person has allowed is run, even if its files and settings change meanwhile.
	const snapshot = await raceAbort(consent(definition, request), signal);
	// A person who has just given consent is there to be asked for inputs, even during an automatic restart.
	const values = { ...request, mayAsk: mayAsk || isWaiting };
	endWait();
	const { launch, secrets } = await raceAbort(resolve(definition, values, snapshot), signal);
	endWait();
	log.redactor.hide(secrets);
	// Two processes of one server would fight for its ports and files.
	await (predecessor && raceAbort(predecessor, signal));
	return launch;
}

export interface RunOptions {
	/** Kept from run to run. */
	readonly memory: EraMemory;
	/** Aborted when the server is stopped. */
	readonly signal: AbortSignal;
	/** How a person may be asked to sign in. */
	readonly interactivity: () => Interactivity;
	/** Called when the catalog has changed. */
	readonly onDidChange: () => void;
	/** Called when the server sent something that isn't part of the protocol. */
	readonly onDidWarn: (warning: ServerWarning) => void;
}

export class ServerRun extends Owner {
	readonly client: Client;
	private readonly offered = this.own(new MutableDisposable<Catalog>());
	private readonly following = this.own(new MutableDisposable<Disposable>());
	private readonly attached = this.own(new MutableDisposable<Disposable>());
	/** The last lines of stderr, redacted, because reports show them outside the log. */
	private readonly stderr: string[] = [];
	/** The lines of stderr that came after the last message. */
	private readonly newest: string[] = [];
	private readonly firstNoise: string[] = [];
	private ended: TransportEnd | undefined;
	/** The roots that the server has got, or would get if it asked. */
	private roots: readonly Root[];
	private transport: Transport | undefined;
	/** The server's own icon. */
	icon: ServerIcon | undefined;

	private readonly definition: ServerDefinition;
	private readonly log: ServerLog;

	/** @param server that is run; requests of the run carry it */
	constructor(
		server: AskingServer & { readonly log: ServerLog },
		private readonly launch: ResolvedServer['launch'],
		private readonly deps: ServerDeps,
		private readonly options: RunOptions,
	) {
		super();
		const { definition, log } = server;
		this.definition = definition;
		this.log = log;
		const limits = deps.limits(definition);
		const { requestTimeoutMs, pingMs, era } = deps.options(definition);
		this.roots = deps.roots.list(definition);
		this.client = this.own(
			new Client({
				clientInfo: deps.clientInfo,
				log,
				// A process stopped at a breakpoint doesn't answer, so requests have no time-out.
				timeoutMs: this.debugging ? 0 : requestTimeoutMs,
				pingMs: this.debugging ? 0 : pingMs,
				limits,
				redact: it => log.redactor.data(it),
				memory: options.memory,
				recorder: deps.messages?.recorderFor({ id: definition.id, name: definition.name, redactor: log.redactor }),
				mode: era,
				handlers: {
					roots: () => this.answerRoots(),
					...(deps.elicitations && {
						elicitation: deps.elicitations.handlersFor(server, () => this.client.isInUse),
					}),
					...(deps.samplings && {
						sampling: deps.samplings.handlersFor(server, () => this.client.operation),
					}),
				},
				...this.transportOptions(),
			}),
		);
		this.own(this.client.onDidCompleteElicitation(id => deps.elicitations?.complete(definition, id)));
		this.own(this.client.onDidEndCalls(() => deps.elicitations?.didEndCalls(definition)));
		this.own(log.tap(this.client.onDidTransfer));
		this.own(this.client.onDidLog(message => log.message(message)));
		this.own(
			this.client.onDidReceiveNoise(({ text, kind }) => {
				// Redacted before it is cut. The diagnosis of a failed start shows these lines too.
				const line = shorten(log.redactor.text(text), maxNoiseLength);
				options.onDidWarn({ kind: kind ?? 'noise', text: line });
				if (kind === 'unknownId') {
					log.warn(`Answer to a request that was never sent, with id ${line}`);
					return;
				}
				log.warn(`Not a protocol message: ${line}`);
				if (this.firstNoise.length < keptNoise) {
					this.firstNoise.push(line);
				}
			}),
		);
		this.own(
			this.client.onDidEnd(end => {
				this.ended = end;
				deps.questions?.withdraw(definition);
			}),
		);
		this.own(onAbort(options.signal, () => (this.attached.value = undefined)));
		this.tellOfDebugging();
	}

	/** The server's lists; `undefined` until `publish`. */
	get catalog(): Catalog | undefined {
		return this.offered.value;
	}

	/** The id of the server's process; `undefined` for a server at a URL. */
	get pid(): number | undefined {
		return this.transport?.pid;
	}

	/** The debugger that the process runs under. */
	get debugging(): ServerDebugger | undefined {
		return this.launch.kind === 'stdio' ? this.launch.debugging : undefined;
	}

	private tellOfDebugging(): void {
		if (this.debugging) {
			this.log.info(
				`Under the debugger on port ${this.debugging.port}: requests have no time-outs, and nothing pings.`,
			);
		} else if (this.launch.kind === 'stdio' && this.launch.notDebugged !== undefined) {
			this.log.warn(`Not debugged: ${this.launch.notDebugged}`);
		}
	}

	/** Disposes subscriptions together with the run. */
	hold(...subscriptions: readonly Disposable[]): void {
		subscriptions.forEach(it => this.own(it));
	}

	/** The last lines of stderr, and the first lines of stdout that are no messages. */
	get finalOutput(): FinalOutput {
		const { stderr, firstNoise } = this;
		return firstNoise.length > 0 ? { stderr, noise: firstNoise } : { stderr };
	}

	/** The last lines of stderr after the last message: what a server that ran wrote about its end. */
	get newestStderr(): readonly string[] {
		return this.newest.length > 0 ? this.newest : this.stderr;
	}

	/** The last line that the process wrote, other than messages; without secrets. */
	get lastLine(): string | undefined {
		return [...this.firstNoise, ...this.stderr].findLast(it => it.trim() !== '');
	}

	private logSession(what: string, { serverInfo, protocolVersion }: Session): void {
		this.log.info(`${what}: ${serverInfo.name} ${serverInfo.version}, protocol revision ${protocolVersion}.`);
	}

	/**
	 * Loads the lists, checks the icon, and keeps the server informed of roots and the logging level. Call it as soon as the
	 * client has connected.
	 * @throws AbortError; McpError `closed` if the server has ended
	 */
	publish(session: Session): void {
		const { client, deps, log } = this;
		this.options.signal.throwIfAborted();
		if (this.ended) {
			throw new McpError({ code: 'closed' });
		}
		this.logSession('Running', session);
		this.readIcon(session);
		this.own(deps.roots.onDidChange(() => this.didChangeRoots()));
		this.didChangeRoots();
		this.tell('roots', deps.roots.refresh());
		this.own(log.onDidChangeLevel(level => this.tell('logging level', client.setLoggingLevel(level))));
		this.tell('logging level', client.setLoggingLevel(log.level));
		this.own(
			client.onDidRenewSession(session => {
				this.logSession('Connected again', session);
				this.list();
			}),
		);
		this.list();
	}

	private readIcon({ serverInfo: { icons = [] } }: Session): void {
		try {
			this.icon = chooseServerIcon(icons);
		} catch (error) {
			this.log.info(`Its icon is not shown: ${toMessage(error)}.`);
		}
	}

	private async answerRoots(): Promise<readonly Root[]> {
		await within(this.deps.roots.refresh(), rootsMs);
		this.roots = this.deps.roots.list(this.definition);
		return this.roots;
	}

	/** Tells the server only of changes to its own roots. */
	private didChangeRoots(): void {
		const roots = this.deps.roots.list(this.definition);
		if (JSON.stringify(roots) !== JSON.stringify(this.roots)) {
			this.roots = roots;
			this.tell('roots', this.client.notifyRootsChanged());
		}
	}

	/** Creates the catalog of the current session. Entries of an earlier session are dropped. */
	private list(): void {
		const catalog = new Catalog(this.client, this.log);
		this.offered.value = catalog;
		this.following.value = catalog.onDidChange(this.options.onDidChange);
		this.tell('lists', catalog.loadAll());
	}

	/** The reason for a failed start. If the connection closed because the process exited, the reason is the exit. */
	failureOf(error: unknown): ServerFailure {
		if (this.ended && error instanceof McpError && error.failure.code === 'closed') {
			return { kind: 'exited', exitCode: this.ended.exitCode, signal: this.ended.signal };
		}
		return toFailure(error);
	}

	/** The options of the client that open the transport of the definition. */
	private transportOptions(): Pick<ClientOptions, 'open' | 'openLegacySse' | 'mode' | 'onDidChangeIdentity'> {
		const { definition, launch, deps, log } = this;
		const { interactivity } = this.options;
		const limits = deps.limits(definition);
		if (launch.kind !== 'stdio') {
			const { streamable, legacySse, onDidChangeIdentity } = deps.http(launch, limits, log, {
				definition,
				interactivity,
			});
			// `"type": "sse"` names the transport of 2024-11-05, and with it the era.
			return launch.kind === 'sse'
				? { open: legacySse, mode: 'legacy', onDidChangeIdentity }
				: { open: streamable, openLegacySse: legacySse, onDidChangeIdentity };
		}
		return {
			open: () => {
				this.stderr.length = 0;
				this.newest.length = 0;
				this.firstNoise.length = 0;
				this.attached.value = this.debugging?.attach();
				const transport = deps.stdio(launch, limits, line => this.addStderr(line, limits.stderrLines));
				this.own(transport.onDidReceive(() => (this.newest.length = 0)));
				this.transport = transport;
				return transport;
			},
		};
	}

	private addStderr(line: string, maxLines: number): void {
		const shown = this.log.redactor.text(line);
		for (const lines of [this.stderr, this.newest]) {
			lines.push(shown);
			if (lines.length > maxLines) {
				lines.shift();
			}
		}
		this.log.stderr(line);
	}

	/** Logs the failure of a message that the run doesn't depend on. */
	private tell(what: string, sent: Promise<void>): void {
		sent.catch((error: unknown) => this.log.debug(`${what}: ${String(error)}`));
	}
}
