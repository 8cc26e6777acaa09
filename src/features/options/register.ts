/** The command *Server Options…*: lists the options of a server and what other features can do with it. */
import * as vscode from 'vscode';
import { type Disposable } from '../../base/lifecycle.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { notificationText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import type { ServerActions } from '../../editor/ui/serverActions.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';
import { type Option, options } from './options.js';

export interface OptionsDeps {
	readonly registry: ServerRegistry;
	readonly serverActions: ServerActions;
}

export function registerOptions(deps: OptionsDeps): Disposable {
	return registerCommand(Commands.serverOptions, async argument => {
		const title = vscode.l10n.t('Server Options');
		const server = await chooseServer(deps.registry, argument, () => true, { title });
		await (server && showOptions(deps, server));
	});
}

interface Item extends vscode.QuickPickItem {
	readonly option?: Option;
	readonly run?: () => unknown;
}

/** Lists everything, again after each change of an option, until the person leaves the list or selects an action. */
async function showOptions({ registry, serverActions }: OptionsDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const title = titleText(t('Server Options'), registry.label(server));
	let needsRestart = false;
	for (;;) {
		const items: readonly Item[] = [
			...options().map(option => ({
				label: option.label,
				description: quickPickText(option.describe(server)),
				iconPath: new vscode.ThemeIcon(option.icon),
				option,
			})),
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			...serverActions.of(server).map(action => ({
				label: action.label(server),
				description: quickPickText(action.value?.(server) ?? ''),
				iconPath: new vscode.ThemeIcon(action.icon),
				run: () => action.run(server),
			})),
			{
				label: t('Open in settings.json'),
				iconPath: new vscode.ThemeIcon('json'),
				run: () => vscode.commands.executeCommand('workbench.action.openSettingsJson'),
			},
		];
		const chosen = await askForOne({ title, placeholder: t('Select an option or an action') }, items);
		if (!chosen || chosen === back) {
			break;
		}
		if (!chosen.option) {
			await chosen.run?.();
			break;
		}
		const isChanged = await chosen.option.edit(server, title);
		needsRestart ||= isChanged && chosen.option.needsRestart === true;
	}
	await (needsRestart && offerRestart(registry, server));
}

async function offerRestart(registry: ServerRegistry, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	if (!canStop(server.state)) {
		return;
	}
	const restart = t('Restart');
	const name = notificationText(registry.label(server));
	const message = t('Restart {0} to apply the new options.', name);
	if ((await vscode.window.showInformationMessage(message, restart)) === restart) {
		await vscode.commands.executeCommand(Commands.restartServer, new ServerNode(server));
	}
}
