/**
 * One attempt to run a server: what must be settled before it is launched (`prepareLaunch`), and its life from the launch
 * to its end. When to start and stop is `server.ts`.
 */
import { onAbort, raceAbort, throwIfAborted } from '../../base/async.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner } from '../../base/lifecycle.js';
import {
	Client,
	type ClientOptions,
	type Era,
	type EraMemory,
	McpError,
	type Root,
	type Session,
	type Transport,
	type TransportEnd,
} from '../../mcp/index.js';
import type { Interactivity } from './accounts.js';
import { Catalog } from './catalog.js';
import type { Debugging, ResolvedServer, ResolveRequest } from '../launch/resolvedServer.js';
import type { ServerIcon } from './iconLoader.js';
import { MessageRate } from './messageRate.js';
import type { Server } from './server.js';
import { sameRoots } from './roots.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerDeps, ServerLog } from './serverPorts.js';
import { type LastWords, type ServerFailure, toFailure } from './serverState.js';
import { StderrTail } from './stderrTail.js';

/** Lines of noise that are enough to know its maker. */
const keptNoise = 5;

/** Why a server is started. */
export interface StartTrigger {
	/** The server ran before and ended unexpectedly. */
	readonly isRestart: boolean;
	/** A person is there to be asked for what is missing. */
	readonly mayAsk: boolean;
	/** The person has started the server just now. */
	readonly isByPerson: boolean;
}

export interface LaunchOptions extends StartTrigger {
	readonly signal: AbortSignal;
	/** Settles when nothing is left of the server that had this id before. */
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
	const request = (what: 'consent' | 'input'): ResolveRequest => ({
		signal,
		mayAsk,
		isByPerson,
		onAsk: () => {
			isWaiting = true;
			onWait(what);
		},
	});
	const endWait = (): void => {
		throwIfAborted(signal);
		if (isWaiting) {
			isWaiting = false;
			onWait(undefined);
		}
	};
	// Files may be on a disk that doesn't answer: a stop doesn't wait for them.
	// What was allowed is what is run, whatever its file and its settings say by then.
	const snapshot = await raceAbort(consent(definition, request('consent')), signal);
	endWait();
	const { launch, secrets } = await raceAbort(resolve(definition, request('input'), snapshot), signal);
	endWait();
	log.redactor.hide(secrets);
	// Two processes of one server would fight for its ports and files.
	await (predecessor && raceAbort(predecessor, signal));
	return launch;
}

/** Remembers the era of a server from run to run: finding it out may take killing the process once. */
export function eraMemory(): EraMemory {
	let known: Era | undefined;
	return {
		get: () => known,
		set: era => {
			known = era;
		},
	};
}

export interface RunOptions {
	/** Kept from run to run. */
	readonly memory: EraMemory;
	/** Aborted when the server is stopped. */
	readonly signal: AbortSignal;
	/** How a person may be asked to sign in. */
	readonly interactivity: () => Interactivity;
}

export class ServerRun extends Owner {
	readonly client: Client;
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** What the server offers, or knows of us, has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly _onDidOverload = this.own(new Emitter<void>());
	/** The server keeps the processor busy with messages. Fires at most once. */
	readonly onDidOverload: Event<void> = this._onDidOverload.event;

	private readonly rate = new MessageRate(() => {
		this.log.warn('The server sends so many messages that the editor may become slow.');
		this._onDidOverload.fire();
	});
	private readonly offered = this.own(new MutableDisposable<Catalog>());
	private readonly following = this.own(new MutableDisposable<Disposable>());
	private readonly attached = this.own(new MutableDisposable<Disposable>());
	private readonly stderr: StderrTail;
	private readonly firstNoise: string[] = [];
	private ended: TransportEnd | undefined;
	/** What it was told of, or would be told. */
	private roots: readonly Root[];
	private askedForRoots = false;
	private transport: Transport | undefined;
	private shownIcon: ServerIcon | undefined;

	private readonly definition: ServerDefinition;
	private readonly log: ServerLog;

