/** Enables and disables tools, and offers to enable a disabled tool that the person runs. */
import * as vscode from 'vscode';
import { didUseButton } from '../../editor/commands.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { chooseTools, placeFor } from '../../editor/workspace/serverOptions.js';
import type { Server } from '../../core/servers/server.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { isToolDisabled } from '../../core/calls/toolAccess.js';

export async function enableTool(server: Server, tool: string, isEnabled: boolean): Promise<void> {
	const { disabledTools } = server.options;
	const others = disabledTools.filter(it => it !== tool);
	const next = isEnabled ? others : [...others, tool];
	await chooseTools(server, 'disabled', next);
}

/** Tells where a tool was disabled, and offers to undo that. */
export async function tellDisabled(server: Server, tool: string): Promise<void> {
	const { t } = vscode.l10n;
	const place = placeFor(server.definition, 'disabled');
	const { workspaceFile } = vscode.workspace;
	const where = {
		user: t('User Settings'),
		workspace: workspaceFile?.path.split('/').at(-1) ?? '.vscode/settings.json',
		folder: `${server.definition.source.folderName ?? ''}/.vscode/settings.json`,
	}[place];
	const undo = t('Undo');
	const message = t('{0} is disabled in {1}.', toolName(tool), notificationText(where));
	if ((await vscode.window.showInformationMessage(message, undo)) === undo) {
		didUseButton();
		await enableTool(server, tool, true);
	}
}

/** Whether the tool is enabled, or the person enables it now. @param serverLabel the server's label */
export async function offerToEnable(server: Server, serverLabel: string, tool: string): Promise<boolean> {
	if (!isToolDisabled(server, { name: tool })) {
		return true;
	}
	const { t } = vscode.l10n;
	const enable = t('Enable and Run');
	const message = t('{0} on {1} is disabled.', toolName(tool), serverLabel);
	if ((await vscode.window.showInformationMessage(message, enable)) !== enable) {
		return false;
	}
	didUseButton();
	await enableTool(server, tool, true);
	return true;
}
