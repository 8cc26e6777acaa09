/** One attempt to run a server, from its launch to its end. */
import { onAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner } from '../../base/lifecycle.js';
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
import type { Presence } from './accounts.js';
import { Catalog } from './catalog.js';
import type { Debugging, ResolvedServer } from '../launch/resolvedServer.js';
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

export class ServerRun extends Owner {
	/** Aborted when nobody wants it to go on. */
	readonly abort = new AbortController();
	readonly client: Client;
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** What the server offers, or knows of us, has changed. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly _onDidOverload = this.own(new Emitter<void>());
	/** The server keeps the processor busy with messages. Fires at most once. */
	readonly onDidOverload: Event<void> = this._onDidOverload.event;

	private readonly rate = new MessageRate(() => this._onDidOverload.fire());
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

	/**
	 * @param server that is run; requests of the run carry it
	 * @param memory what is known of the server's era; kept from run to run
	 * @param presence whether, and how, a person may be asked to sign in
	 */
	constructor(
		server: Pick<Server, 'definition' | 'log' | 'redactor'>,
		private readonly launch: ResolvedServer['launch'],
		private readonly deps: ServerDeps,
		memory: EraMemory,
		private readonly presence: () => Presence,
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
				memory,
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
		this.own(onAbort(this.abort.signal, () => (this.attached.value = undefined)));
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

	/** Opens the way to the server and agrees on a session. @throws as Client.connect */
	async connect(): Promise<Session> {
		const session = await this.client.connect(this.abort.signal);
		if (this.abort.signal.aborted) {
			throw new AbortError();
		}
		if (this.ended) {
			throw new McpError({ code: 'closed' });
		}
		return session;
	}

	/** Loads what the server offers, and keeps it informed. */
	publish(): void {
		const { client, deps, log } = this;
		this.own(deps.roots.onDidChange(() => this.didChangeRoots()));
		this.didChangeRoots();
		this.tell('roots', deps.roots.refresh());
		this.own(log.onDidChangeLevel(level => this.tell('logging level', client.setLoggingLevel(level))));
		this.tell('logging level', client.setLoggingLevel(log.level));
		this.own(client.onDidRenewSession(() => this.list()));
		this.list();
		void this.loadIcon();
	}

	private async loadIcon(): Promise<void> {
		const { icons = [] } = this.client.session.serverInfo;
		const url = this.launch.kind === 'stdio' ? undefined : this.launch.url;
		const { signal } = this.abort;
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
		const { definition, launch, deps, log, stderr, presence } = this;
		const limits = deps.limits();
		if (launch.kind !== 'stdio') {
			const { streamable, legacySse, onDidChangeIdentity } = deps.http(launch, limits, log, { definition, presence });
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
