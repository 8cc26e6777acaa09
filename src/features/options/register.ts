/** The feature "server options": lists the options of a server, and changes them without editing JSON. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { notificationText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { chooseOption, inspectOption, defaultPlace } from '../../editor/workspace/serverOptions.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { WorkspaceRoots } from '../../editor/workspace/workspace.js';
import type { Server } from '../../core/servers/server.js';
import { type OptionKey, optionKeys } from '../../core/config/serverOptions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStop } from '../../core/servers/serverState.js';
import { describeOption, editOption } from './optionEdits.js';

export interface OptionsDeps {
	readonly registry: ServerRegistry;
	readonly roots: WorkspaceRoots;
}

/** Options that take effect at the next start of the server. */
const needRestart: readonly OptionKey[] = ['requestTimeout', 'era'];

export function registerOptions({ registry, roots }: OptionsDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(
		registerCommand(Commands.serverOptions, async argument => {
			const server = await chooseServer(registry, argument, () => true, { title: vscode.l10n.t('Server Options') });
			await (server && showOptions({ registry, roots }, server));
		}),
	);
	return owned;
}

/** Lists all options, again after each change, until the person leaves the list. */
async function showOptions({ registry, roots }: OptionsDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const changed = new Set<OptionKey>();
	const title = titleText(t('Server Options'), registry.label(server));
	for (;;) {
		const items = [
			...optionKeys.map(key => toItem(server, key, roots)),
			{ label: '', kind: vscode.QuickPickItemKind.Separator, key: undefined },
			{ label: t('Open in settings.json'), iconPath: new vscode.ThemeIcon('json'), key: undefined },
		];
		const chosen = await askForOne({ title, placeholder: t('Select an option to change') }, items);
		if (!chosen || chosen === back) {
			break;
		}
		if (chosen.key === undefined) {
			const isUser = defaultPlace(server.definition.source) === 'user';
			await vscode.commands.executeCommand(
				isUser ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile',
			);
			break;
		}
		if (chosen.key === 'roots') {
			await vscode.commands.executeCommand(Commands.chooseRoots, new ServerNode(server));
			continue;
		}
		const choice = await editOption(server, chosen.key, title);
		if (choice) {
			await chooseOption(server, choice);
			changed.add(chosen.key);
		}
	}
	await offerRestart(registry, server, changed);
}

interface OptionItem extends vscode.QuickPickItem {
	readonly key: OptionKey | undefined;
}

function toItem(server: Server, key: OptionKey, roots: WorkspaceRoots): OptionItem {
	const { t } = vscode.l10n;
	const { folder, workspace, user } = inspectOption(server.definition, key);
	const { label, value, icon } = describeOption(server, key, roots.folders(server.definition));
	const place =
		(folder ?? workspace) !== undefined
			? t('Set in this workspace')
			: user !== undefined
				? t('Set in your settings')
				: '';
	return {
		label,
		description: quickPickText([value, place].filter(Boolean).join(' · ')),
		iconPath: new vscode.ThemeIcon(icon),
		key,
	};
}

async function offerRestart(registry: ServerRegistry, server: Server, changed: ReadonlySet<OptionKey>): Promise<void> {
	const { t } = vscode.l10n;
	if (!canStop(server.state) || !needRestart.some(it => changed.has(it))) {
		return;
	}
	const restart = t('Restart');
	const name = notificationText(registry.label(server));
	const message = t('Restart {0} to apply the new options.', name);
	if ((await vscode.window.showInformationMessage(message, restart)) === restart) {
		await vscode.commands.executeCommand(Commands.restartServer, new ServerNode(server));
	}
}
