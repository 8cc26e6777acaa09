/** The commands of resources. `chooseResource.ts` describes their argument; without one, they mean the active editor's. */
import * as vscode from 'vscode';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { CommandHandler, CommandHandlers } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { resolveResource } from './chooseResource.js';
import { goToResource } from './goToResource.js';
import { activeResource } from './openedResources.js';
import { type ChosenResource, ensureRunning, type OpeningDeps, openResource, readContents } from './openResource.js';
import * as use from './useResource.js';

export function resourceCommands(registry: ServerRegistry, deps: OpeningDeps): CommandHandlers {
	const of =
		(run: (resource: ChosenResource) => unknown): CommandHandler =>
		async argument => {
			await registry.configured;
			const resource = resolveResource(registry, argument ?? activeResource());
			if (!resource) {
				throw new Error(vscode.l10n.t('Open a resource first, or select one in the MCP Workbench view.'));
			}
			await run(resource);
		};
	return {
		[Commands.openResource]: of(it => openResource(it, deps)),
		[Commands.goToResource]: async () => {
			const resource = await goToResource(registry);
			await (resource && openResource(resource, deps));
		},
		[Commands.refreshResource]: of(async it => (await ensureRunning(it.server)) && readContents(it, deps)),
		[Commands.compareResource]: of(it => use.compareWithPrevious(it, deps.live)),
		[Commands.copyResource]: of(it => use.copyContents(it, deps)),
		[Commands.copyResourceUri]: of(it => vscode.env.clipboard.writeText(it.uri)),
		[Commands.insertResource]: of(it => use.insertContents(it, deps)),
		[Commands.saveResource]: of(it => use.saveContents(it, deps)),
		[Commands.attachResource]: of(it => use.attachToChat(it, deps)),
	};
}
