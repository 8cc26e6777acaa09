/** Describes why arguments of a call can't be copied. */
import * as vscode from 'vscode';
import type { PlainDataProblem } from '../../core/text/plainData.js';

/** A sentence about the arguments of a call. */
export function describePlainDataProblem(problem: PlainDataProblem): string {
	const { t } = vscode.l10n;
	switch (problem) {
		case 'notObject':
			return t('The arguments must be a JSON object.');
		case 'notJson':
			return t('The arguments must be JSON data.');
		case 'tooLarge':
			return t('The arguments are too large or nested too deeply.');
	}
}
