/** Messages about pasted text, and descriptions of the servers in it. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { quickInputText } from '../../editor/ui/plainText.js';
import type { FoundServer, PasteProblem } from '../../core/addServer/pastedServer.js';
import { describeEntry } from '../../core/config/serverEntry.js';
import { withoutSecrets } from '../../core/config/serverInputs.js';
import type { NameProblem } from '../../core/addServer/serverName.js';

/** Why a text can't be used, and what to paste instead, for a validation message. */
export function describePasteProblem(problem: PasteProblem): string {
	const { t } = vscode.l10n;
	switch (problem.code) {
		case 'empty':
			return t('Paste a command line, a URL, or JSON');
		case 'tooLong':
			return t('This text is too long for a server configuration');
		case 'tooDeep':
			return t('This JSON is nested too deeply for a server configuration');
		case 'url':
			return t('This URL is a web page, not a server');
		case 'json':
			return t('Invalid JSON at character {0}', problem.offset + 1);
		case 'noServer':
			return t('No server found. A server has a "command" or a "url"');
		case 'installs':
			return t(
				'"{0}" installs a package. Run this command in a terminal, then paste the command that starts the server',
				quickInputText(problem.command),
			);
		case 'unclosedQuote':
			return t('Missing closing quotation mark');
		case 'shell':
			return t('"{0}" needs a shell. Paste one command, or wrap it: sh -c "…"', quickInputText(problem.operator));
		default:
			return assertNever(problem);
	}
}

export function describeNameProblem(problem: NameProblem): string {
	const { t } = vscode.l10n;
	switch (problem) {
		case 'empty':
			return t('Enter a name');
		case 'tooLong':
			return t('Names can have at most 100 characters');
		case 'unprintable':
			return t("Names can't contain line breaks, invisible characters, or surrounding spaces");
		case 'taken':
			return t('A server with this name already exists');
		default:
			return assertNever(problem);
	}
}

/** "stdio: npx -y package · Environment: KEY · Ignored: autoApprove", without secrets. The caller cleans it for its sink. */
export function describeFound({ entry, leftOut }: FoundServer): string {
	const { t } = vscode.l10n;
	const shown = withoutSecrets(entry);
	const names = Object.keys((shown.type === 'stdio' ? shown.env : shown.headers) ?? {}).join(', ');
	const parts = [`${entry.type}: ${describeEntry(shown)}`];
	if (names !== '') {
		parts.push(entry.type === 'stdio' ? t('Environment: {0}', names) : t('Headers: {0}', names));
	}
	if (leftOut.length > 0) {
		parts.push(t('Ignored: {0}', leftOut.join(', ')));
	}
	return parts.join(' · ');
}
