/** The lines of the review of a form, and how typing filters them. */
import * as vscode from 'vscode';
import type { Field } from '../../mcp/index.js';
import { quickPickText, quickPickValue } from '../ui/plainText.js';
import { accepted } from '../ui/quickInput.js';

/** A line of the review that ends the form. Texts must be cleaned. */
export interface FormAction {
	readonly id: string;
	readonly label: string;
	readonly icon: string;
	/** Describes the result of the action. */
	readonly detail?: string;
}

/** A line of the review. */
export interface ReviewItem extends vscode.QuickPickItem {
	/** Only the whole label finds the line, because a part of it can be meant as the value of a field. */
	readonly isFoundWhole?: boolean;
	/** A line without a choice only informs. */
	readonly choice?: { readonly field: Field } | { readonly action: string } | 'submit' | 'cancel' | 'showAll';
}

/** Characters of a line that a quick pick of the usual width shows. */
const maxShown = 65;

/**
 * The line of a field. A value that doesn't fit beside the name is on a second line.
 * @param detail a problem or warning of the field, for the second line
 */
export function fieldItem(field: Field, value: string, icon: string, detail: string | undefined): ReviewItem {
	const label = quickPickText(`${field.title ?? field.name}${field.required ? ' *' : ''}`);
	const isBelow = detail === undefined && label.length + value.length > maxShown;
	return {
		label,
		...(isBelow ? { detail: value } : { description: value, ...(detail !== undefined && { detail }) }),
		iconPath: new vscode.ThemeIcon(icon),
		choice: { field },
	};
}

/** Describes a value for a line: choices by their titles, other values as JSON. */
export function describeValue(field: Field, value: unknown): string {
	if (field.kind !== 'choice' && field.kind !== 'choices') {
		return quickPickValue(value);
	}
	const chosen: readonly unknown[] = field.kind === 'choices' && Array.isArray(value) ? value : [value];
	const titles = chosen.map(one => field.options.find(it => it.value === one)?.title);
	return titles.every(it => it !== undefined) && titles.length > 0
		? quickPickText(titles.join(', '))
		: quickPickValue(value);
}

/** Waits for the line that the person chooses; `undefined` if the quick pick disappears. */
export async function chooseFrom(
	pick: vscode.QuickPick<ReviewItem>,
	lines: readonly ReviewItem[],
): Promise<ReviewItem | undefined> {
	let typed = '';
	const draw = (value: string): void => {
		const text = value.trim();
		if (text === typed) {
			return;
		}
		typed = text;
		pick.items = linesFor(lines, text);
		const field = lines.find(({ choice }) => typeof choice === 'object' && 'field' in choice);
		if (text === '' && field) {
			// Not Submit, so that Enter pressed twice doesn't submit earlier values.
			pick.activeItems = [field];
		}
	};
	const typing = pick.onDidChangeValue(draw);
	try {
		for (;;) {
			const item = await accepted(pick);
			if (!item || item.choice !== undefined) {
				return item;
			}
			pick.value = '';
			draw('');
		}
	} finally {
		typing.dispose();
	}
}

/**
 * The lines for a typed text, which the editor filters. A person who types a value here, instead of choosing its field
 * first, must not submit the earlier values: without a match, the line that explains this is the only one.
 */
function linesFor(lines: readonly ReviewItem[], text: string): readonly ReviewItem[] {
	if (text === '') {
		return lines;
	}
	const isFound = ({ isFoundWhole, label }: ReviewItem): boolean =>
		isFoundWhole !== true || label.toLowerCase() === text.toLowerCase();
	const note: ReviewItem = {
		// The editor finds lines by their labels, and this one must not come before a match.
		label: '$(info)',
		description: vscode.l10n.t('Typing only filters this list. To change a value, select it.'),
		alwaysShow: true,
	};
	// Lines keep their index, by which the editor reports the chosen line, perhaps before it has received these lines.
	return [...lines.map(it => (isFound(it) ? it : separator())), note];
}

export function separator(): ReviewItem {
	return { label: '', kind: vscode.QuickPickItemKind.Separator };
}

export function actionItem({ id, label, icon, detail }: FormAction): ReviewItem {
	return {
		label,
		iconPath: new vscode.ThemeIcon(icon),
		choice: { action: id },
		...(detail === undefined ? {} : { description: detail }),
	};
}
