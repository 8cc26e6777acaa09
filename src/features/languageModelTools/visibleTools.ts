/** Chooses which tools models see. */
import * as vscode from 'vscode';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import { chooseTools } from '../../editor/workspace/serverOptions.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isHiddenFromModels, isToolDisabled } from '../../core/calls/toolAccess.js';

/** @param tools names of tools of the server */
async function setHidden(server: Server, tools: readonly string[], isHidden: boolean): Promise<void> {
	const others = server.options.hiddenFromModels.filter(it => !tools.includes(it));
	await chooseTools(server, 'hiddenFromModels', isHidden ? [...others, ...tools] : others);
}

/** Shows the tools of all running servers in one list, and stores which ones models see. */
export async function chooseVisible(registry: ServerRegistry): Promise<void> {
	const { t } = vscode.l10n;
	const items = registry.servers.flatMap(server => {
		const tools = itemsOf(server.catalog?.tools).filter(it => !isToolDisabled(server, it));
		const serverLabel = quickPickText(registry.label(server));
		return tools.map(tool => ({
			label: quickPickText(tool.name),
			description: serverLabel,
			...(tool.description ? { detail: quickPickText(tool.description) } : {}),
			server,
			tool,
		}));
	});
	if (items.length === 0) {
		showNoMatch(registry, t('Start a server first. Only tools of running servers can be selected.'));
		return;
	}
	const question = { title: t('Tools for Models'), placeholder: t('Select the tools that models can use') };
	const chosen = await askForMany(question, items, it => !isHiddenFromModels(it.server, it.tool));
	if (!chosen || chosen === back) {
		return;
	}
	for (const server of new Set(items.map(it => it.server))) {
		for (const isHidden of [true, false]) {
			const changed = items
				.filter(it => it.server === server && chosen.includes(it) !== isHidden)
				.filter(it => isHiddenFromModels(server, it.tool) !== isHidden);
			if (changed.length > 0) {
				await setHidden(
					server,
					changed.map(it => it.tool.name),
					isHidden,
				);
			}
		}
	}
}
