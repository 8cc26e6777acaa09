/** Messages about pasted text, and descriptions of the servers in it. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { quickInputText } from '../../editor/ui/plainText.js';
import { shownAddress } from '../../editor/ui/shownNames.js';
import type { FoundServer, PasteProblem } from '../../core/addServer/foundServer.js';
import { describeEntry } from '../../core/config/serverEntry.js';
import { withoutSecrets } from '../../core/config/serverInputs.js';
import type { NameProblem } from '../../core/addServer/serverName.js';

/** Why a text can't be used, and what to paste instead, for a validation message. */
export function describePasteProblem(problem: PasteProblem): string {
	const { t } = vscode.l10n;
	switch (problem.code) {
		case 'empty':
			return t('Paste a command line, a URL, an install link, or a configuration');
		case 'tooLong':
			return t('This text is too long for a server configuration');
		case 'tooDeep':
			return t('This JSON is nested too deeply for a server configuration');
		case 'url':
			return t('This URL is a web page, not a server');
		case 'json':
			return t('Invalid JSON at character {0}', problem.offset + 1);
		case 'format':
			return t(
				"This looks like {0}, but it isn't valid. Copy the text with its line breaks, and paste it again",
				problem.format,
			);
		case 'otherFile':
			return t('This looks like {0}, and it has no server that can be added', quickInputText(problem.file));
		case 'link':
			return t(
				'This looks like a link for {0}, and it has no server that can be added',
				quickInputText(problem.product),
			);
		case 'bundle':
			return t('This looks like an MCP bundle. Unpack it, and paste the text of its manifest.json');
		case 'package':
			return t(
				'This looks like server.json. Install its package (type "{0}"), and paste the command that starts the server',
				quickInputText(problem.registry),
			);
		case 'httpPackage':
			return t(
				'This server has to be started by hand: {0}. Start it, and paste its URL: {1}',
				quickInputText(problem.command),
				shownAddress(problem.url),
			);
		case 'noServer':
			return t('No server found. A server has a "command" or a "url"');
		case 'installs':
			return t(
				'"{0}" installs a server. Run this command in a terminal, then paste the command that starts the server',
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
