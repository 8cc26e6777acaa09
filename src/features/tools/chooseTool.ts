/** One list of the tools of running servers. */
import * as vscode from 'vscode';
import type { Tool } from '../../mcp/index.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { Commands } from '../../host/contributions.js';
import { quickPickText } from '../../host/plainText.js';
import { displayName } from './toolText.js';

export interface ChosenTool {
	readonly server: Server;
	readonly tool: Tool;
}

/**
 * `undefined` if the person chose none or there is none to choose, which is then said.
 * @param servers all of them, or those that are meant
 */
export async function chooseTool(
	registry: ServerRegistry,
	servers: readonly Server[] = registry.servers,
): Promise<ChosenTool | undefined> {
	const items = servers.flatMap(server => {
		const list = server.catalog?.tools;
		return list?.kind === 'loaded' ? list.items.map(tool => toItem(registry.label(server), server, tool)) : [];
	});
	if (items.length > 0) {
		const placeHolder = vscode.l10n.t('Choose a tool to run');
		return vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true });
	}
	const startServer = vscode.l10n.t('Start Server');
	const message = vscode.l10n.t('No running server offers a tool.');
	if ((await vscode.window.showInformationMessage(message, startServer)) === startServer) {
		await vscode.commands.executeCommand(Commands.startServer);
	}
	return undefined;
}

function toItem(whose: string, server: Server, tool: Tool): ChosenTool & vscode.QuickPickItem {
	return {
		label: quickPickText(displayName(tool)),
		description: quickPickText(`${whose} · ${tool.name}`),
		...(tool.description ? { detail: quickPickText(tool.description) } : {}),
		server,
		tool,
	};
}
