/**
 * Shows the answer in a document before a server gets it. Other extensions can write such documents and run the command
 * that sends them, so only what the person has seen here is sent.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import type { JsonObject } from '../../mcp/index.js';
import type { Documents } from '../../editor/documents/documents.js';
import { exactValue, spelledOut } from '../../editor/ui/exactText.js';
import { iconless, quickInputText, quickPickText, titleText, visibleJson } from '../../editor/ui/plainText.js';
import { acceptedOnSheet, closeInput } from '../../editor/ui/quickInput.js';

type Choice = 'submit' | 'back' | 'showAll';

interface ReviewItem extends vscode.QuickPickItem {
	readonly choice?: Choice;
}

/** Letters of common width that the quick pick shows beside a label. */
const width = 64;
/** Lines of one value. */
const maxLines = 4;
const maxMembers = 12;

/**
 * True if the person submits the answer. An answer that doesn't fit can be submitted after it was shown in full.
 * @param whose the server's label
 * @param signal closes it, as if the person went back
 */
export async function reviewAnswer(
	whose: string,
	content: JsonObject,
	documents: Documents,
	signal?: AbortSignal,
): Promise<boolean> {
	const { t } = vscode.l10n;
	const pick = vscode.window.createQuickPick<ReviewItem>();
	const aborted = signal && onAbort(signal, () => pick.hide());
	try {
		pick.title = t('Submit this answer to {0}?', quickInputText(whose, 60));
		pick.placeholder = t('Review what the server will get');
		pick.ignoreFocusOut = true;
		const { items, isWhole } = contentItems(content);
		let isSeen = isWhole;
		for (;;) {
			if (signal?.aborted === true) {
				return false;
			}
			pick.items = [...items, ...(isSeen ? [] : [partial()]), ...choices(isSeen)];
			// Enter alone sends nothing.
			pick.activeItems = pick.items.slice(0, 1);
			const item = await acceptedOnSheet(pick);
			switch (item?.choice) {
				case 'submit':
					return true;
				case 'showAll':
					await documents.show(titleText(t('answer'), whose), visibleJson(content));
					isSeen = true;
					break;
				case 'back':
					return false;
				case undefined:
					if (!item) {
						return false;
					}
			}
		}
	} finally {
		aborted?.dispose();
		closeInput(pick);
	}
}

function contentItems(content: JsonObject): { readonly items: ReviewItem[]; readonly isWhole: boolean } {
	const members = Object.entries(content);
	let isWhole = members.length <= maxMembers;
	const items = members.slice(0, maxMembers).flatMap(([name, value]) => {
		const { lines, isExact } = exactValue(value, width, maxLines);
		isWhole &&= isExact && quickPickText(name, 40) === name && spelledOut(name) === name;
		return lines.map((line, index): ReviewItem => ({
			label: index === 0 ? quickPickText(name, 40) : '…',
			description: iconless(line),
		}));
	});
	const empty: ReviewItem = { label: vscode.l10n.t('The answer is empty') };
	return { items: members.length === 0 ? [empty] : items, isWhole };
}

function partial(): ReviewItem {
	return {
		label: vscode.l10n.t('Part of the answer is not shown here'),
		iconPath: new vscode.ThemeIcon('warning'),
		choice: 'showAll',
	};
}

function choices(isSeen: boolean): ReviewItem[] {
	const { t } = vscode.l10n;
	return [
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		isSeen
			? { label: t('Submit'), iconPath: new vscode.ThemeIcon('check'), choice: 'submit' }
			: {
					label: t('Submit'),
					iconPath: new vscode.ThemeIcon('lock'),
					choice: 'showAll',
					description: t('Opens the full view first'),
				},
		{ label: t('Back'), iconPath: new vscode.ThemeIcon('arrow-left'), choice: 'back' },
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: t('Show Answer in Full'), iconPath: new vscode.ThemeIcon('json'), choice: 'showAll' },
	];
}
