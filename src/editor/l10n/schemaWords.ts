/** Describes the result of a schema check. Texts of the schema itself are left out, because they are of the server. */
import * as vscode from 'vscode';
import type { SchemaCheck, SchemaProblem, UncheckedReason } from '../../mcp/index.js';
import { webviewText } from '../ui/plainText.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/** The result of the check, without a period. */
export function describeCheck(check: SchemaCheck): string {
	return chooseText(check, {
		valid: () => t('Matches the output schema'),
		invalid: ({ problems, complete }) => {
			const [first] = problems;
			const said = first ? describeSchemaProblem(first) : '';
			const place = webviewText(first?.path ?? '', 100) || '/';
			const others = problems.length - 1;
			return others === 0 && complete
				? t("Doesn't match the output schema at {0}: {1}", place, said)
				: t(
						"Doesn't match the output schema at {0}: {1} (and {2} more)",
						place,
						said,
						complete ? others : `${others}+`,
					);
		},
		unchecked: ({ why }) => t('Not checked against the output schema: {0}', describeUnchecked(why)),
	});
}

/** Why a value doesn't match its schema: a clause without a period. */
export function describeSchemaProblem({ code, data }: SchemaProblem): string {
	const about = (key: string): string => webviewText(String(data[key] ?? ''), 80);
	switch (code) {
		case 'required':
			return t('"{0}" is missing', about('missingProperty'));
		case 'additionalProperties':
			return t('"{0}" isn\'t allowed', about('additionalProperty'));
		case 'type':
			return t('Value must be of type {0}', about('type'));
		case 'enum':
			return t('Value must be one of the allowed values');
		case 'minimum':
			return t('Value must be at least {0}', about('limit'));
		case 'maximum':
			return t('Value must be at most {0}', about('limit'));
		case 'exclusiveMinimum':
			return t('Value must be greater than {0}', about('limit'));
		case 'exclusiveMaximum':
			return t('Value must be less than {0}', about('limit'));
		case 'multipleOf':
			return t('Value must be a multiple of {0}', about('multipleOf'));
		case 'minLength':
			return t('Value must have at least {0} characters', about('limit'));
		case 'maxLength':
			return t('Value must have at most {0} characters', about('limit'));
		case 'pattern':
			return t('Value must match the pattern {0}', about('pattern'));
		case 'format':
			return t('Value must have the format "{0}"', about('format'));
		case 'minItems':
			return t('List must have {0} or more items', about('limit'));
		case 'maxItems':
			return t('List must have {0} or fewer items', about('limit'));
		case 'uniqueItems':
			return t('Values must be unique');
		default:
			return t('Value doesn\'t satisfy "{0}"', webviewText(code, 40));
	}
}

/** Why a value couldn't be checked: a clause without a period. */
function describeUnchecked(why: UncheckedReason): string {
	return {
		unknownDialect: t("The schema's dialect isn't supported"),
		invalidSchema: t("The schema isn't valid"),
		remoteRef: t("The schema refers to other addresses, which aren't fetched"),
		tooLarge: t('The schema and the value are too large'),
		tooDeep: t('The schema or the value is nested too deeply'),
		tooSlow: t('The check was too slow'),
		unavailable: t("The schema checker couldn't be loaded"),
	}[why];
}
