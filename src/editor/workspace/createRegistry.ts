/** The registry of servers, connected to the editor: logs, settings, icons, debuggers and the transports of the platform. */
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Consents } from '../../core/launch/consents.js';
import type { Accounts } from '../../core/servers/accounts.js';
import { IconLoader } from '../../core/servers/iconLoader.js';
import type { ServerDeps } from '../../core/servers/serverPorts.js';
import { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { LegacySse, StreamableHttp } from '../../mcp/index.js';
import type { Platform } from '../platform.js';
import { IconStore } from '../storage/iconStore.js';
import { limits, pingIntervalMs, requestTimeoutMs } from './config.js';
import type { Debugging } from './debugging.js';
import { type ResolveDeps, resolveServer } from './launchSnapshots.js';
import { ServerLogs } from './log.js';
import { serverOptions } from './serverOptions.js';
import { workspaceTrust } from './workspace.js';

type Shared = 'clientInfo' | 'roots' | 'questions' | 'elicitations' | 'samplings';

export interface RegistryDeps extends Pick<ServerDeps, Shared> {
	readonly accounts: Accounts;
	/** Where icons of servers are kept. */
	readonly storage: vscode.Uri;
	readonly consents: Consents;
	readonly launching: ResolveDeps;
	readonly debugging: Debugging;
}

export function createRegistry(
	platform: Platform,
	{ storage, consents, launching, debugging, ...shared }: RegistryDeps,
): Disposable & { readonly registry: ServerRegistry } {
	const owned = new DisposableStore();
	const logs = owned.add(new ServerLogs());
	const registry = owned.add(
		new ServerRegistry({
			...shared,
			trust: workspaceTrust,
			timeoutMs: requestTimeoutMs,
			options: serverOptions,
			pingMs: pingIntervalMs,
			onDidWake: platform.onDidWake,
			createLog: definition => logs.open(definition),
			limits,
			consent: (definition, request) => consents.ensure(definition, request),
			resolve: async (definition, request, snapshot) =>
				debugging.prepare(definition, await resolveServer(definition, request, snapshot, launching)),
			icons: new IconLoader({ fetch: platform.fetch, save: new IconStore(storage).save }),
			stdio: (launch, { messageBytes: maxMessageBytes }, onStderr) =>
				platform.stdio(launch, { maxMessageBytes, onStderr }),
			http: ({ url, headers }, { messageBytes: maxMessageBytes }, log, whose) => {
				// A person who has set an Authorization header wants nothing else sent.
				const isOurs = URL.canParse(url) && !Object.keys(headers).some(it => it.toLowerCase() === 'authorization');
				const auth = isOurs ? shared.accounts.open({ ...whose, url: new URL(url).href, log }).authorizer : undefined;
				const options = { url, headers, auth, fetch: platform.fetch, log, maxMessageBytes };
				return {
					streamable: () => new StreamableHttp(options),
					legacySse: () => new LegacySse(options),
					onDidChangeIdentity: auth?.onDidChangeIdentity,
				};
			},
		}),
	);
	return { registry, dispose: () => owned.dispose() };
}