	/** @param server that is run; requests of the run carry it */
	constructor(
		server: Pick<Server, 'definition' | 'log' | 'redactor'>,
		private readonly launch: ResolvedServer['launch'],
		private readonly deps: ServerDeps,
		private readonly options: RunOptions,
	) {
		super();
		const { definition, log } = server;
		this.definition = definition;
		this.log = log;
		const limits = deps.limits();
		const { requestTimeoutMs, era } = deps.options(definition);
		this.roots = deps.roots.list(definition);
		this.stderr = this.own(new StderrTail(log, limits));
		this.client = this.own(
			new Client({
				clientInfo: deps.clientInfo,
				log,
				// Who stands at a breakpoint answers nobody, and is not gone.
				timeoutMs: this.debugging ? 0 : (requestTimeoutMs ?? deps.timeoutMs()),
				pingMs: this.debugging ? 0 : deps.pingMs(),
				limits,
				withoutSecrets: text => log.redactor.text(text),
				memory: options.memory,
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
				...this.ways(),
			}),
		);
		this.own(this.client.onDidCompleteElicitation(id => deps.elicitations?.complete(definition, id)));
		this.own(this.client.onDidEndCalls(() => deps.elicitations?.didEndCalls(definition)));
		this.own(log.tap(this.client.onDidTransfer));
		this.own(this.client.onDidLog(message => log.message(message)));
		this.own(
			this.client.onDidReceiveNoise(({ text, count }) => {
				const times = count === undefined ? '' : ` (${count} times by now)`;
				log.warn(`Not a protocol message${times}: ${text}`);
				if (count === undefined && this.firstNoise.length < keptNoise) {
					// These are shown outside the log as well.
					this.firstNoise.push(log.redactor.text(text));
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

	/** What the server offers, once it runs. */
	get catalog(): Catalog | undefined {
		return this.offered.value;
	}

	/** Its own picture, once it is there and checked. */
	get icon(): ServerIcon | undefined {
		return this.shownIcon;
	}

	/** The process of the server, where it is one of ours. */
	get pid(): number | undefined {
		return this.transport?.pid;
	}

	/** Whether the server cares which folders there are. */
	get hasAskedForRoots(): boolean {
		return this.askedForRoots;
	}

	/** The debugger it is run under. */
	get debugging(): Debugging | undefined {
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

	/** Keeps a subscription as long as the run. */
	hold(subscription: Disposable): void {
		this.own(subscription);
	}

	/** What it said beside messages. */
	get lastWords(): LastWords {
		const { lines } = this.stderr;
		return this.firstNoise.length > 0 ? { stderr: lines, noise: this.firstNoise } : { stderr: lines };
	}

	/** The last line that the process wrote, other than messages; without secrets. */
	get lastLine(): string | undefined {
		return [...this.firstNoise, ...this.stderr.lines].findLast(it => it.trim() !== '');
	}

	/** Opens the way to the server, agrees on a session and loads what it offers. @throws as Client.connect */
	async connect(): Promise<Session> {
		const { signal } = this.options;
		const session = await this.client.connect(signal);
		throwIfAborted(signal);
		if (this.ended) {
			throw new McpError({ code: 'closed' });
		}
		this.logSession('Running', session);
		this.publish();
		return session;
	}

	private logSession(what: string, { serverInfo, protocolVersion }: Session): void {
		this.log.info(`${what}: ${serverInfo.name} ${serverInfo.version}, protocol revision ${protocolVersion}.`);
	}

	/** Loads what the server offers, and keeps it informed. */
	private publish(): void {
		const { client, deps, log } = this;
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
		void this.loadIcon();
	}

	private async loadIcon(): Promise<void> {
		const { icons = [] } = this.client.session.serverInfo;
		const url = this.launch.kind === 'stdio' ? undefined : this.launch.url;
		const { signal } = this.options;
		this.shownIcon = await this.deps.icons.load(icons, url, this.log, signal);
		if (this.shownIcon && !signal.aborted) {
			this._onDidChange.fire();
		}
	}

	private async answerRoots(): Promise<readonly Root[]> {
		await this.deps.roots.refresh();
		this.roots = this.deps.roots.list(this.definition);
		if (!this.askedForRoots) {
			this.askedForRoots = true;
			this._onDidChange.fire();
		}
		return this.roots;
	}

	/** Of what changes nothing for this server it is not told. */
	private didChangeRoots(): void {
		const roots = this.deps.roots.list(this.definition);
		if (!sameRoots(roots, this.roots)) {
			this.roots = roots;
			this.tell('roots', this.client.notifyRootsChanged());
		}
	}

	/** A catalog lives as long as a session: nothing shown is of an earlier one. */
	private list(): void {
		const catalog = new Catalog(this.client, this.log);
		this.offered.value = catalog;
		this.following.value = catalog.onDidChange(() => this._onDidChange.fire());
		this.tell('lists', catalog.loadAll());
	}

	/** Why it did not start. A server that exits during the handshake closes the connection: the exit says more. */
	failureOf(error: unknown): ServerFailure {
		if (this.ended && error instanceof McpError && error.failure.code === 'closed') {
			return { kind: 'exited', exitCode: this.ended.exitCode, signal: this.ended.signal };
		}
		return toFailure(error);
	}

	/** How to reach the server, by what its definition says. */
	private ways(): Pick<ClientOptions, 'open' | 'openLegacySse' | 'mode' | 'onDidChangeIdentity'> {
		const { definition, launch, deps, log, stderr } = this;
		const { interactivity } = this.options;
		const limits = deps.limits();
		if (launch.kind !== 'stdio') {
			const { streamable, legacySse, onDidChangeIdentity } = deps.http(launch, limits, log, {
				definition,
				interactivity,
			});
			// `"type": "sse"` names the transport of 2024-11-05, and with it the era.
			const openLegacySse = (): Transport => this.measure(legacySse());
			return launch.kind === 'sse'
				? { open: openLegacySse, mode: 'legacy', onDidChangeIdentity }
				: { open: () => this.measure(streamable()), openLegacySse, onDidChangeIdentity };
		}
		return {
			open: () => {
				stderr.clear();
				this.firstNoise.length = 0;
				this.attached.value = this.debugging?.attach();
				this.transport = deps.stdio(launch, limits, line => {
					this.rate.add(line.length);
					stderr.add(line);
				});
				return this.measure(this.transport);
			},
		};
	}

	private measure(transport: Transport): Transport {
		this.own(transport.onDidReceive(({ text }) => this.rate.add(text.length)));
		return transport;
	}

	/** What the server need not know for us to go on: a failure is a line in its log. */
	private tell(what: string, sent: Promise<void>): void {
		sent.catch((error: unknown) => this.log.debug(`${what}: ${String(error)}`));
	}
}
