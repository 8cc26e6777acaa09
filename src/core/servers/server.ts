/**
 * One configured server as everything else sees it: its state, its session while it runs, and the only two ways to
 * change either, `start` and `stop`, in the order in which they were called. What happens in between is `serverLife.ts`.
 */
import { type Event, Owner } from '../../base/lifecycle.js';
import type { Client } from '../../mcp/index.js';
import type { Catalog } from './catalog.js';
import type { ServerIcon } from './iconLoader.js';
import type { Redactor } from '../text/redactor.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerOptions } from '../config/serverOptions.js';
import { ServerLife } from './serverLife.js';
import type { ServerDeps, ServerLog } from './serverPorts.js';
import { canStart, NotRunningError, type ServerState } from './serverState.js';

export class Server extends Owner {
	/** State or catalog changed. */
	readonly onDidChange: Event<void>;

	/** The server keeps the processor busy with messages. Fires at most once in each run. */
	readonly onDidOverload: Event<void>;

	/** Whether changes of its files restart it at present; said by who watches them. */
	isWatched = false;

	private readonly life: ServerLife;
	/** Calls of `stop`: one that comes while `start` still waits takes it back. */
	private stops = 0;
	/** Starts that a person waits for. */
	private awaited = 0;

	/** @param predecessor resolves when nothing is left of the server that had this id before */
	constructor(
		definition: ServerDefinition,
		private readonly deps: ServerDeps,
		predecessor?: Promise<void>,
	) {
		super();
		this.life = this.own(new ServerLife(definition, deps, predecessor));
		this.onDidChange = this.life.onDidChange;
		this.onDidOverload = this.life.onDidOverload;
	}

	get definition(): ServerDefinition {
		return this.life.definition;
	}

	/** The same definition, at another place of its file. */
	redefine(definition: ServerDefinition): void {
		this.life.definition = definition;
	}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.life.state;
	}

	/** The session's client, while the server runs. */
	get client(): Client | undefined {
		return this.state.kind === 'running' ? this.life.run?.client : undefined;
	}

	/** What the person has set for it. */
	get options(): ServerOptions {
		return this.deps.options(this.definition);
	}

	/** What it offers, while it runs. */
	get catalog(): Catalog | undefined {
		return this.life.run?.catalog;
	}

	/** Whether a start is under way; it may wait for the person. */
	get isStarting(): boolean {
		return this.life.starting !== undefined;
	}

	/** Whether a person waits for it to start. */
	get isAwaited(): boolean {
		return this.awaited > 0;
	}

	/** The last line that the process wrote, other than messages; without secrets. */
	get lastLine(): string | undefined {
		const { stderr = [], noise = [] } = this.life.run?.lastWords ?? {};
		return [...noise, ...stderr].findLast(it => it.trim() !== '');
	}

	/** Its own picture of itself, while it runs. */
	get icon(): ServerIcon | undefined {
		return this.state.kind === 'running' ? this.life.run?.icon : undefined;
	}

	/** Whether it cares which folders there are; in this run. */
	get hasAskedForRoots(): boolean {
		return this.life.run?.hasAskedForRoots ?? false;
	}

	/** The process it is, while it runs as one of ours. */
	get pid(): number | undefined {
		return this.state.kind === 'running' ? this.life.run?.pid : undefined;
	}

	/** Where its debugger listens, while it is started or runs under one. */
	get debugPort(): number | undefined {
		return this.life.run?.debugging?.port;
	}

	/** Made on first use: a server that never runs has no log channel. */
	get log(): ServerLog {
		return this.life.log;
	}

	/** Knows its secrets, once it has had any. */
	get redactor(): Redactor | undefined {
		return this.life.redactor;
	}

	/**
	 * Starts it if it is not running, at once where it waits to be started again; resolves when it runs or the
	 * state says why not. Never throws.
	 * @param mayAsk whether a person is there to be asked for what is missing
	 * @param isByPerson whether they start it just now: sheets open by themselves for nobody else
	 * @param isAwaited whether they wait for it, and see its progress
	 */
	async start(mayAsk = true, isByPerson = mayAsk, isAwaited = isByPerson): Promise<ServerState> {
		const count = isAwaited ? 1 : 0;
		this.awaited += count;
		try {
			return await this.begin(mayAsk, isByPerson);
		} finally {
			this.awaited -= count;
		}
	}

	private async begin(mayAsk: boolean, isByPerson: boolean): Promise<ServerState> {
		const { stops, life } = this;
		if (life.run && life.state.kind === 'reconnecting') {
			// Not patient any more: from the beginning.
			life.shutDownRun(life.run);
		}
		await life.stopping;
		if (stops === this.stops && !life.starting && canStart(life.state) && !this.owned.isDisposed) {
			life.begin({ isAgain: false, mayAsk, isByPerson });
		}
		await life.starting;
		// Stopped in the middle of it: what `stop` says comes after.
		await life.stopping;
		return life.state;
	}

	/**
	 * The client of the running server, which is started if it does not run.
	 * @param isByPerson whether the person wants something of it just now
	 * @throws NotRunningError with the state that says why it does not
	 */
	async use(isByPerson = false): Promise<Client> {
		const state = await this.start(true, isByPerson);
		const { client } = this;
		if (!client) {
			throw new NotRunningError(state);
		}
		return client;
	}

	/** Stops it; resolves when nothing of it is left. */
	async stop(): Promise<void> {
		this.stops++;
		await this.life.end();
	}

	/**
	 * Stops it and starts it again, unless somebody stops it meanwhile: that is the last word.
	 * @param isAwaited whether a person has asked for it
	 */
	async restart(isAwaited = true): Promise<ServerState> {
		const stopped = this.stop();
		const { stops } = this;
		await stopped;
		return stops === this.stops ? this.start(true, true, isAwaited) : this.state;
	}
}
