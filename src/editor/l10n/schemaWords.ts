/** What a value is against its schema, in words. Keywords and places say enough; the rest is the server's. */
import * as vscode from 'vscode';
import type { SchemaCheck, SchemaProblem, UncheckedReason } from '../../mcp/index.js';
import { webviewText } from '../ui/plainText.js';

/** A sentence for the whole. */
export function describeCheck(check: SchemaCheck): string {
	const { t } = vscode.l10n;
	switch (check.kind) {
		case 'valid':
			return t('As its schema promises.');
		case 'invalid': {
			const { problems, complete } = check;
			const [first] = problems;
			const said = first ? describeSchemaProblem(first) : '';
			const place = webviewText(first?.path ?? '', 100) || '/';
			const others = problems.length - 1;
			return others === 0 && complete
				? t('Against its schema, at {0}: {1}.', place, said)
				: t('Against its schema, at {0}: {1}; and {2} more.', place, said, complete ? others : `${others}+`);
		}
		case 'unchecked':
			return t('Not checked against its schema: {0}.', describeUnchecked(check.why));
	}
}

/** A clause without a full stop. */
export function describeSchemaProblem({ code, data }: SchemaProblem): string {
	const { t } = vscode.l10n;
	const about = (key: string): string => webviewText(String(data[key] ?? ''), 80);
	switch (code) {
		case 'required':
			return t('"{0}" is missing', about('missingProperty'));
		case 'additionalProperties':
			return t('"{0}" is not allowed', about('additionalProperty'));
		case 'type':
			return t('it must be of the type {0}', about('type'));
		case 'enum':
			return t('it is none of the values that are allowed');
		case 'minimum':
			return t('it must be at least {0}', about('limit'));
		case 'maximum':
			return t('it must be at most {0}', about('limit'));
		default:
			return t('it breaks the rule "{0}"', webviewText(code, 40));
	}
}

/** A clause without a full stop. */
export function describeUnchecked(why: UncheckedReason): string {
	const { t } = vscode.l10n;
	switch (why) {
		case 'unknownDialect':
			return t('it is in a dialect that is not known');
		case 'invalidSchema':
			return t('the schema is not valid itself');
		case 'remoteRef':
			return t('the schema leads to other addresses, which are not fetched');
		case 'unsupportedPattern':
			return t('a pattern in it cannot be checked safely');
		case 'unsupportedName':
			return t('a name in it cannot be checked safely');
		case 'tooLarge':
			return t('the schema is too large');
		case 'tooDeep':
			return t('it is nested too deeply');
		case 'tooCostly':
			return t('it would take too long');
		case 'unavailable':
			return t('the checker could not be loaded');
	}
}
