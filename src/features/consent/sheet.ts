/**
 * The sheet that a server of a workspace is shown on before it starts: every fact, then the choice. Whatever disappears
 * is a no, for this time.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import { Commands } from '../../host/contributions.js';
import type { Documents } from '../../host/documents.js';
import { accepted } from '../../host/formPick.js';
import { quickInputText, quickPickLines, titleText, visibleJson } from '../../host/plainText.js';
import type { ConsentQuestion } from '../../model/consents.js';
import { describeQuestion, type Fact, type FactDeps, questionData } from './facts.js';

export interface SheetDeps extends FactDeps {
	readonly documents: Documents;
}

interface SheetItem extends vscode.QuickPickItem {
	/** Lines without one are facts, there to be read. */
	readonly choice?: 'start' | 'leave' | 'showAll' | 'open';
}

/** Letters that the quick pick shows beside a label. */
const width = 64;
/** Lines of one fact; the document has the rest. */
const maxLines = 6;

/** True if the person lets exactly this start; `undefined` if the sheet disappears without an answer. */
export async function askConsent(
	question: ConsentQuestion,
	signal: AbortSignal,
	deps: SheetDeps,
): Promise<boolean | undefined> {
	const { t } = vscode.l10n;
	const { name, source, offset } = question.definition;
	const pick = vscode.window.createQuickPick<SheetItem>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = t('Start "{0}"?', quickInputText(name, 60));
		pick.placeholder = t('Look at what it runs, then start it or not');
		pick.ignoreFocusOut = true;
		const described = describeQuestion(question, deps);
		const facts = described.flatMap(toItems);
		let isSeen = facts.every(it => it.choice !== 'showAll') && !described.some(it => it.mustBeSeen);
		pick.items = itemsOf(facts, isSeen);
		while (!signal.aborted) {
			const item = await accepted(pick);
			switch (item?.choice) {
				case 'start':
					return !signal.aborted;
				case 'showAll':
					await deps.documents.show(titleText(t('Start'), name), visibleJson(questionData(question, deps)));
					if (!isSeen) {
						isSeen = true;
						pick.items = itemsOf(facts, isSeen);
					}
					break;
				case 'open':
					await vscode.commands.executeCommand(Commands.openConfiguration, { uri: source.uri, offset });
					break;
				case 'leave':
					return false;
				case undefined:
					if (!item) {
						return undefined;
					}
			}
		}
		return false;
	} finally {
		aborted.dispose();
		pick.dispose();
	}
}

/** @param isSeen nobody can start what they have not seen the end of */
function itemsOf(facts: readonly SheetItem[], isSeen: boolean): SheetItem[] {
	const { t } = vscode.l10n;
	return [
		...facts,
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: t('Show in Full'), iconPath: new vscode.ThemeIcon('json'), choice: 'showAll' },
		{
			label: t('Start'),
			iconPath: new vscode.ThemeIcon('debug-start'),
			...(isSeen
				? { choice: 'start' as const }
				: { description: t('once it was shown in full'), choice: 'showAll' as const }),
		},
		{ label: t("Don't Start"), iconPath: new vscode.ThemeIcon('close'), choice: 'leave' },
	];
}

function toItems({ label, text, isPlace }: Fact): SheetItem[] {
	const lines = quickPickLines(text, width);
	const shown = lines.slice(0, maxLines).map((line, index): SheetItem => {
		return {
			label: index === 0 ? label : '…',
			description: line,
			...(isPlace === true && { choice: 'open', iconPath: new vscode.ThemeIcon('go-to-file') }),
		};
	});
	const more = lines.length - shown.length;
	return more === 0
		? shown
		: [
				...shown,
				{
					label: vscode.l10n.t('{0} more lines', more),
					iconPath: new vscode.ThemeIcon('warning'),
					description: vscode.l10n.t('are shown in full only'),
					choice: 'showAll',
				},
			];
}
