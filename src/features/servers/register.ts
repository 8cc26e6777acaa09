/**
 * The feature `servers`: keeps the registry equal to the configuration, and registers the commands that act on servers and
 * their configuration.
 */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { Interruption, ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart, canStop, type ServerState } from '../../core/servers/serverState.js';
import { chooseServer, type StateFilter } from '../../editor/ui/chooseServer.js';
import { didUseButton, reportErrors, ManagedContextKey, registerCommand } from '../../editor/commands.js';
import { type CommandId, Commands, ContextKeys } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Platform } from '../../editor/platform.js';
import { exactJson } from '../../editor/ui/exactText.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { AddServer } from './addServer.js';
import { registerBrowsing } from './browsing.js';
import { registerConfigFixes } from './configFixes.js';
import { registerConfigLenses } from './configLenses.js';
import { tryDemo } from './demo.js';
import { DemoState } from './demoState.js';
import { Doctor, type DoctorDeps } from './doctor.js';
import { ImportServers } from './importServers.js';
import { moveToRoot } from './moveServers.js';
import { openConfiguration } from './openConfiguration.js';
import { removeServer } from './removeServer.js';
import { StartProgress } from './startProgress.js';
import { showStatus } from './statusBar.js';
import { WorkspaceConfig } from './workspaceConfig.js';

export interface ServersFeature extends Disposable {
	/** Resolves when the configuration has been read once. Never rejects. */
	readonly ready: Promise<void>;
}

export interface ServersDeps extends Omit<DoctorDeps, 'environment' | 'machine' | 'start'> {
	readonly documents: Documents;
	readonly view: ServersView;
	readonly pending: PendingRequests;
	readonly accounts: Accounts;
	readonly inputStore: InputStore;
	readonly userState: EditorState;
	readonly tree: ServersTree;
	readonly platform: Pick<Platform, 'clientFiles' | 'demo' | 'environment' | 'loadServerReader' | 'log' | 'machine'>;
}

export function registerServers(deps: ServersDeps): ServersFeature {
	const { registry, tree, view, pending } = deps;
	const { clientFiles, loadServerReader, log } = deps.platform;
	const start = (server: Server): Promise<void> => startOrReview(pending, server);
	const doctor = new Doctor({ ...deps, ...deps.platform, start });
	const owned = new DisposableStore();
	const hasServers = new ManagedContextKey(ContextKeys.hasServers);
	const hasNoServers = new ManagedContextKey(ContextKeys.hasNoServers);
	const hasRunning = new ManagedContextKey(ContextKeys.hasRunningServers);
	const hasFailed = new ManagedContextKey(ContextKeys.hasFailedServers);
	const hasMovable = new ManagedContextKey(ContextKeys.hasMovableServers);
	owned.add(
		registry.onDidChange(() => {
			hasServers.value = registry.servers.length > 0;
			hasRunning.value = registry.servers.some(it => it.state.kind === 'running');
			hasFailed.value = registry.servers.some(it => it.state.kind === 'failed');
			hasMovable.value = registry.servers.some(it => it.definition.source.kind === 'vscodeFolder');
		}),
	);

	const demo = owned.add(new DemoState(deps.platform.demo, deps.userState));
	const config = owned.add(new WorkspaceConfig(demo, log));
	owned.add(
		config.onDidChange(definitions => {
			registry.update(definitions);
			hasNoServers.value = definitions.length === 0;
		}),
	);
	owned.add(registerCommand(Commands.tryDemo, () => tryDemo(registry, view, demo)));
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
	owned.add(new StartProgress(deps));
	owned.add(registry.onDidInterrupt(it => void reportErrors(() => tellInterrupted(deps, it, start))));
	onServer(Commands.startServer, t('Start Server'), canStart, start);
	onServer(Commands.stopServer, t('Stop Server'), canStop, server => server.stop());
	onServer(Commands.restartServer, t('Restart Server'), canStop, async server =>
		explainFailure(server, await server.restart()),
	);
	onServer(
		Commands.showServerLog,
		t('Show Log'),
		() => true,
		async server => server.log.show(),
	);
	onServer(
		Commands.explainServer,
		t('Diagnose Server'),
		state => state.kind === 'failed',
		server => doctor.explain(server),
	);
	onServer(
		Commands.removeServer,
		t('Remove Server'),
		() => true,
		server => removeServer(server, registry.label(server), demo),
	);
	owned.add(
		registerCommand(Commands.openConfiguration, argument =>
			argument instanceof ServerNode && demo.isDemo(argument.server.definition)
				? void vscode.window.showInformationMessage(t("The demo server is part of this extension and isn't in a file."))
				: openConfiguration(argument),
		),
	);
	owned.add(registerCommand(Commands.moveServers, argument => moveToRoot(argument, deps)));
	const ready = config.watch().catch((error: unknown) => {
		log.error(`The configuration can't be read: ${toMessage(error)}`);
	});
	void ready.then(() => startAtActivation(registry));
	owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void startAfterTrust(registry)));
	// Kept, because it remembers the text of an unfinished wizard.
	const adding = new AddServer(deps, loadServerReader);
	owned.add(registerCommand(Commands.addServer, () => adding.run()));
	owned.add(
		registerCommand(Commands.importServers, () => new ImportServers(deps, clientFiles, loadServerReader).run()),
	);
	owned.add(registerBrowsing(tree, view));
	owned.add(showStatus(registry, pending));
	return { ready, dispose: () => owned.dispose() };
}

