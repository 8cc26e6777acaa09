/** Questions about signing in: every fact first, then the choice. Closing the sheet decides nothing. */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import { describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { quickInputText, quickPickLines } from '../../editor/ui/plainText.js';
import { acceptedOnSheet, closeInput } from '../../editor/ui/quickInput.js';
import type { SignInNeed } from '../../mcp/index.js';

interface SheetItem extends vscode.QuickPickItem {
	readonly isYes?: boolean;
}

interface Sheet {
	readonly title: string;
	readonly placeholder: string;
	readonly facts: readonly (readonly [label: string, text: string])[];
	readonly yes: string;
	readonly no: string;
	readonly icon: string;
}

/** Letters that the quick pick shows beside a label. */
const width = 64;

/** Whether to open the browser. */
export function askSignIn(name: string, need: SignInNeed, signal: AbortSignal): Promise<boolean | 'aside'> {
	const { t } = vscode.l10n;
	const isMore = need.why === 'moreScopes';
	return ask(
		{
			title: isMore
				? t('Allow "{0}" more?', quickInputText(name, 60))
				: t('Sign in to "{0}"?', quickInputText(name, 60)),
			placeholder: t('Review the request before opening the browser'),
			facts: [
				[t('Reason'), describeNeed(need)],
				[t('Server'), need.server],
				[t('Authorization server'), need.issuer],
				[t('Scopes'), describeScopes(need.scopes)],
				...(need.isGuess
					? [[t('Warning'), t('the authorization server is a guess; the server may want a key in "headers"')] as const]
					: []),
			],
			yes: isMore ? t('Open the Browser') : t('Sign In'),
			no: t('Not Now'),
			icon: 'key',
		},
		signal,
	);
}

/** Whether an address of the own network may be asked, to which a server on the web leads. */
export function askVisit(name: string, url: string, server: string, signal: AbortSignal): Promise<boolean | 'aside'> {
	const { t } = vscode.l10n;
	return ask(
		{
			title: t('Let "{0}" lead to your own network?', quickInputText(name, 60)),
			placeholder: t('A server on the web should seldom need this'),
			facts: [
				[t('Server'), server],
				[t('Leads to'), url],
			],
			yes: t('Ask This Address'),
			no: t('Do Not'),
			icon: 'warning',
		},
		signal,
	);
}

async function ask(sheet: Sheet, signal: AbortSignal): Promise<boolean | 'aside'> {
	const pick = vscode.window.createQuickPick<SheetItem>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = sheet.title;
		pick.placeholder = sheet.placeholder;
		pick.ignoreFocusOut = true;
		pick.items = [
			...sheet.facts.flatMap(([label, text]) =>
				quickPickLines(text, width).map((description, index) => ({ label: index === 0 ? label : '…', description })),
			),
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: sheet.yes, iconPath: new vscode.ThemeIcon(sheet.icon), isYes: true },
			{ label: sheet.no, iconPath: new vscode.ThemeIcon('close'), isYes: false },
		];
		while (!signal.aborted) {
			const item = await acceptedOnSheet(pick);
			if (!item) {
				return 'aside';
			}
			if (item.isYes !== undefined) {
				return signal.aborted ? 'aside' : item.isYes;
			}
		}
		return 'aside';
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}
