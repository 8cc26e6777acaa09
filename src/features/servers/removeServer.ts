/** The command Remove Server: removes a server from its file or setting. A file keeps its comments, formatting and Undo. */
import * as vscode from 'vscode';
import { userConfig, writeUserConfig } from '../../editor/workspace/config.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { confirmAction } from '../../editor/ui/quickInput.js';
import { isObject } from '../../mcp/index.js';
import { removeMember } from '../../core/config/configEdit.js';
import type { Server } from '../../core/servers/server.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import { canStop } from '../../core/servers/serverState.js';
import type { DemoState } from './demoState.js';
import { openDefinition } from './openConfiguration.js';

/**
 * Removes a server after a confirmation, which the demo server doesn't need.
 * @param label the server's label
 * @throws Error in the person's language
 */
export async function removeServer(server: Server, label: string, demo: DemoState): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	if (demo.isDemo(definition)) {
		await demo.setAdded(false);
		return;
	}
	const place = notificationText(describeSource(definition.source));
	if (await confirmAction(t('Remove "{0}" from {1}?', label, place), t('Remove'))) {
		await (definition.source.kind === 'userSettings' ? removeFromUserSettings(server) : removeFromFile(server));
	}
}

async function removeFromFile(server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	const { source, name } = definition;
	const uri = vscode.Uri.parse(source.uri);
	if (uri.scheme === 'untitled') {
		throw new Error(t("Save the workspace first. Its servers aren't in a file yet."));
	}
	const document = await openCurrent(uri);
	const removed = (): string | undefined => {
		const text = document.getText();
		const placed = parseServerConfig(text, source).servers.find(it => it.name === name);
		return placed && removeMember(text, placed.offset);
	};
	if (removed() !== undefined) {
		await (canStop(server.state) && server.stop());
	}
	// The document may have been edited while the server stopped.
	const after = removed();
	if (after === undefined) {
		await openDefinition(definition);
		throw new Error(t("The configuration wasn't changed because it has errors or no longer contains the server."));
	}
	if (!(await saveAs(document, after))) {
		throw new Error(t("Can't write the configuration."));
	}
}

/** Uses the editor's API, which loses the comments inside this setting. */
async function removeFromUserSettings(server: Server): Promise<void> {
	const { name } = server.definition;
	await (canStop(server.state) && server.stop());
	const { inputs, servers } = userConfig();
	const left = Object.entries(isObject(servers) ? servers : {}).filter(([key]) => key !== name);
	await writeUserConfig({ inputs, servers: Object.fromEntries(left) });
}
