// Everything a Server needs, played by a test.
import { Emitter, type Event, Owner, type Disposable } from '../../src/base/lifecycle.js';
import {
	defaultLimits,
	type Limits,
	type LoggingLevel,
	type LogMessage,
	type Root,
	type Transport,
	type WireEvent,
} from '../../src/mcp/index.js';
import type { AskingServer } from '../../src/core/requests/questions.js';
import type { Server } from '../../src/core/servers/server.js';
import { emptySnapshot, type LaunchSnapshot } from '../../src/core/launch/launchSnapshot.js';
import { Redactor } from '../../src/core/text/redactor.js';
import type {
	ResolvedEndpoint,
	ResolvedProcess,
	ResolvedServer,
	ResolveRequest,
} from '../../src/core/launch/resolvedServer.js';
import type { ServerLog } from '../../src/core/servers/serverLog.js';
import type { HttpRun, HttpTransports, ServerDeps } from '../../src/core/servers/serverPorts.js';
import type { LaunchDefinition, ServerDefinition, StdioDefinition } from '../../src/core/config/serverDefinition.js';
import { readServerOptions, readToolOptions } from '../../src/core/config/serverOptions.js';
import type { Cleanup } from './leakCheck.js';
import { MemoryTransport, type MemoryServer } from './memoryTransport.js';
import { SentCheck } from './sentCheck.js';
import { until } from './waiting.js';

/** Remembers what was logged; the level can be changed. */
export class TestLog extends Owner implements ServerLog {
	private readonly _onDidChangeLevel = this.own(new Emitter<LoggingLevel>());
	readonly onDidChangeLevel: Event<LoggingLevel> = this._onDidChangeLevel.event;

	readonly redactor = new Redactor();
	level: LoggingLevel = 'info';
	readonly lines: string[] = [];

	trace(message: string): void {
		this.write('trace', message);
	}

	debug(message: string): void {
		this.write('debug', message);
	}

	info(message: string): void {
		this.write('info', message);
	}

	warn(message: string): void {
		this.write('warn', message);
	}

	error(message: string): void {
		this.write('error', message);
	}

	message({ level, data }: LogMessage): void {
		this.write(`server ${level}`, String(data));
	}

	stderr(line: string): void {
		this.write('stderr', line);
	}

	tap(onDidTransfer: Event<WireEvent>): Disposable {
		// Real transports do not look at what they send.
		return onDidTransfer(new SentCheck().follow);
	}

	show(): void {
		this.write('show', '');
	}

	changeLevel(level: LoggingLevel): void {
		this.level = level;
		this._onDidChangeLevel.fire(level);
	}

	/** The editor's channels throw after their end. */
	private write(kind: string, text: string): void {
		if (this.owned.isDisposed) {
			throw new Error(`Logged after the end: ${text}`);
		}
		this.lines.push(`${kind}: ${text}`);
	}
}

/** The ports of one test. */
export class ModelFixture {
	/** Every transport that was asked for, in order. */
	readonly transports: MemoryTransport[] = [];
	readonly logs: TestLog[] = [];
	roots: Root[] = [{ uri: 'file:///w', name: 'w' }];
	/** Finds out what has changed on the disk. */
	refreshRoots: (() => Promise<void> | void) | undefined;
	trusted = true;
	pingMs = 0;
	limits: Partial<Limits> = {};
	/** The setting `serverOptions`. */
	options: unknown;
	/** The setting `tools` of the person. */
	tools: unknown;
	/** The general time-out in seconds; 0 for none. */
	requestTimeout = 0;
	/** What the next transport's other end is. */
	server: MemoryServer = {};
	/** Makes the transport instead; for real processes, and for failures. */
	open: ((launch: ResolvedProcess, onStderr: (line: string) => void) => Transport) | undefined;

	/** Makes the transports of servers at a URL. */
	http: ((launch: ResolvedEndpoint, serverLabel: HttpRun) => HttpTransports) | undefined;

	/** Fills in the variables of a definition; what is written is taken as it is otherwise. */
	resolve: ((request: ResolveRequest) => Promise<Partial<ResolvedServer>>) | undefined;

	/** Asks for consent; everything is allowed otherwise. */
	consent: ((definition: ServerDefinition, request: ResolveRequest) => Promise<LaunchSnapshot | void>) | undefined;

