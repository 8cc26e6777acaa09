/** Creates the registry of servers and connects it to logs, settings, debuggers and the platform's transports. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Consents } from '../../core/launch/consents.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { ServerDeps } from '../../core/servers/serverPorts.js';
import { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { defaultLimits, LegacySse, StreamableHttp } from '../../mcp/index.js';
import type { Platform } from '../platform.js';
import { Debugging } from './debugging.js';
import { type ResolveDeps, resolveServer } from './launchSnapshots.js';
import { ServerLogs } from './log.js';
import { serverOptions } from './serverOptions.js';
import { workspaceTrust } from './workspace.js';

type Shared = 'clientInfo' | 'roots' | 'questions' | 'elicitations' | 'samplings' | 'messages';

export interface RegistryDeps extends Pick<ServerDeps, Shared> {
	readonly accounts: Accounts;
	readonly platform: Platform;
	readonly consents: Consents;
	readonly launching: ResolveDeps;
}

/** The result owns the registry and the debuggers of its servers. */
export function createRegistry({ platform, consents, launching, ...shared }: RegistryDeps): Disposable & {
	readonly registry: ServerRegistry;
	readonly debugging: Debugging;
} {
	const owned = new DisposableStore();
	const debugging = owned.add(new Debugging(platform.ports, it => registry.labelOf(it)));
	const logs = owned.add(new ServerLogs());
	const registry: ServerRegistry = owned.add(
		new ServerRegistry({
			...shared,
			trust: workspaceTrust,
			options: serverOptions,
			onDidWake: platform.onDidWake,
			createLog: definition => logs.open(definition),
			limits: it => ({ ...defaultLimits, messageBytes: serverOptions(it).messageBytes }),
			consent: (definition, request) => consents.ensure(definition, request),
			resolve: async (definition, request, snapshot) =>
				debugging.prepare(
					definition,
					await resolveServer(definition, request, snapshot, launching, it => consents.ensure(definition, request, it)),
				),
			stdio: (launch, { messageBytes: maxMessageBytes }, onStderr) =>
				platform.stdio(launch, { maxMessageBytes, onStderr }),
			http: ({ url, headers }, { messageBytes: maxMessageBytes }, log, identity) => {
				// A configured Authorization header replaces our own authorization.
				const isOurs = URL.canParse(url) && !Object.keys(headers).some(it => it.toLowerCase() === 'authorization');
				const auth = isOurs ? shared.accounts.open({ ...identity, url: new URL(url).href, log }).authorizer : undefined;
				const options = { url, headers, auth, fetch: platform.fetch, log, maxMessageBytes };
				return {
					streamable: () => new StreamableHttp(options),
					legacySse: () => new LegacySse(options),
					onDidChangeIdentity: auth?.onDidChangeIdentity,
				};
			},
		}),
	);
	return { registry, debugging, dispose: () => owned.dispose() };
}
