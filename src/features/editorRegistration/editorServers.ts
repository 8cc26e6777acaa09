/** Our servers as the editor's own MCP host has them: what it is given of each, and what it may start. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { abortOn } from '../../editor/cancellation.js';
import { EditorHost } from '../../editor/contributions.js';
import { type EditorServer, httpForEditor, registerWithEditor, stdioForEditor } from '../../editor/newerApi.js';
import { oneLine } from '../../editor/ui/plainText.js';
import type { Consents } from '../../core/launch/consents.js';
import type { Environment } from '../../core/launch/environment.js';
import type { LaunchSnapshot } from '../../core/launch/launchSnapshot.js';
import type { ResolvedProcess, ResolvedServer, ResolveRequest } from '../../core/launch/resolvedServer.js';
import type { Server } from '../../core/servers/server.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Trust } from '../../core/servers/serverPorts.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface EditorHostDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly trust: Trust;
	readonly environment: Environment;
	/** Asks for what is missing, and fills in the variables. */
	readonly resolve: (
		definition: ServerDefinition,
		request: ResolveRequest,
		snapshot: LaunchSnapshot,
	) => Promise<ResolvedServer>;
}

/** What the editor's host is given, as long as it is registered. */
export class EditorHostServers extends Owner {
	private readonly changed = this.own(new vscode.EventEmitter<void>());
	/** What each of those that the editor has been given stands for. */
	private readonly given = new WeakMap<EditorServer, string>();

	constructor(private readonly deps: EditorHostDeps) {
		super();
		const fire = (): void => this.changed.fire();
		this.own(
			deps.registry.onDidChange(server => {
				if (!server) {
					fire();
				}
			}),
		);
		this.own(deps.consents.onDidAnswer(fire));
		this.own(deps.trust.onDidGrant(fire));
		const registration = registerWithEditor(EditorHost.provider, {
			onDidChangeMcpServerDefinitions: this.changed.event,
			provideMcpServerDefinitions: () => this.provide(),
			resolveMcpServerDefinition: (it, token) => this.resolve(it, token),
		});
		if (registration) {
			this.own(registration);
		}
	}

	/** Without environment and headers: these may hold secrets, and the editor keeps what it is given here. */
	private async provide(): Promise<EditorServer[]> {
		const servers = await Promise.all(
			this.deps.registry.servers.map(async it => ((await this.allowed(it)) ? [it] : [])),
		);
		return servers.flat().flatMap(server => {
			const { launch } = server.definition;
			const label = oneLine(this.deps.registry.label(server), 100);
			const given =
				launch.kind === 'stdio'
					? stdioForEditor({ label, command: launch.command, args: launch.args, env: {}, cwd: undefined })
					: httpForEditor({ label, url: launch.url, headers: {} });
			if (given) {
				this.given.set(given, server.definition.id);
			}
			return given ? [given] : [];
		});
	}

	/** When the editor starts it; the person is there. @returns nothing for what may not be started any more */
	private async resolve(given: EditorServer, token: vscode.CancellationToken): Promise<EditorServer | undefined> {
		const { registry, resolve } = this.deps;
		// It may be a copy, of an earlier session.
		const id = this.given.get(given);
		const server = registry.servers.find(it =>
			id === undefined ? oneLine(registry.label(it), 100) === given.label : it.definition.id === id,
		);
		const snapshot = server && (await this.allowed(server));
		if (!snapshot) {
			return undefined;
		}
		const controller = new AbortController();
		const cancellation = abortOn(token, controller);
		try {
			const request = { signal: controller.signal, mayAsk: true, onAsk: () => undefined };
			const { launch } = await resolve(server.definition, request, snapshot);
			const { label } = given;
			return launch.kind === 'stdio'
				? stdioForEditor({ ...launch, command: programOf(launch), label, env: this.ownEnv(launch.env) })
				: httpForEditor({ ...launch, label });
		} finally {
			cancellation.dispose();
		}
	}

	/** What a server has that every process of this machine has not, and `null` for what it must not have. */
	private ownEnv(env: Readonly<Record<string, string>>): Record<string, string | null> {
		const inherited = this.deps.environment.inherited();
		const gone = Object.keys(inherited).filter(it => env[it] === undefined);
		return Object.fromEntries([
			...Object.entries(env).filter(([name, value]) => inherited[name] !== value),
			...gone.map(it => [it, null] as const),
		]);
	}

	/** What may be run of it; `undefined` if it may not be. */
	private async allowed({ definition }: Server): Promise<LaunchSnapshot | undefined> {
		const { consents, trust } = this.deps;
		return trust.isTrusted() && definition.isDisabled !== true && !isReadByEditor(definition.source)
			? consents.allowed(definition)
			: undefined;
	}
}

/** The file that was shown; a program that is missing keeps its name, so that the editor says so. */
function programOf({ command, program }: ResolvedProcess): string {
	return program.kind === 'found' ? program.path : command;
}

/** The editor's host has these already. */
function isReadByEditor({ kind }: ConfigSource): boolean {
	return kind === 'vscodeFolder' || kind === 'workspaceFile';
}
