/** Describes why arguments of a call can't be copied. */
import * as vscode from 'vscode';
import type { PlainDataProblem } from '../../core/text/plainData.js';
import { describeNumber } from './messages.js';
import { chooseText } from './chooseText.js';

/** A sentence about the arguments of a call. */
export function describePlainDataProblem(problem: PlainDataProblem): string {
	const { t } = vscode.l10n;
	return chooseText(problem, {
		notObject: () => t('The arguments must be a JSON object.'),
		notJson: ({ type }) => t('The arguments must be JSON data but contain a value of type "{0}".', type),
		cyclic: () => t('The arguments contain a circular reference.'),
		unreadable: () => t("The arguments couldn't be read."),
		tooDeep: ({ max }) => t('The arguments must not be nested more than {0} levels deep.', describeNumber(max)),
		tooLarge: () => t('The arguments are too large.'),
	});
}
