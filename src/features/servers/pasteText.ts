/** Words about what was pasted. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { quickInputText } from '../../editor/ui/plainText.js';
import type { FoundServer, PasteProblem } from '../../core/addServer/pastedServer.js';
import { describeEntry } from '../../core/config/serverEntry.js';
import { withoutSecrets } from '../../core/config/serverInputs.js';
import type { NameProblem } from '../../core/addServer/serverName.js';

/** What is wrong with a text, and what to paste instead. */
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
			return t('This is the address of a page, not of a server');
		case 'json':
			return t('This is not valid JSON, from character {0} on', problem.offset + 1);
		case 'noServer':
			return t('There is no server in it: one has a "command" or a "url"');
		case 'installs':
			return t(
				'"{0}" installs something. Run it in a terminal, and paste the line that starts the server',
				quickInputText(problem.command),
			);
		case 'unclosedQuote':
			return t('A quotation mark is not closed');
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
			return t('A server needs a name');
		case 'tooLong':
			return t('A name has at most 100 characters');
		case 'unprintable':
			return t('A name has no line breaks or invisible characters, and no blanks around it');
		case 'taken':
			return t('There is a server of this name already');
		default:
			return assertNever(problem);
	}
}

/** "stdio: npx -y package · environment: KEY · left out: autoApprove"; not yet cleaned for a sink. */
export function describeFound({ entry, leftOut }: FoundServer): string {
	const { t } = vscode.l10n;
	const shown = withoutSecrets(entry);
	const names = Object.keys((shown.type === 'stdio' ? shown.env : shown.headers) ?? {}).join(', ');
	const parts = [`${entry.type}: ${describeEntry(shown)}`];
	if (names !== '') {
		parts.push(entry.type === 'stdio' ? t('environment: {0}', names) : t('headers: {0}', names));
	}
	if (leftOut.length > 0) {
		parts.push(t('left out: {0}', leftOut.join(', ')));
	}
	return parts.join(' · ');
}