	/** Whether anyone waits for the machine to wake up. */
	readonly woken: Emitter<void>;
	private readonly rootsChanged: Emitter<void>;
	private readonly trustGranted: Emitter<void>;
	readonly deps: ServerDeps;

	constructor({ own }: Cleanup) {
		this.rootsChanged = own(new Emitter<void>());
		this.trustGranted = own(new Emitter<void>());
		this.woken = own(new Emitter<void>());
		this.deps = {
			clientInfo: { name: 'test', version: '1' },
			roots: {
				list: () => this.roots,
				refresh: async () => this.refreshRoots?.(),
				onDidChange: this.rootsChanged.event,
			},
			trust: { isTrusted: () => this.trusted, onDidGrant: this.trustGranted.event },
			options: ({ name }) => ({
				...readServerOptions(this.options, name, this.requestTimeout),
				...readToolOptions({ user: this.tools, workspace: undefined, folder: undefined }, name),
				pingMs: this.pingMs,
			}),
			onDidWake: this.woken.event,
			createLog: () => {
				const log = new TestLog();
				this.logs.push(log);
				return log;
			},
			http: (launch, _limits, _log, serverLabel) => {
				if (!this.http) {
					throw new Error('This test needs no HTTP.');
				}
				return this.http(launch, serverLabel);
			},
			limits: () => ({ ...defaultLimits, ...this.limits }),
			consent: async (it, request) => (await this.consent?.(it, request)) ?? emptySnapshot,
			resolve: async ({ launch }, request) => {
				const asWritten: ResolvedServer['launch'] =
					launch.kind === 'stdio'
						? { ...launch, cwd: launch.cwd ?? process.cwd(), env: toEnv(launch.env), program: { kind: 'unresolved' } }
						: launch;
				return { launch: asWritten, secrets: [], ...(await this.resolve?.(request)) };
			},
			stdio: (launch, _limits, onStderr) => {
				if (this.open) {
					return this.open(launch, onStderr);
				}
				const transport = new MemoryTransport(this.server);
				this.transports.push(transport);
				return transport;
			},
		};
	}

	/** The latest transport. */
	get transport(): MemoryTransport {
		const transport = this.transports.at(-1);
		if (!transport) {
			throw new Error('No transport was asked for.');
		}
		return transport;
	}

	/** Resolves as soon as a transport was asked for. */
	async opened(): Promise<void> {
		for (let turn = 0; this.transports.length === 0 && turn < 100; turn++) {
			await Promise.resolve();
		}
	}

	get log(): TestLog {
		const log = this.logs.at(-1);
		if (!log) {
			throw new Error('No log was made.');
		}
		return log;
	}

	changeRoots(...roots: Root[]): void {
		this.roots = roots;
		this.rootsChanged.fire();
	}

	grantTrust(): void {
		this.trusted = true;
		this.trustGranted.fire();
	}
}

export function definition(name: string, launch: Partial<StdioDefinition> | LaunchDefinition = {}): ServerDefinition {
	const uri = 'file:///w/.vscode/mcp.json';
	const stdio = { kind: 'stdio', command: name, args: [], cwd: undefined, env: {}, envFile: undefined } as const;
	return {
		id: `${uri}#${name}`,
		name,
		source: { kind: 'vscodeFolder', uri, folderUri: 'file:///w', folderName: 'w' },
		offset: 0,
		launch: launch.kind === 'http' || launch.kind === 'sse' ? launch : { ...stdio, ...launch },
		inputs: [],
	};
}

function toEnv(env: StdioDefinition['env']): Record<string, string> {
	return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));
}

/** The kinds of states that a server goes through from now on. */
export function statesOf(server: Server, { own }: Cleanup): string[] {
	const states: string[] = [server.state.kind];
	own(
		server.onDidChange(() => {
			if (states.at(-1) !== server.state.kind) {
				states.push(server.state.kind);
			}
		}),
	);
	return states;
}

export async function untilState(server: Server, kind: Server['state']['kind']): Promise<void> {
	await until(server.onDidChange, () => server.state.kind === kind);
}

/** A server that asks, and has no secrets. It must not log. */
export function askerOf(of: ServerDefinition): AskingServer {
	return {
		definition: of,
		redactor: undefined,
		get log(): ServerLog {
			throw new Error('Nothing is logged.');
		},
	};
}
