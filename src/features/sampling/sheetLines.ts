/** The rows of the sheets of sampling requests: texts on as many rows as there is room for, facts, and choices. */
import * as vscode from 'vscode';
import { quickInputText, quickPickLines, visibleJson } from '../../editor/ui/plainText.js';

export interface SheetItem<C> extends vscode.QuickPickItem {
	/** Choosing an item without one does nothing. */
	readonly choice?: C;
}

/** Letters that the quick pick shows beside a label. */
const width = 64;
/** Lines of one text; the full view has the rest. */
export const maxLines = 4;
/** Letters that are broken into lines. The number of further lines is an estimate. */
const maxBroken = 10_000;

/** The rows of a text, with a row that says how many lines are missing. */
export function textLines<const C = never>(
	label: string,
	text: string,
	icon: string,
	choice?: C,
	most = maxLines,
): SheetItem<C>[] {
	const begin = text.slice(0, maxBroken);
	const lines = quickPickLines(begin, width);
	const shown = lines.slice(0, most).map((description, index): SheetItem<C> => {
		const head = index === 0 ? { label, iconPath: new vscode.ThemeIcon(icon) } : { label: '…' };
		return { ...head, description, ...(choice !== undefined && { choice }) };
	});
	const more = lines.length - shown.length + Math.ceil((text.length - begin.length) / width);
	return more <= 0
		? shown
		: [
				...shown,
				{ label: '…', description: vscode.l10n.t('{0} more lines', more), ...(choice !== undefined && { choice }) },
			];
}

/** Whether a text takes at most that many lines and has no hidden characters. */
export function fits(text: string, most: number): boolean {
	return (
		text.length <= maxBroken && quickPickLines(text, width).length <= most && visibleJson(text) === JSON.stringify(text)
	);
}

/** The end of a text, as much as a placeholder has room for; empty if there is nothing to see. */
export function tail(text: string): string {
	// A pair of UTF-16 units isn't cut.
	const end = text.slice(-width).replace(/^[\uDC00-\uDFFF]/, '');
	return quickInputText(text.length > width ? `…${end}` : end, 2 * width);
}

export function fact<const C = never>(label: string, description: string, icon: string, choice?: C): SheetItem<C> {
	return { label, description, iconPath: new vscode.ThemeIcon(icon), ...(choice !== undefined && { choice }) };
}

export function line<const C>(label: string, icon: string, choice: C, description = ''): SheetItem<C> {
	return { label, iconPath: new vscode.ThemeIcon(icon), choice, description };
}

export function separatorItem(): SheetItem<never> {
	return { label: '', kind: vscode.QuickPickItemKind.Separator };
}