type ServerAction = (server: Server) => Promise<void>;

/** Starts a server; if a start already waits for consent or a sign-in, shows the sheet of that request instead. */
async function startOrReview(pending: PendingRequests, server: Server): Promise<void> {
	const asked = pending.of(server.definition).find(it => it.subject.kind === 'consent' || it.subject.kind === 'signIn');
	if (asked && server.isStarting) {
		void reportErrors(() => pending.review(asked));
		return;
	}
	explainFailure(server, await server.start());
}

function explainFailure(server: Server, state: ServerState): void {
	if (state.kind === 'failed') {
		// Not awaited: the command ends with the start, and not only when the person closes the message.
		void vscode.commands.executeCommand(Commands.explainServer, new ServerNode(server));
	}
}

/** The editor sends the settings of a trusted workspace a moment after the trust, but before the answer to a later question. */
async function startAfterTrust(registry: ServerRegistry): Promise<void> {
	await vscode.commands.getCommands(true);
	await startAtActivation(registry);
}

/** Starts all servers that are configured to start at activation. Asks no questions: a missing input makes a server wait. */
async function startAtActivation({ servers, isClosing }: ServerRegistry): Promise<void> {
	if (isClosing) {
		return;
	}
	await Promise.all(servers.filter(it => it.options.start === 'atActivation').map(it => it.start(false)));
}

/**
 * Offers to start a server that was stopped because its definition has changed. It isn't started without a question, because
 * the new definition may run another program. After **Review Change**, the message is shown again.
 */
export async function tellInterrupted(
	{ registry, documents }: Pick<ServersDeps, 'registry' | 'documents'>,
	{ server, before }: Interruption,
	start: ServerAction,
): Promise<void> {
	const { t } = vscode.l10n;
	const [startAgain, review] = [t('Start'), t('Review Change')];
	const serverLabel = registry.label(server);
	const message = t('{0} was stopped because its configuration has changed.', serverLabel);
	const ask = (): Thenable<string | undefined> => vscode.window.showInformationMessage(message, startAgain, review);
	let chosen = await ask();
	while (chosen === review) {
		const { launch } = (registry.current(server) ?? server).definition;
		await documents.showDiff(t('{0} (before ↔ now)', serverLabel), exactJson(before.launch), exactJson(launch), true);
		chosen = await ask();
	}
	if (chosen === startAgain) {
		didUseButton();
		const current = registry.current(server);
		await (current && start(current));
	}
}
