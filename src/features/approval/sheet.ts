/**
 * Asks a person about a call: where they did not start it, first a notification, which never takes the focus; then the
 * sheet with every fact. Whatever disappears is a denial of this one call.
 */
import * as vscode from 'vscode';
import { onAbort, raceAbort, type Sequencer } from '../../base/async.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../../model/approver.js';
import { describeCaller, describeReason } from '../../host/approvalWords.js';
import type { Documents } from '../../host/documents.js';
import { accepted } from '../../host/formPick.js';
import { notificationText, quickInputText, quickPickText, quickPickValue, titleText } from '../../host/plainText.js';

export interface SheetDeps {
	readonly documents: Documents;
	/** One question at a time, whatever it is about. */
	readonly questions: Sequencer;
}

interface SheetItem extends vscode.QuickPickItem {
	/** Lines without one are facts, there to be read. */
	readonly choice?: 'allow' | 'deny' | 'showArguments';
}

const denied: ApprovalAnswer = { kind: 'deny', lasts: 'once' };

export async function askApproval(
	question: ApprovalQuestion,
	signal: AbortSignal,
	deps: SheetDeps,
): Promise<ApprovalAnswer> {
	const { caller, definition, tool } = question.request;
	if (caller.kind !== 'person') {
		const { t } = vscode.l10n;
		const review = t('Review');
		const what = t('{0}: {1} waits for you.', notificationText(definition.name), notificationText(tool.name));
		// A message cannot be withdrawn: nobody waits for that of a call that was given up.
		const choice = vscode.window.showInformationMessage(what, review, t('Deny'));
		if ((await raceAbort(Promise.resolve(choice), signal)) !== review) {
			return denied;
		}
	}
	return deps.questions.run(() => showSheet(question, signal, deps.documents));
}

async function showSheet(
	{ request, decision }: ApprovalQuestion,
	signal: AbortSignal,
	documents: Documents,
): Promise<ApprovalAnswer> {
	const { t } = vscode.l10n;
	const { caller, definition, tool, arguments: args } = request;
	const pick = vscode.window.createQuickPick<SheetItem>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = t('Allow "{0}" on {1}?', quickInputText(tool.name, 60), quickInputText(definition.name, 40));
		pick.placeholder = t('Look at the arguments, then allow or deny');
		pick.ignoreFocusOut = true;
		pick.items = [
			...Object.entries(args).map(([name, value]) => ({
				label: quickPickText(name),
				description: quickPickValue(value).text,
			})),
			{ label: t('asked by'), description: describeCaller(caller) },
			{ label: t('why asked'), description: describeReason(decision.reason) },
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: t('Show Arguments in Full'), iconPath: new vscode.ThemeIcon('json'), choice: 'showArguments' },
			{ label: t('Allow Once'), iconPath: new vscode.ThemeIcon('check'), choice: 'allow' },
			{ label: t('Deny'), iconPath: new vscode.ThemeIcon('close'), choice: 'deny' },
		];
		while (!signal.aborted) {
			const item = await accepted(pick);
			if (!item || item.choice === 'deny') {
				return denied;
			}
			if (item.choice === 'allow') {
				return { kind: 'allow', arguments: args, lasts: 'once', about: 'tool' };
			}
			if (item.choice === 'showArguments') {
				await documents.showJson(titleText(tool.name, definition.name), args);
			}
		}
		return denied;
	} finally {
		aborted.dispose();
		pick.dispose();
	}
}
