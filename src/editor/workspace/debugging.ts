/** Runs servers with `dev.debug` in their definition under the editor's debuggers, as `core/config/devMode.ts` plans. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { debuggerType, type DebugPlan, isDebuggable, planDebugging } from '../../core/config/devMode.js';
import type { ResolvedProcess, ResolvedServer } from '../../core/launch/resolvedServer.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { notificationText } from '../ui/plainText.js';

/** The port to the TCP ports of this machine. */
export interface Ports {
	free(): Promise<number>;
	/** Resolves with true once a process listens on the port, and with false after `ms` milliseconds. */
	untilListening(port: number, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** Milliseconds in which an interpreter must load its debugger. */
const listenMs = 30_000;

export class Debugging extends Owner {
	private readonly _onDidFail = this.own(new Emitter<ServerDefinition>());
	/** The debugger couldn't be attached. The server waits for it and must be restarted, then without a debugger. */
	readonly onDidFail: Event<ServerDefinition> = this._onDidFail.event;

	/** Ids of definitions whose next start is without a debugger. */
	private readonly failed = new Set<string>();
	/** Messages that aren't repeated at the next restart. */
	private readonly told = new Set<string>();

	/** @param label the label of a server */
	constructor(
		private readonly ports: Ports,
		private readonly label: (definition: ServerDefinition) => string,
	) {
		super();
	}

	/** Prepares the server for its debugger, if its definition has one and the editor supports it. */
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
		const label = this.label(definition);
		if (!isDebuggable(debug.type, launch.command)) {
			// The Problems view reports this too, unless the command has variables.
			return without(server, launch, `its command is not ${debug.type === 'node' ? 'node' : 'python'}.`);
		}
		if (!hasDebugger(type)) {
			this.tell(
				definition,
				vscode.l10n.t(
					'{0} runs without a debugger. Install an extension that provides the debugger type "{1}".',
					label,
					type,
				),
			);
			return without(server, launch, `this editor has no debugger of type ${type}.`);
		}
		const port = await this.ports.free();
		const debugpyModule = debug.type === 'debugpy' ? await findDebugpy() : undefined;
		const plan = planDebugging(launch.args, debug, { name: `MCP: ${label}`, port, debugpyModule });
		const attach = (): Disposable => this.attach(definition, plan, port);
		return { ...server, launch: { ...launch, args: plan.args, debugging: { port, attach } } };
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
		let why = vscode.l10n.t("The editor didn't start the debugger");
		try {
			if (!plan.waitsItself && !(await this.ports.untilListening(port, listenMs, signal))) {
				why = vscode.l10n.t("The server doesn't listen for a debugger");
			} else if (signal.aborted) {
				return;
			} else if (await vscode.debug.startDebugging(folderOf(definition), plan.configuration, options)) {
				return;
			}
		} catch (error) {
			why = toMessage(error);
		}
		if (!signal.aborted && !this.owned.isDisposed) {
			const message = vscode.l10n.t(
				"The debugger couldn't be attached to {0}: {1}. The server starts without it.",
				this.label(definition),
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

/** The session starts in the background and saves no files, because the person didn't start it. */
const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true, suppressDebugView: true };

function without(server: ResolvedServer, launch: ResolvedProcess, notDebugged: string): ResolvedServer {
	return { ...server, launch: { ...launch, notDebugged } };
}

/** Checks the contributions of extensions, because starting an unknown debugger shows a dialog. */
function hasDebugger(type: string): boolean {
	return vscode.extensions.all.some(it => {
		const { contributes } = it.packageJSON as { contributes?: { debuggers?: readonly { type?: unknown }[] } };
		return contributes?.debuggers?.some(known => known.type === type) === true;
	});
}

/** The debugpy of the Python extension, so that the server's environment doesn't need one. */
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
