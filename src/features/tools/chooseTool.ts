/** Asks for a tool of the running servers. Stopped servers can be started from the list. */
import * as vscode from 'vscode';
import type { Tool } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isStartOffered } from '../../core/servers/serverState.js';
import { isToolDisabled } from '../../core/calls/toolAccess.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { Commands } from '../../editor/contributions.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';

export interface ChosenTool {
	readonly server: Server;
	readonly tool: Tool;
}

/** Asks for a tool of the servers; `undefined` if the person chose none, or if there is none, which a message says. */
export async function chooseTool(
	registry: ServerRegistry,
	placeholder: string,
	servers: readonly Server[] = registry.servers,
): Promise<ChosenTool | undefined> {
	const { t } = vscode.l10n;
	const tools = servers.flatMap(server =>
		itemsOf(server.catalog?.tools).map(tool => toItem(registry.label(server), server, tool)),
	);
	const stopped = servers
		.filter(it => isStartOffered(it.state))
		.map(server => toStartItem(registry.label(server), server));
	if (tools.length + stopped.length === 0) {
		showNoMatch(registry, t('No server offers tools.'));
		return undefined;
	}
	const [first] = stopped;
	if (first && stopped.length === 1 && tools.length === 0) {
		return startAndChoose(registry, first.server, placeholder);
	}
	const items = [
		...tools,
		...(stopped.length > 0 ? [{ label: t('Not running'), kind: vscode.QuickPickItemKind.Separator }] : []),
		...stopped,
	];
	const chosen = await chooseLine<ToolItem>(items, placeholder);
	if (!chosen?.server || chosen.tool) {
		return chosen?.server && chosen.tool && { server: chosen.server, tool: chosen.tool };
	}
	return startAndChoose(registry, chosen.server, placeholder);
}

/** The line of a tool, of a server to start, or a separator. */
interface ToolItem extends vscode.QuickPickItem {
	readonly server?: Server;
	readonly tool?: Tool;
}

/** Starts a server and offers its tools. The start command shows a failure. */
async function startAndChoose(
	registry: ServerRegistry,
	server: Server,
	placeholder: string,
): Promise<ChosenTool | undefined> {
	await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	const { catalog } = server;
	return (await catalog?.whenLoaded('tools')) === 'loaded' ? chooseTool(registry, placeholder, [server]) : undefined;
}

function toStartItem(serverLabel: string, server: Server): ToolItem & { readonly server: Server } {
	const { t } = vscode.l10n;
	return {
		label: t('Start "{0}"', serverLabel),
		description: t('Shows its tools'),
		iconPath: new vscode.ThemeIcon('debug-start'),
		// The typed name may be that of a tool of this server.
		alwaysShow: true,
		server,
	};
}

function toItem(serverLabel: string, server: Server, tool: Tool): ChosenTool & vscode.QuickPickItem {
	const notes = isToolDisabled(server, tool) ? [vscode.l10n.t('Disabled')] : [];
	return {
		label: toolTitle(tool)[0],
		// With the name of each tool, so that all can be found as "server · name".
		description: [serverLabel, toolName(tool.name), ...notes].join(' · '),
		...(tool.description ? { detail: quickPickText(tool.description) } : {}),
		server,
		tool,
	};
}
