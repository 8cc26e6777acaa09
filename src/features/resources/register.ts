/** The feature `resources`: their groups in the tree, their commands, and read-only files that follow changes at the server. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs } from '../../editor/forms/argumentInputs.js';
import { type CommandHandler, type CommandHandlers, registerCommands } from '../../editor/commands.js';
import { Commands, InternalCommands, resourceScheme, TreeContexts } from '../../editor/contributions.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { registerResourceGroup } from './groups.js';
import {
	type ChosenResource,
	ensureRunning,
	type OpeningDeps,
	openResource,
	readContents,
	resolveResource,
} from './openResource.js';
import { activeResource, OpenedResources } from './openedResources.js';
import { ResourceFileSystem } from './resourceFileSystem.js';
import { ResourceDecorations } from './resourceDecorations.js';
import { ExternalFiles } from './externalFiles.js';
import { type ChosenTemplate, registerTemplateGroup, resolveTemplate, useTemplate } from './templates.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import { goToResource } from './goToResource.js';
import { useResource } from './useResource.js';

interface ResourcesDeps {
	readonly registry: ServerRegistry;
	readonly accounts: Pick<Accounts, 'onDidChangeIdentity'>;
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly argumentInputs: ArgumentInputs;
	/** A folder on the disk that only this window writes to and clears. */
	readonly windowStorage: vscode.Uri;
}

export function registerResources(deps: ResourcesDeps): Disposable {
	const { registry, tree, pending, argumentInputs } = deps;
	const owned = new DisposableStore();
	const live: LiveResources = owned.add(
		new LiveResources({
			registry,
			onDidChangeIdentity: deps.accounts.onDidChangeIdentity,
			isSeen: key => open.isSeen(key),
		}),
	);
	const files = owned.add(new ResourceFileSystem(registry, live));
	const options = { isReadonly: true, isCaseSensitive: true };
	owned.add(vscode.workspace.registerFileSystemProvider(resourceScheme, files, options));
	const open: OpenedResources = owned.add(new OpenedResources(files, live));
	owned.add(new ResourceDecorations({ registry, live, files, open }));
	owned.add(registerResourceGroup({ tree, live }));
	const opening = { live, pending, external: new ExternalFiles(deps.windowStorage) };
	owned.add(registerTemplateGroup(tree));
	const templates = { registry, argumentInputs, open: (it: ChosenResource) => openResource(it, opening) };
	owned.add(registerCommands(resourceCommands(registry, opening, it => useTemplate(it, templates))));
	return owned;
}

function resourceCommands(
	registry: ServerRegistry,
	deps: OpeningDeps,
	useTemplate: (chosen: ChosenTemplate) => Promise<void>,
): CommandHandlers {
	const of =
		(run: (resource: ChosenResource, argument: unknown) => unknown): CommandHandler =>
		async argument => {
			await registry.configured;
			const resource = resolveResource(registry, argument ?? activeResource());
			if (!resource) {
				throw new Error(vscode.l10n.t('Open a resource first, or select one in the MCP Workbench view.'));
			}
			await run(resource, argument);
		};
	return {
		[InternalCommands.openResource]: of(it => openResource(it, deps)),
		[InternalCommands.openTemplate]: async argument => {
			const template = await resolveTemplate(registry, argument);
			await (template && useTemplate(template));
		},
		[Commands.goToResource]: async () => {
			const chosen = await goToResource(registry);
			if (chosen) {
				await ('template' in chosen ? useTemplate(chosen) : openResource(chosen, deps));
			}
		},
		[Commands.refreshResource]: of(async it => (await ensureRunning(it.server)) && readContents(it, deps)),
		[Commands.useResource]: of((it, argument) => useResource(it, deps, isDirectory(argument))),
	};
}

function isDirectory(argument: unknown): boolean {
	return argument instanceof LeafNode && argument.look.context === TreeContexts.resourceDirectory;
}
