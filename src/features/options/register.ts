/** The command *Server Options…*: lists the actions that features offer for a server, and opens the setting with its options. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { quickPickText, titleText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { ServerActions } from '../../editor/ui/serverActions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { openMachineSetting } from '../../editor/workspace/config.js';

interface OptionsDeps {
	readonly registry: ServerRegistry;
	readonly serverActions: ServerActions;
}

export function registerOptions({ registry, serverActions }: OptionsDeps): Disposable {
	return registerCommand(Commands.serverOptions, async argument => {
		const { t } = vscode.l10n;
		const server = await chooseServer(registry, argument, () => true, { title: t('Server Options') });
		if (!server) {
			return;
		}
		const lines: (vscode.QuickPickItem & { readonly run: () => unknown })[] = [
			...serverActions.of(server).map(action => ({
				label: action.label(server),
				description: quickPickText(action.value?.(server) ?? ''),
				iconPath: new vscode.ThemeIcon(action.icon),
				run: () => action.run(server),
			})),
			{
				label: t('Timeouts, Protocol Era, and Startup…'),
				iconPath: new vscode.ThemeIcon('json'),
				run: () => openMachineSetting('serverOptions'),
			},
		];
		const title = titleText(t('Server Options'), registry.label(server));
		await (await chooseLine(lines, t('Select an action'), title))?.run();
	});
}
