/** Words for the stop reason of an answer. */
import * as vscode from 'vscode';
import { quickPickText } from '../../editor/ui/plainText.js';

/** The stop reason for the person; undefined for a normal end. The server gets the original value. */
export function describeStop(stopReason: string | undefined): string | undefined {
	const { t } = vscode.l10n;
	switch (stopReason) {
		case undefined:
		case 'endTurn':
			return undefined;
		case 'maxTokens':
			return t('Token limit reached');
		case 'stopSequence':
			return t('Stop sequence of the server reached');
		case 'toolUse':
			return t('The server must run tools first');
		default:
			return quickPickText(stopReason, 60);
	}
}
