/** The facts about a call that needs approval: as rows of the sheet, and in full as a document. */
import * as vscode from 'vscode';
import { describeCaller, describeChange, describeHints, describeReason } from '../../editor/l10n/approvalWords.js';
import { boundedDocument, exactJson, isPlainName, listNames } from '../../editor/ui/exactText.js';
import { describeList, describeNumber, describeSize } from '../../editor/l10n/messages.js';
import { iconless, jsonText, quickPickText, sectionsText } from '../../editor/ui/plainText.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import { certainlyOutside, type PathScope } from '../../core/approvals/approval.js';
import { type Row, type SheetFact, sheetRows } from './sheetRows.js';

/** A row of the sheet. Choosing one that has no `choice` does nothing. */
export interface FactItem extends vscode.QuickPickItem {
	readonly choice?: 'showDiff' | 'showAll' | 'openPolicy';
}

interface CallFact extends SheetFact {
	/** Set if the row opens the policy that decided. */
	readonly choice?: 'openPolicy';
}

/** Longest name of a tool that the title has room for. Labels of servers are shorter. */
export const titleRoom = 60;

/**
 * The rows above the choices. If not every character of the call is among them, one of them has the choice `showAll`.
 * @param secrets names of the arguments that contain a server's secret
 * @param serverLabel the server's label
 * @param isOpened whether the person has opened the full view
 */
export function factItems(
	question: ApprovalQuestion,
	secrets: readonly string[],
	serverLabel: string,
	isOpened: boolean,
): FactItem[] {
	const { t } = vscode.l10n;
	const { request, input, comparison } = question;
	const isChanged = input.lock === 'changed';
	const facts = factsOf(question);
	const areNamesExact = isPlainName(request.tool.name, titleRoom) && isPlainName(serverLabel, titleRoom);
	const rows = sheetRows(request.arguments, facts, warningFacts(secrets), isChanged ? 1 : 0, areNamesExact);
	return [
		...(isChanged
			? [
					separator(t('Change')),
					{
						label: t('Definition changed'),
						description: describeChange(comparison.changes),
						iconPath: new vscode.ThemeIcon('diff'),
						choice: 'showDiff' as const,
					},
				]
			: []),
		separator(t('Arguments')),
		...(rows.arguments.length > 0
			? rows.arguments.map(it => toItem(it, 'symbol-field'))
			: [{ label: t('No arguments') }]),
		...(rows.isExact ? [] : [announcement(question, rows.hiddenArguments, isOpened)]),
		separator(t('About this call')),
		...rows.facts.flatMap((factRows, index) => factRows.map(row => aboutItem(row, facts[index]?.choice))),
		...rows.warnings.map(it => toItem(it, 'warning')),
	];
}

/** The full view: everything about the call, nothing cut. Undefined if it is too large to be shown. */
export function factsText(
	question: ApprovalQuestion,
	secrets: readonly string[],
	serverLabel: string,
): string | undefined {
	const { t } = vscode.l10n;
	const { tool, arguments: args } = question.request;
	const about = [...factsOf(question), ...warningFacts(secrets)];
	return boundedDocument(
		sectionsText([
			[t('Tool'), jsonText(tool.name)],
			[t('Server'), jsonText(serverLabel)],
			[t('Arguments'), exactJson(args)],
			[t('About this call'), about.map(it => t('{0}: {1}', it.label, it.text).replaceAll('\n', ' ')).join('\n')],
		]),
	);
}

function factsOf({ request, input, decision, comparison }: ApprovalQuestion): CallFact[] {
	const { t } = vscode.l10n;
	const hints = describeHints(request.tool.annotations);
	const { kind } = decision.reason;
	const isInPolicy = kind === 'rule' || kind === 'otherwise' || kind === 'broken';
	const differsFromLock = kind === 'changedPin' && comparison.lock === 'changed';
	const reason = differsFromLock
		? t("The tool's definition differs from mcp-lock.json")
		: describeReason(decision.reason);
	return [
		{ label: t('Caller'), text: describeCaller(request.caller) },
		{ label: t('Paths'), text: describePathScope(input.facts.pathScope) },
		{
			label: t('Server claims'),
			text: hints.length > 0 ? t('Unverified: {0}', describeList(hints)) : t('No hints about what the tool does'),
		},
		{ label: t('Reason'), text: reason, ...(isInPolicy && { choice: 'openPolicy' }) },
	];
}

function warningFacts(secrets: readonly string[]): CallFact[] {
	const { t } = vscode.l10n;
	return secrets.map(it => ({
		label: t('Warning'),
		text: t('{0} contains a secret stored for a server', quickPickText(it, 60)),
	}));
}

/** The row that says what the sheet doesn't show exactly, and opens the full view. */
function announcement({ request }: ApprovalQuestion, hidden: number, isOpened: boolean): FactItem {
	const { t } = vscode.l10n;
	const all = Object.keys(request.arguments).length;
	const size = describeSize(new TextEncoder().encode(jsonText(request.arguments)).length);
	const description =
		hidden > 0
			? t("{0} of {1} arguments aren't fully shown ({2} in total)", describeNumber(hidden), describeNumber(all), size)
			: t("Some details of this call aren't fully shown");
	return {
		label: isOpened ? t('Show in Full Again') : t('Show in Full'),
		description,
		iconPath: new vscode.ThemeIcon(isOpened ? 'json' : 'warning'),
		choice: 'showAll',
	};
}

function aboutItem({ label, text }: Row, choice: CallFact['choice']): FactItem {
	return {
		label: label || '…',
		description: iconless(text),
		...(choice && { choice, iconPath: new vscode.ThemeIcon('go-to-file') }),
	};
}

function toItem({ label, text }: Row, icon: string): FactItem {
	const iconPath = new vscode.ThemeIcon(label === '' ? 'blank' : icon);
	return { label: label === '' ? '…' : iconless(label), description: iconless(text), iconPath };
}

function separator(label: string): FactItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function describePathScope(pathScope: PathScope): string {
	const { t } = vscode.l10n;
	const none = t('None found in the arguments');
	const outside = listNames(certainlyOutside(pathScope));
	const unclear = listNames(pathScope.unclear);
	if (outside !== '' && unclear !== '') {
		return t('Outside the workspace: {0}; possibly outside: {1}', outside, unclear);
	}
	if (outside !== '') {
		return t('Outside the workspace: {0}', outside);
	}
	return unclear !== '' ? t('Possibly outside the workspace: {0}', unclear) : listNames(pathScope.roots, none) || none;
}
