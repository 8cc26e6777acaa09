/** The commands of resources. `chooseResource.ts` describes their argument; without one, they mean the active editor's. */
import * as vscode from 'vscode';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { CommandHandler, CommandHandlers } from '../../editor/commands.js';
import { Commands, InternalCommands, TreeContexts } from '../../editor/contributions.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import { resolveResource } from './chooseResource.js';
import { goToResource } from './goToResource.js';
import { activeResource } from './openedResources.js';
import { type ChosenResource, ensureRunning, type OpeningDeps, openResource, readContents } from './openResource.js';
import { type ChosenTemplate, resolveTemplate } from './templates.js';
import { useResource } from './useResource.js';

export function resourceCommands(
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
