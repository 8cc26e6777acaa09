/** The sheets about a sign-in: the facts, then the choice. Closing a sheet decides nothing. */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import { reportErrors } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { adviseOnGuess, describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { quickInputText, quickPickLines } from '../../editor/ui/plainText.js';
import { acceptedOnSheet, closeInput } from '../../editor/ui/quickInput.js';
import type { SignInNeed } from '../../mcp/index.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';

interface SheetItem extends vscode.QuickPickItem {
	readonly isYes?: boolean;
	readonly run?: () => unknown;
}

interface Sheet {
	readonly title: string;
	readonly placeholder: string;
	readonly facts: readonly (readonly [label: string, text: string])[];
	readonly yes: string;
	readonly no: string;
	readonly icon: string;
	/** Further choices, which leave the question open. */
	readonly others?: readonly SheetItem[];
}

/** Letters that the quick pick shows beside a label. */
const width = 64;

/** Asks whether to open the browser. `aside` if the sheet was closed without an answer. */
export function askSignIn(
	{ name, source, offset }: ServerDefinition,
	need: SignInNeed,
	signal: AbortSignal,
): Promise<boolean | 'aside'> {
	const { t } = vscode.l10n;
	const edit = {
		label: t('Edit Configuration'),
		iconPath: new vscode.ThemeIcon('edit'),
		run: () => vscode.commands.executeCommand(Commands.openConfiguration, { uri: source.uri, offset }),
	};
	const isMore = need.why === 'moreScopes';
	return showSheet(
		{
			title: isMore
				? t('Grant "{0}" more permissions?', quickInputText(name, 60))
				: t('Sign in to "{0}"?', quickInputText(name, 60)),
			placeholder: t('Review the request before opening the browser'),
			facts: [
				[t('Reason'), describeNeed(need)],
				[t('Server'), need.server],
				[t('Authorization server'), need.issuer],
				[t('Scopes'), describeScopes(need.scopes)],
				...(need.isGuess ? [[t('Warning'), adviseOnGuess()] as const] : []),
			],
			yes: isMore ? t('Open Browser') : t('Sign In'),
			no: t('Not Now'),
			icon: 'key',
			...(need.isGuess && { others: [edit] }),
		},
		signal,
	);
}

/** Asks whether a server on the internet may send us to an address of the private network. */
export function askVisit(name: string, url: string, server: string, signal: AbortSignal): Promise<boolean | 'aside'> {
	const { t } = vscode.l10n;
	return showSheet(
		{
			title: t('Allow "{0}" to contact a private address?', quickInputText(name, 60)),
			placeholder: t('Servers on the internet rarely need this'),
			facts: [
				[t('Server'), server],
				[t('Address'), url],
			],
			yes: t('Allow'),
			no: t('Deny'),
			icon: 'warning',
		},
		signal,
	);
}

async function showSheet(sheet: Sheet, signal: AbortSignal): Promise<boolean | 'aside'> {
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
			...(sheet.others ?? []),
			{ label: sheet.no, iconPath: new vscode.ThemeIcon('close'), isYes: false },
		];
		while (!signal.aborted) {
			const item = await acceptedOnSheet(pick);
			if (!item) {
				return 'aside';
			}
			if (item.run) {
				void reportErrors(item.run);
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
