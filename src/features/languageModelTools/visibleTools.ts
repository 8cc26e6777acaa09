/** Which tools models see: hiding one, showing it again, and one list of all of them. */
import * as vscode from 'vscode';
import { tellNothing } from '../../editor/ui/chooseServer.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import { chooseOption } from '../../editor/workspace/serverOptions.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isHiddenFromModels, isToolDisabled } from '../../core/calls/toolAccess.js';

export async function setHidden(server: Server, tools: readonly string[], isHidden: boolean): Promise<void> {
	const others = server.options.hiddenFromModels.filter(it => !tools.includes(it));
	await chooseOption(server, { key: 'hiddenFromModels', tools: isHidden ? [...others, ...tools] : others });
}

/** The tools of all servers that run: models see those that are checked. */
export async function chooseVisible(registry: ServerRegistry): Promise<void> {
	const { t } = vscode.l10n;
	const items = registry.servers.flatMap(server => {
		const tools = itemsOf(server.catalog?.tools).filter(it => !isToolDisabled(server, it));
		const whose = quickPickText(registry.label(server));
		return tools.map(tool => ({
			label: quickPickText(tool.name),
			description: whose,
			...(tool.description ? { detail: quickPickText(tool.description) } : {}),
			server,
			tool,
		}));
	});
	if (items.length === 0) {
		tellNothing(registry, t('Start a server first: the tools of those that run can be chosen.'));
		return;
	}
	const question = { title: t('Tools for Models'), placeholder: t('Models see the tools that are checked') };
	const chosen = await askForMany(question, items, it => !isHiddenFromModels(it.server, it.tool));
	if (!chosen || chosen === back) {
		return;
	}
	for (const server of new Set(items.map(it => it.server))) {
		const names = (isHidden: boolean): string[] =>
			items
				.filter(it => it.server === server && !chosen.includes(it) === isHidden)
				.filter(it => isHiddenFromModels(server, it.tool) !== isHidden)
				.map(it => it.tool.name);
		for (const isHidden of [true, false]) {
			const changed = names(isHidden);
			if (changed.length > 0) {
				await setHidden(server, changed, isHidden);
			}
		}
	}
}
