/** Resources: their group in the tree, and resources as read-only files that follow what the server says of them. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { LiveResources } from '../../model/liveResources.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { tryDecodeBase64 } from '../../host/base64.js';
import { registerCommand } from '../../host/commands.js';
import { limits } from '../../host/config.js';
import { Commands, resourceScheme } from '../../host/contributions.js';
import type { ServersTree } from '../../host/tree.js';
import { chosenResource } from './chooseResource.js';
import { registerGroups } from './groups.js';
import { openResource } from './openResource.js';
import { OpenResources } from './openResources.js';
import { ResourceFileSystem } from './resourceFileSystem.js';

export interface ResourcesDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	/** A place of our own on the disk. */
	readonly storage: vscode.Uri;
}

export function registerResources({ registry, tree, storage }: ResourcesDeps): Disposable {
	const owned = new DisposableStore();
	const live: LiveResources = owned.add(
		new LiveResources({
			registry,
			decode: tryDecodeBase64,
			maxMessageBytes: () => limits().messageBytes,
			isSeen: key => open.isSeen(key),
			isWorthPolling: () => vscode.window.state.focused,
		}),
	);
	const files = owned.add(new ResourceFileSystem(registry, live));
	const options = { isReadonly: true, isCaseSensitive: true };
	owned.add(vscode.workspace.registerFileSystemProvider(resourceScheme, files, options));
	const open = owned.add(new OpenResources(files, live));
	owned.add(registerGroups(tree));
	const folder = vscode.Uri.joinPath(storage, 'opened');
	owned.add(
		registerCommand(Commands.openResource, async argument => {
			const chosen = chosenResource(registry, argument);
			if (chosen) {
				await openResource(chosen, { live, folder });
			}
		}),
	);
	return owned;
}
