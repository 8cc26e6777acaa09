/** The commands of resources: each takes a line of the tree, an editor's URI, or `{ server, uri }`. */
import * as vscode from 'vscode';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { CommandHandler } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { chosenResource } from './chooseResource.js';
import { goToResource } from './goToResource.js';
import { activeResource } from './openResources.js';
import type { ChosenResource } from './openResource.js';
import type { ResourceCommand } from './register.js';
import type { ExternalFiles } from './takeOut.js';
import * as use from './useResource.js';

export interface ResourceCommandDeps {
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly pending: PendingRequests;
	readonly external: ExternalFiles;
	readonly open: (resource: ChosenResource) => Promise<void>;
}

export function resourceCommands({
	registry,
	live,
	pending,
	external,
	open,
}: ResourceCommandDeps): Record<ResourceCommand, CommandHandler> {
	const reading = { live, pending };
	/** Without an argument, what is meant is what the person looks at. */
	const chosen = (argument: unknown): ChosenResource | undefined =>
		chosenResource(registry, argument ?? activeResource());
	const of =
		(run: (resource: ChosenResource) => unknown): CommandHandler =>
		async argument => {
			await registry.configured;
			const resource = chosen(argument);
			if (!resource) {
				throw new Error(vscode.l10n.t('Open a resource of a server first, or choose one in the view MCP Workbench.'));
			}
			await run(resource);
		};
	return {
		[Commands.openResource]: of(open),
		[Commands.goToResource]: async () => {
			const resource = await goToResource(registry);
			await (resource && open(resource));
		},
		[Commands.refreshResource]: of(it => use.refreshResource(it, reading)),
		[Commands.compareResource]: of(it => use.compareWithPrevious(it, live)),
		[Commands.copyResource]: of(it => use.copyContents(it, reading)),
		[Commands.copyResourceUri]: of(it => vscode.env.clipboard.writeText(it.uri)),
		// The editor it goes into is the active one: of a resource's own there is nothing to insert.
		[Commands.insertResource]: of(it => use.insertContents(it, reading)),
		[Commands.saveResource]: of(it => use.saveContents(it, reading)),
		[Commands.attachResource]: of(it => use.attachToChat(it, reading, external)),
	};
}
