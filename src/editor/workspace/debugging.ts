/** Runs servers under the editor's debuggers: `dev.debug` of their definitions. What is run is `core/config/devMode.ts`. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { debuggerType, type DebugPlan, isDebuggable, planDebugging } from '../../core/config/devMode.js';
import type { ResolvedProcess, ResolvedServer } from '../../core/launch/resolvedServer.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { notificationText } from '../ui/plainText.js';

/** What only the machine knows. */
export interface Ports {
	free(): Promise<number>;
	/** Whether somebody listens on the port within so many milliseconds. */
	untilListening(port: number, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** How long an interpreter may take to load its debugger. */
const listenMs = 30_000;

export class Debugging extends Owner {
	private readonly _onDidFail = this.own(new Emitter<ServerDefinition>());
	/** The debugger did not come: the server waits for it, and its next start is without. */
	readonly onDidFail: Event<ServerDefinition> = this._onDidFail.event;

	/** Ids of definitions whose next start is without a debugger. */
	private readonly failed = new Set<string>();
	/** What was said once is not said at every restart. */
	private readonly told = new Set<string>();

	constructor(private readonly ports: Ports) {
		super();
	}

	/** The same server, under the debugger where its definition says so and the editor has one. */
	async prepare(definition: ServerDefinition, server: ResolvedServer): Promise<ResolvedServer> {
		const { launch } = server;
		if (launch.kind !== 'stdio' || !launch.debug) {
			return server;
		}
		const { debug } = launch;
		const type = debuggerType(debug);
		if (this.failed.delete(definition.id)) {
			return without(server, launch, 'the debugger could not be attached.');
		}
		const name = notificationText(definition.name);
		if (!isDebuggable(debug.type, launch.command)) {
			const what = debug.type === 'node' ? 'node' : 'python';
			const message = vscode.l10n.t(
				'{0} runs without the debugger: its command is "{1}", and only "{2}" can be debugged.',
				name,
				notificationText(launch.command),
				what,
			);
			this.tell(definition, message);
			return without(server, launch, `its command is not ${what}.`);
		}
		if (!hasDebugger(type)) {
			const message = vscode.l10n.t(
				'{0} runs without the debugger: this editor has none of type "{1}". Install an extension that has.',
				name,
				type,
			);
			this.tell(definition, message);
			return without(server, launch, `this editor has no debugger of type ${type}.`);
		}
		const port = await this.ports.free();
		const debugpyModule = debug.type === 'debugpy' ? await findDebugpy() : undefined;
		const plan = planDebugging(launch, debug, { name: `MCP: ${definition.name}`, port, debugpyModule });
		const { command, args } = plan;
		const isOwn = command !== launch.command;
		const program = isOwn ? (launch.debugProgram ?? { kind: 'unresolved' as const }) : launch.program;
		const attach = (): Disposable => this.attach(definition, plan, port);
		return { ...server, launch: { ...launch, command, args, program, debugging: { port, attach } } };
	}

	private attach(definition: ServerDefinition, plan: DebugPlan, port: number): Disposable {
		const over = new AbortController();
		let session: vscode.DebugSession | undefined;
		const following = vscode.debug.onDidStartDebugSession(it => {
			if (
				it.name === plan.configuration.name &&
				!it.parentSession &&
				it.configuration['port'] === plan.configuration['port']
			) {
				session = it;
			}
		});
		void this.start(definition, plan, port, over.signal);
		return toDisposable(() => {
			over.abort();
			following.dispose();
			if (session) {
				void vscode.debug.stopDebugging(session);
			}
		});
	}

	private async start(definition: ServerDefinition, plan: DebugPlan, port: number, signal: AbortSignal): Promise<void> {
		let why: string | undefined;
		try {
			if (!plan.waitsItself && !(await this.ports.untilListening(port, listenMs, signal))) {
				why = vscode.l10n.t('it does not listen for one');
			} else if (signal.aborted) {
				return;
			} else if (await vscode.debug.startDebugging(folderOf(definition), plan.configuration, options)) {
				return;
			}
		} catch (error) {
			why = toMessage(error);
		}
		if (!signal.aborted && !this.owned.isDisposed) {
			const name = notificationText(definition.name);
			const message =
				why === undefined
					? vscode.l10n.t('The debugger could not be attached to {0}, which is started without.', name)
					: vscode.l10n.t(
							'The debugger could not be attached to {0}, which is started without: {1}.',
							name,
							notificationText(why),
						);
			this.tell(definition, message);
			this.failed.add(definition.id);
			this._onDidFail.fire(definition);
		}
	}

	private tell({ id }: ServerDefinition, message: string): void {
		const key = `${id} ${message}`;
		if (!this.told.has(key)) {
			this.told.add(key);
			void vscode.window.showWarningMessage(message);
		}
	}
}

/** The person did not ask for a debug session: it begins in the background, and saves nothing. */
const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true, suppressDebugView: true };

function without(server: ResolvedServer, launch: ResolvedProcess, notDebugged: string): ResolvedServer {
	return { ...server, launch: { ...launch, notDebugged } };
}

/** Asked of what extensions contribute: starting a debugger that is not there shows a dialog. */
function hasDebugger(type: string): boolean {
	return vscode.extensions.all.some(it => {
		const { contributes } = it.packageJSON as { contributes?: { debuggers?: readonly { type?: unknown }[] } };
		return contributes?.debuggers?.some(known => known.type === type) === true;
	});
}

/** The Python extension's own copy, so that the server's environment needs none. */
async function findDebugpy(): Promise<string | undefined> {
	try {
		const path: unknown = await vscode.commands.executeCommand('python.getDebugpyPackagePath');
		return typeof path === 'string' ? path : undefined;
	} catch {
		return undefined;
	}
}

function folderOf({ source }: ServerDefinition): vscode.WorkspaceFolder | undefined {
	return source.folderUri === undefined
		? undefined
		: vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(source.folderUri));
}
