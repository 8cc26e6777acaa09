/** Servers: what is configured becomes the registry's set, and the commands that act on one server. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart, canStop, type ServerState } from '../../core/servers/serverState.js';
import { chooseServer, type StateFilter } from '../../editor/ui/chooseServer.js';
import { didUseButton, guarded, ManagedContextKey, registerCommand } from '../../editor/commands.js';
import { type CommandId, Commands, ContextKeys } from '../../editor/contributions.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { FolderPresence } from '../../editor/workspace/folderPresence.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Platform } from '../../editor/platform.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { registerAdding } from './adding.js';
import { registerBrowsing } from './browsing.js';
import { registerConfigFixes } from './configFixes.js';
import { registerConfigLenses } from './configLenses.js';
import { registerDemo } from './demo.js';
import { Doctor, type DoctorDeps } from './doctor.js';
import { openConfiguration } from './openConfiguration.js';
import { removeServer } from './removeServer.js';
import { StartProgress } from './startProgress.js';
import { registerStatusBar } from './statusBar.js';
import { WorkspaceConfig } from './workspaceConfig.js';

export interface ServersFeature extends Disposable {
	/** Resolves when the workspace's configuration has been read once. Never rejects. */
	readonly ready: Promise<void>;
}

export interface ServersDeps extends Omit<DoctorDeps, 'environment' | 'machine' | 'start'> {
	readonly view: ServersView;
	readonly pending: PendingRequests;
	readonly accounts: Accounts;
	readonly folders: FolderPresence;
	readonly store: InputStore;
	readonly tree: ServersTree;
	readonly platform: Pick<Platform, 'clientFiles' | 'demo' | 'environment' | 'log' | 'machine'>;
}

export function registerServers(deps: ServersDeps): ServersFeature {
	const { registry, tree, view, pending, consents, store } = deps;
	const { clientFiles, demo, log } = deps.platform;
	const start = (server: Server): Promise<void> => startOrReview(pending, server);
	const doctor = lazy(() => new Doctor({ ...deps, ...deps.platform, start }));
	const owned = new DisposableStore();
	const hasServers = new ManagedContextKey(ContextKeys.hasServers);
	const hasNoServers = new ManagedContextKey(ContextKeys.hasNoServers);
	const hasWeb = new ManagedContextKey(ContextKeys.hasWebServers);
	const hasRunning = new ManagedContextKey(ContextKeys.hasRunningServers);
	const hasFailed = new ManagedContextKey(ContextKeys.hasFailedServers);
	owned.add(
		registry.onDidChange(() => {
			hasServers.value = registry.servers.length > 0;
			hasWeb.value = registry.servers.some(it => it.definition.launch.kind !== 'stdio');
			hasRunning.value = registry.servers.some(it => it.state.kind === 'running');
			hasFailed.value = registry.servers.some(it => it.state.kind === 'failed');
		}),
	);

	const config = owned.add(new WorkspaceConfig(demo, deps.folders, log));
	owned.add(
		config.onDidChange(definitions => {
			registry.update(definitions);
			hasNoServers.value = definitions.length === 0;
		}),
	);
	owned.add(registerDemo(registry, view, demo));
	owned.add(registerConfigFixes());
	owned.add(registerConfigLenses(registry, config));

	const { t } = vscode.l10n;
	const onServer = (id: CommandId, title: string, accept: StateFilter, run: ServerAction): void => {
		owned.add(
			registerCommand(id, async argument => {
				const server = await chooseServer(registry, argument, accept, { title });
				return server && run(server);
			}),
		);
	};
	owned.add(registry.withServers(() => new StartProgress(deps)));
	owned.add(registry.onDidInterrupt(server => void tellInterrupted(registry, server, start)));
	owned.add(registry.onDidOverload(server => void guarded(() => tellOverload(registry, server))));
	onServer(Commands.startServer, t('Start Server'), canStart, start);
	onServer(Commands.stopServer, t('Stop Server'), canStop, server => server.stop());
	onServer(Commands.restartServer, t('Restart Server'), canStop, async server =>
		explainFailure(server, await server.restart()),
	);
	onServer(
		Commands.showServerLog,
		t('Show Server Log'),
		() => true,
		async server => server.log.show(),
	);
	onServer(
		Commands.explainServer,
		t('Diagnose Server'),
		state => state.kind === 'failed',
		server => doctor().explain(server),
	);
	owned.add(
		registerCommand(Commands.removeServer, async argument => {
			const server = await chooseServer(registry, argument, () => true, { title: t('Remove Server') });
			// The palette gives the focus back to the view, where the line was chosen.
			const hasFocus = argument instanceof ServerNode || (server !== undefined && view.mayHaveFocus(server));
			await (server && removeShown({ registry, view, server, hasFocus }));
		}),
	);
	owned.add(registerCommand(Commands.openConfiguration, argument => openConfiguration(placeOf(argument))));
	owned.add(registerCommand(Commands.manageTrust, () => vscode.commands.executeCommand('workbench.trust.manage')));
	const startMarked = (): Promise<void> => startAtActivation(registry);
	owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void settingsOfTrust().then(startMarked)));
	const ready = config.watch().catch((error: unknown) => {
		log.error(`The configuration can't be read: ${toMessage(error)}`);
	});
	void ready.then(startMarked);
	const refresh = (): Promise<void> => config.refresh();
	owned.add(registerAdding({ registry, consents, store, files: clientFiles }));
	owned.add(registerBrowsing({ registry, tree, view, refresh }));
	owned.add(registerStatusBar({ registry, pending }));
	return { ready, dispose: () => owned.dispose() };
}

