/** Why data that somebody has given cannot be copied, in words. */
import * as vscode from 'vscode';
import type { PlainDataProblem } from '../../core/text/plainData.js';
import { describeNumber } from './messages.js';

/** A sentence about the arguments of a call. */
export function describePlainDataProblem(problem: PlainDataProblem): string {
	const { t } = vscode.l10n;
	switch (problem.code) {
		case 'notObject':
			return t('The arguments must be a JSON object.');
		case 'notJson':
			return t('The arguments must be JSON data, and contain a value of the type "{0}".', problem.type);
		case 'cyclic':
			return t('The arguments must not contain themselves.');
		case 'unreadable':
			return t('The arguments could not be read.');
		case 'tooDeep':
			return t('The arguments must not be nested more than {0} levels deep.', describeNumber(problem.max));
		case 'tooLarge':
			return t('The arguments are too large.');
	}
}
