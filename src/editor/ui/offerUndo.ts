/** The message that offers to restore lists of tools after they were written. */
import * as vscode from 'vscode';
import { didUseButton } from '../commands.js';
import { describeList } from '../l10n/messages.js';
import type { WrittenList } from '../workspace/serverOptions.js';
import { notificationText } from './plainText.js';

/** Resolves when the message is closed, which can take long. @param messageOf makes the message from the names of the files */
export async function offerUndo(written: readonly WrittenList[], messageOf: (files: string) => string): Promise<void> {
	const undo = vscode.l10n.t('Undo');
	const files = notificationText(describeList([...new Set(written.map(it => it.file))]));
	if ((await vscode.window.showInformationMessage(messageOf(files), undo)) === undo) {
		didUseButton();
		for (const it of written.toReversed()) {
			await it.undo();
		}
	}
}
