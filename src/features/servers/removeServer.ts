/** The command Remove Server: removes a server from its file or setting. A file keeps its comments, formatting and Undo. */
import * as vscode from 'vscode';
import { type UserConfig, userConfig, writeUserConfig } from '../../editor/workspace/config.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { confirmAction } from '../../editor/ui/quickInput.js';
import { isObject } from '../../mcp/index.js';
import { removeMember } from '../../core/config/configEdit.js';
import type { Server } from '../../core/servers/server.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import { canStop } from '../../core/servers/serverState.js';
import { demoName, type DemoState } from './demoState.js';
import { openDefinition } from './openConfiguration.js';

/** Restores the configuration; false if it has changed since the removal. */
type Undo = () => Promise<boolean>;

/**
 * Removes a server after a confirmation, which the demo server doesn't need, and offers to undo it.
 * @param label the server's label
 * @throws Error in the person's language
 */
export async function removeServer(server: Server, label: string, demo: DemoState): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	if (demo.isDemo(definition)) {
		await demo.setAdded(false);
		void offerUndo(t('Removed the demo server.'), () => demo.setAdded(true).then(() => true), demoName);
		return;
	}
	const place = notificationText(describeSource(definition.source));
	if (!(await confirmAction(t('Remove "{0}" from {1}?', label, place), t('Remove')))) {
		return;
	}
	const undo = await (definition.source.kind === 'userSettings'
		? removeFromUserSettings(server)
		: removeFromFile(server));
	void offerUndo(t('Removed "{0}" from {1}.', label, place), undo, place);
}

/** Offers to undo a removal. Commands don't await it, because the message may stay open for a long time. */
async function offerUndo(message: string, undo: Undo, place: string): Promise<void> {
	const { t } = vscode.l10n;
	const again = t('Undo');
	if ((await vscode.window.showInformationMessage(message, again)) === again && !(await undo())) {
		void vscode.window.showErrorMessage(t("Can't undo the removal: {0} has changed since then.", place));
	}
}

async function removeFromFile(server: Server): Promise<Undo> {
	const { t } = vscode.l10n;
	const { definition } = server;
	const { source, name } = definition;
	const uri = vscode.Uri.parse(source.uri);
	if (uri.scheme === 'untitled') {
		throw new Error(t("Save the workspace first. Its servers aren't in a file yet."));
	}
	const document = await openCurrent(uri);
	const removed = (text: string): string | undefined => {
		const placed = parseServerConfig(text, source).servers.find(it => it.name === name);
		return placed && removeMember(text, placed.offset);
	};
	if (removed(document.getText()) !== undefined) {
		await (canStop(server.state) && server.stop());
	}
	// The document may have been edited while the server stopped.
	const before = document.getText();
	const after = removed(before);
	if (after === undefined) {
		await openDefinition(definition);
		throw new Error(t("The configuration wasn't changed because it has errors or no longer contains the server."));
	}
	if (!(await saveAs(document, after))) {
		throw new Error(t("Can't write the configuration."));
	}
	return async () => {
		const current = await openCurrent(uri);
		return current.getText() === after && saveAs(current, before);
	};
}

/** Uses the editor's API, which loses the comments inside this setting. */
async function removeFromUserSettings(server: Server): Promise<Undo> {
	const { name } = server.definition;
	await (canStop(server.state) && server.stop());
	const before = userConfig();
	const servers = Object.entries(isObject(before.servers) ? before.servers : {}).filter(([key]) => key !== name);
	const after: UserConfig = { inputs: before.inputs, servers: Object.fromEntries(servers) };
	await writeUserConfig(after);
	return async () => {
		const isUnchanged = JSON.stringify(userConfig()) === JSON.stringify(after);
		if (isUnchanged) {
			await writeUserConfig(before);
		}
		return isUnchanged;
	};
}
