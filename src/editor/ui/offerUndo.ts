/** The message after lists of tools were written, which offers to restore them. */
import * as vscode from 'vscode';
import { didUseButton } from '../commands.js';
import { describeList } from '../l10n/messages.js';
import type { WrittenList } from '../workspace/serverOptions.js';
import { notificationText } from './plainText.js';

/** Resolves when the message is gone, which can take long. @param messageOf gives the message for the names of the files */
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
