/**
 * Returns from a document to the sheet that opened it. A sheet covers the top of the editor area, so it closes when it
 * opens a document, and its request stays pending.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../base/lifecycle.js';

export interface SheetReturn {
	/** Whether the request still waits. */
	readonly isWaiting: () => boolean;
	/** Shows the sheet again. */
	readonly review: () => void;
}

/**
 * Opens a document for a sheet that is closed already. The sheet comes back when the document's tab is closed, or by
 * the button of a message.
 * @param message says which request is still waiting; cleaned for a notification
 */
export async function openForSheet(open: () => Promise<void>, message: string, back: SheetReturn): Promise<void> {
	const { t } = vscode.l10n;
	await open();
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	const owned = new DisposableStore();
	const goBack = (): void => {
		owned.dispose();
		if (back.isWaiting()) {
			back.review();
		}
	};
	owned.add(
		vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
			if (tab && closed.includes(tab)) {
				goBack();
			}
		}),
	);
	const button = t('Back to the Request');
	void vscode.window.showInformationMessage(message, button).then(chosen => {
		if (chosen === button) {
			goBack();
		}
	});
}
