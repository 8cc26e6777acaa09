/** Why a model did not answer, in words for a message of the chat. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { markdownText } from '../../host/plainText.js';

export function describeModelError(error: unknown, model: string): string {
	const { t } = vscode.l10n;
	const name = markdownText(model, 60);
	const code = error instanceof vscode.LanguageModelError ? error.code : undefined;
	switch (code) {
		case vscode.LanguageModelError.NoPermissions().code:
			return t('MCP Workbench may not use {0}: you have not allowed it, or your account has no access to it.', name);
		case vscode.LanguageModelError.NotFound().code:
			return t('{0} is not there any more. Choose another model.', name);
		case vscode.LanguageModelError.Blocked().code:
			return t('{0} refused: a filter or a quota stopped the request.', name);
		default:
			return t('{0} did not answer: {1}', name, markdownText(toMessage(error)));
	}
}
