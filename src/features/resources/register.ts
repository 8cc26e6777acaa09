/** Resources: their groups in the tree, and resources as read-only files that follow what the server says of them. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs } from '../../editor/forms/argumentInputs.js';
import { attachCommand } from '../../editor/languageModels/chat.js';
import { ManagedContextKey, registerCommands } from '../../editor/commands.js';
import { limits } from '../../editor/workspace/config.js';
import { Commands, ContextKeys, resourceScheme } from '../../editor/contributions.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { resourceCommands } from './commands.js';
import { registerResourceGroup } from './groups.js';
import { type ChosenResource, openResource } from './openResource.js';
import { OpenResources } from './openResources.js';
import { ResourceFileSystem } from './resourceFileSystem.js';
import { Signs } from './signs.js';
import { ExternalFiles } from './takeOut.js';
import { registerTemplates } from './templates.js';

export interface ResourcesDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly inputs: ArgumentInputs;
	/** A place on the disk that is this window's: no other tidies it up. */
	readonly storage: vscode.Uri;
}

const commandIds = [
	Commands.openResource,
	Commands.goToResource,
	Commands.refreshResource,
	Commands.compareResource,
	Commands.copyResource,
	Commands.copyResourceUri,
	Commands.insertResource,
	Commands.saveResource,
	Commands.attachResource,
] as const;
export type ResourceCommand = (typeof commandIds)[number];

export function registerResources({ registry, tree, pending, inputs, storage }: ResourcesDeps): Disposable {
	const owned = new DisposableStore();
	const live: LiveResources = owned.add(
		new LiveResources({
			registry,
			maxMessageBytes: () => limits().messageBytes,
			isSeen: key => open.isSeen(key),
		}),
	);
	const files = owned.add(new ResourceFileSystem(registry, live));
	const options = { isReadonly: true, isCaseSensitive: true };
	owned.add(vscode.workspace.registerFileSystemProvider(resourceScheme, files, options));
	const open: OpenResources = owned.add(new OpenResources(files, live));
	owned.add(new Signs({ registry, live, files, open }));
	owned.add(
		registry.withServers(() =>
			registerResourceGroup({
				tree,
				live,
			}),
		),
	);
	const external = new ExternalFiles(storage);
	const openHere = (resource: ChosenResource): Promise<void> => openResource(resource, { live, pending, external });
	owned.add(registerTemplates({ registry, tree, inputs, open: openHere }));
	const commandDeps = { registry, live, pending, external, open: openHere };
	owned.add(registerCommands(commandIds, () => resourceCommands(commandDeps)));
	void offerChat();
	return owned;
}

/** Only where the editor lists a way. */
async function offerChat(): Promise<void> {
	const commands = await vscode.commands.getCommands(true);
	new ManagedContextKey(ContextKeys.canAttach).value = commands.includes(attachCommand);
}
