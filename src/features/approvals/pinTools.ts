/** Pins all tools of a server at once, and reports what was written to the lock file. */
import * as vscode from 'vscode';
import { describeNumber } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { Locks } from '../../editor/storage/locks.js';
import type { WrittenPins } from '../../core/approvals/approver.js';
import { problemOfPin } from '../../core/approvals/pins.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Server } from '../../core/servers/server.js';

/**
 * Pins all tools that a running server has now. Rejects if the lock file cannot be written.
 * @param whose the server's label
 */
export async function pinTools(
	{ definition, client, catalog, name }: Server,
	whose: string,
	locks: Locks,
): Promise<void> {
	const { t } = vscode.l10n;
	const server = notificationText(whose);
	const list = await catalog?.currentTools();
	if (!client || list?.kind !== 'loaded') {
		void vscode.window.showInformationMessage(t('Start {0} to pin its tools.', server));
		return;
	}
	const { instructions } = client.session;
	const tools = list.items.filter(tool => problemOfPin({ server: name, tool, instructions }) === undefined);
	const left = list.items.length - tools.length;
	if (tools.length === 0) {
		void vscode.window.showInformationMessage(t('{0} has no tools that can be pinned.', server));
		return;
	}
	const { file } = await locks.pin(definition, tools, instructions);
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file));
	const message =
		left === 0
			? t('Pinned {0} tools of {1} in {2}.', describeNumber(tools.length), server, path)
			: t(
					'Pinned {0} tools of {1} in {2}. {3} tools are too large to be pinned.',
					describeNumber(tools.length),
					server,
					path,
					describeNumber(left),
				);
	offerOpen(message, file);
}

/** Reports new entries in the lock file of a workspace; nothing for the person's own servers. */
export function tellPinned({ source }: ServerDefinition, { file, added }: WrittenPins): void {
	const [first] = added;
	if (first === undefined || source.kind === 'userSettings') {
		return;
	}
	const { t } = vscode.l10n;
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file));
	const message =
		added.length === 1
			? t('Pinned the definition of {0} in {1}.', notificationText(first), path)
			: t('Pinned {0} tools in {1}.', describeNumber(added.length), path);
	offerOpen(message, file);
}

/** Offers to open the file; returns at once. */
function offerOpen(message: string, file: string): void {
	const open = vscode.l10n.t('Open');
	void vscode.window.showInformationMessage(message, open).then(chosen => {
		return chosen === open ? vscode.window.showTextDocument(vscode.Uri.parse(file)) : undefined;
	});
}
