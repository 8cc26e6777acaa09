/**
 * Asks a person about calls they did not start: first a notification, which never takes the focus, then
 * the sheet with every fact. One at a time; whatever disappears is a denial of this one call.
 */
import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.js';
import type { ApprovalRule, Caller, ToolCall } from '../../model/approval.js';
import type { Documents } from '../../host/documents.js';
import { accepted } from '../../host/formPick.js';
import { describeRule } from '../../host/messages.js';
import { notificationText, quickInputText, quickPickText, quickPickValue, titleText } from '../../host/plainText.js';

interface SheetItem extends vscode.QuickPickItem {
	/** Lines without one are facts, there to be read. */
	readonly choice?: 'allow' | 'deny' | 'showArguments';
}

export class Approvals {
	private readonly queue = new Sequencer();

	constructor(private readonly documents: Documents) {}

	/** True if the person allows exactly this call, once. */
	ask(call: ToolCall, rule: ApprovalRule): Promise<boolean> {
		return this.queue.run(async () => {
			const { t } = vscode.l10n;
			const review = t('Review');
			const deny = t('Deny');
			const what = t('{0}: {1} waits for you.', notificationText(call.server), notificationText(call.tool));
			const choice = await vscode.window.showInformationMessage(what, review, deny);
			return choice === review && (await showSheet(call, rule, this.documents));
		});
	}
}

function describeCaller(caller: Caller): string {
	const { t } = vscode.l10n;
	switch (caller.kind) {
		case 'person':
			return t('you');
		case 'command':
			return t('another extension or a keybinding');
		case 'extension':
			return t('the extension "{0}", as it says', quickInputText(caller.id, 60));
	}
}

async function showSheet(call: ToolCall, rule: ApprovalRule, documents: Documents): Promise<boolean> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<SheetItem>();
	try {
		pick.title = t('Allow "{0}" on {1}?', quickInputText(call.tool, 60), quickInputText(call.server, 40));
		pick.placeholder = t('Look at the arguments, then allow or deny');
		pick.ignoreFocusOut = true;
		const { arguments: args } = call;
		pick.items = [
			...Object.entries(args).map(([name, value]) => ({
				label: quickPickText(name),
				description: quickPickValue(value).text,
			})),
			{ label: t('asked by'), description: describeCaller(call.caller) },
			{ label: t('why asked'), description: describeRule(rule) },
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: t('Show Arguments in Full'), iconPath: new vscode.ThemeIcon('json'), choice: 'showArguments' },
			{ label: t('Allow Once'), iconPath: new vscode.ThemeIcon('check'), choice: 'allow' },
			{ label: t('Deny'), iconPath: new vscode.ThemeIcon('close'), choice: 'deny' },
		];
		for (;;) {
			const item = await accepted(pick);
			if (!item || item.choice === 'deny') {
				return false;
			}
			if (item.choice === 'allow') {
				return true;
			}
			if (item.choice === 'showArguments') {
				await documents.showJson(titleText(call.tool, call.server), args);
			}
		}
	} finally {
		pick.dispose();
	}
}