type ServerAction = (server: Server) => Promise<void>;

/** A start that waits for consent or a sign-in goes on with its sheet. */
async function startOrReview(pending: PendingRequests, server: Server): Promise<void> {
	const asked = pending.of(server.definition).find(it => it.subject.kind === 'consent' || it.subject.kind === 'signIn');
	if (asked && server.isStarting) {
		void guarded(() => pending.review(asked));
		return;
	}
	explainFailure(server, await server.start());
}

interface Removal {
	readonly registry: ServerRegistry;
	readonly view: ServersView;
	readonly server: Server;
	/** Whether the row of the server has the focus: then the next row gets it. */
	readonly hasFocus: boolean;
}

async function removeShown({ registry, view, server, hasFocus }: Removal): Promise<void> {
	const next = view.neighborOf(server);
	const isRemoved = await removeServer(server, registry.label(server));
	if (isRemoved && hasFocus) {
		view.focusInsteadOf(next);
	}
}

function explainFailure(server: Server, state: ServerState): void {
	if (state.kind === 'failed') {
		// Not awaited: whoever starts a server by command need not wait until a message is closed.
		void vscode.commands.executeCommand(Commands.explainServer, new ServerNode(server));
	}
}

/**
 * The editor tells of trust first, and a moment later of the settings that come with it. What it tells arrives in order:
 * when it answers a question that was asked after the first, both are here.
 */
async function settingsOfTrust(): Promise<void> {
	await vscode.commands.getCommands(true);
}

/** Those that are to run from the beginning, all at once. Nobody is asked: what is missing waits on its line. */
async function startAtActivation({ servers, isClosing }: ServerRegistry): Promise<void> {
	if (isClosing) {
		return;
	}
	await Promise.all(servers.filter(it => it.options.start === 'atActivation').map(it => it.start(false)));
}

/** A changed definition is another program: it runs when the person says so. */
async function tellInterrupted(registry: ServerRegistry, server: Server, start: ServerAction): Promise<void> {
	const { t } = vscode.l10n;
	const startAgain = t('Start');
	const name = notificationText(registry.label(server));
	const message = t('{0} was stopped because its configuration has changed.', name);
	if ((await vscode.window.showInformationMessage(message, startAgain)) === startAgain) {
		didUseButton();
		const current = registry.current(server);
		await (current && start(current));
	}
}

/** Names a server that may slow the editor down, and offers to stop it. */
async function tellOverload(registry: ServerRegistry, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const [stop, showLog] = [t('Stop Server'), t('Show Log')];
	const name = notificationText(registry.label(server));
	const message = t('{0} sends so many messages that the editor may become slow.', name);
	const chosen = await vscode.window.showWarningMessage(message, stop, showLog);
	if (chosen === stop) {
		await server.stop();
	} else if (chosen === showLog) {
		server.log.show();
	}
}

/** Of a line of the tree, the place of its definition. */
function placeOf(argument: unknown): unknown {
	if (argument instanceof ServerNode) {
		const { source, offset } = argument.server.definition;
		return { uri: source.uri, offset };
	}
	return argument;
}
