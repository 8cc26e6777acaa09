/** Why a model of the editor did not answer, in the person's language: for prompts, sampling and chat alike. */
import * as vscode from 'vscode';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import { notificationText } from '../ui/plainText.js';

/** A model that was asked, or could not be; its message is a sentence in the person's language. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
}

/** What was given up is an AbortError, everything else a ModelError. */
export function toModelError(error: unknown, model: Pick<vscode.LanguageModelChat, 'name'>): Error {
	if (error instanceof ModelError) {
		return error;
	}
	return isAbort(error) || error instanceof vscode.CancellationError
		? new AbortError()
		: new ModelError(describeModelError(error, model), { cause: error });
}

/**
 * A sentence about what `sendRequest`, or the stream of its answer, threw.
 * @param clean of the sink that it is for
 */
export function describeModelError(
	error: unknown,
	{ name }: Pick<vscode.LanguageModelChat, 'name'>,
	clean: (text: string) => string = notificationText,
): string {
	const { t } = vscode.l10n;
	const model = clean(name);
	if (typeof error === 'object' && !(error instanceof Error)) {
		// The newest editors throw an event of their window about an image that they cannot decode.
		return t('{0} did not answer, and the editor does not say why.', model);
	}
	const why = clean(toMessage(error));
	switch (error instanceof vscode.LanguageModelError ? error.code : undefined) {
		case vscode.LanguageModelError.NotFound.name:
			return t('{0} is not there any more. Choose another model.', model);
		case vscode.LanguageModelError.NoPermissions.name:
			return t('MCP Workbench may not use {0}: the editor has not allowed it.', model);
		case vscode.LanguageModelError.Blocked.name:
			return t('{0} takes no request now: {1}', model, why);
		default:
			return t('{0} did not answer: {1}', model, why);
	}
}
