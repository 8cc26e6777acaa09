/** Describes why a language model of the editor didn't answer. */
import * as vscode from 'vscode';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import { notificationText } from '../../editor/ui/plainText.js';

/** A failed request to a model. The message is a sentence in the person's language. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
}

/** Converts an error of `sendRequest` or its stream to an AbortError if it was cancelled, otherwise to a ModelError. */
export function toModelError(error: unknown, model: Pick<vscode.LanguageModelChat, 'name'>): Error {
	if (error instanceof ModelError) {
		return error;
	}
	return isAbort(error) || error instanceof vscode.CancellationError
		? new AbortError()
		: new ModelError(describeModelError(error, model), { cause: error });
}

function describeModelError(error: unknown, { name }: Pick<vscode.LanguageModelChat, 'name'>): string {
	const { t } = vscode.l10n;
	const model = notificationText(name);
	if (typeof error === 'object' && !(error instanceof Error)) {
		// New editors throw a DOM event if they can't decode an image.
		return t("{0} didn't answer, and the editor gave no reason.", model);
	}
	const why = notificationText(toMessage(error));
	switch (error instanceof vscode.LanguageModelError ? error.code : undefined) {
		case vscode.LanguageModelError.NotFound.name:
			return t('{0} is no longer available. Select another model.', model);
		case vscode.LanguageModelError.NoPermissions.name:
			return t("The editor doesn't allow MCP Workbench to use {0}.", model);
		case vscode.LanguageModelError.Blocked.name:
			return t("{0} isn't accepting requests: {1}", model, why);
		default:
			return t("{0} didn't answer: {1}", model, why);
	}
}
