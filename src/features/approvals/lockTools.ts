/** Locks all tools of a server at once, and reports what was written to the lock file. */
import * as vscode from 'vscode';
import { describeNumber } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { LockFiles } from '../../editor/storage/lockFiles.js';
import type { WrittenLocks } from '../../core/approvals/approver.js';
import { findLockProblem } from '../../core/approvals/toolLock.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Server } from '../../core/servers/server.js';

/**
 * Locks all tools that a running server has now. Rejects if the lock file cannot be written.
 * @param serverLabel the server's label
 */
export async function lockTools(
	{ definition, client, catalog, name }: Server,
	serverLabel: string,
	locks: LockFiles,
): Promise<void> {
	const { t } = vscode.l10n;
	const server = notificationText(serverLabel);
	const list = await catalog?.currentTools();
	if (!client || list?.kind !== 'loaded') {
		void vscode.window.showInformationMessage(t('Start {0} to lock its tools.', server));
		return;
	}
	const { instructions } = client.session;
	const tools = list.items.filter(tool => findLockProblem({ server: name, tool, instructions }) === undefined);
	const left = list.items.length - tools.length;
	if (tools.length === 0) {
		void vscode.window.showInformationMessage(t('{0} has no tools that can be locked.', server));
		return;
	}
	const { file } = await locks.lock(definition, tools, instructions);
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file));
	const message =
		left === 0
			? t('Locked {0} tools of {1} in {2}.', describeNumber(tools.length), server, path)
			: t(
					'Locked {0} tools of {1} in {2}. {3} tools are too large to be locked.',
					describeNumber(tools.length),
					server,
					path,
					describeNumber(left),
				);
	offerOpen(message, file);
}

/** Reports new entries in the lock file of a workspace; nothing for the person's own servers. */
export function reportLocked({ source }: ServerDefinition, { file, added }: WrittenLocks): void {
	const [first] = added;
	if (first === undefined || source.kind === 'userSettings') {
		return;
	}
	const { t } = vscode.l10n;
	const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file));
	const message =
		added.length === 1
			? t('Locked the definition of {0} in {1}.', notificationText(first), path)
			: t('Locked {0} tools in {1}.', describeNumber(added.length), path);
	offerOpen(message, file);
}

/** Offers to open the file; returns at once. */
function offerOpen(message: string, file: string): void {
	const open = vscode.l10n.t('Open');
	void vscode.window.showInformationMessage(message, open).then(chosen => {
		return chosen === open ? vscode.window.showTextDocument(vscode.Uri.parse(file)) : undefined;
	});
}
