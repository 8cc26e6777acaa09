/** The lines of a form's review: what they say, and what typing into their list leaves of them. */
import * as vscode from 'vscode';
import type { Field } from '../../mcp/index.js';
import { quickPickText, quickPickValue, quickPickWidth } from '../ui/plainText.js';
import { accepted, acceptedOnSheet } from '../ui/quickInput.js';

/** A line of the review, and a button of each step. Texts are cleaned for a quick pick already. */
export interface FormWay {
	readonly id: string;
	readonly label: string;
	readonly icon: string;
	/** What comes of it. */
	readonly detail?: string;
	/** Nothing to be chosen by a slip of the hand: no button of a step, and no match of a part of its label. */
	readonly isLineOnly?: boolean;
	/** An alternative to submitting. If there is one, it and Submit are above the fields, so that both are always visible. */
	readonly isDecision?: boolean;
}

/** A line of the review. */
export interface ReviewItem extends vscode.QuickPickItem {
	/** Only the whole label finds it: a part of it can be meant as the value of a field. */
	readonly isFoundWhole?: boolean;
	/** A line without it does nothing. */
	readonly choice?: { readonly field: Field } | { readonly way: string } | 'submit' | 'cancel' | 'showAll';
}

/** Letters of common width that a line has room for beside its icon, in a quick pick of the usual width. */
const lineWidth = 70;

/**
 * The line of a field. A value that has no room beside the name is on a line of its own, below the name.
 * @param warning what a person should know before they fill in the field, in our own words; takes the second line
 * @param heading stands at the end of the first line
 */
export function fieldItem(
	field: Field,
	value: string,
	icon: string,
	warning: string | undefined,
	heading: string | undefined,
): ReviewItem {
	const label = quickPickText(`${field.title ?? field.name}${field.required ? ' *' : ''}`);
	const isBelow = warning === undefined && widthOf(label, value, heading) > lineWidth;
	return {
		label,
		...(isBelow ? { detail: value } : { description: value }),
		...(warning === undefined ? {} : { detail: `$(warning) ${warning}` }),
		iconPath: new vscode.ThemeIcon(icon),
		choice: { field },
	};
}

/**
 * Whether the quick pick cuts a line.
 * @param heading stands at the end of the first line
 */
export function isLineCut({ label, description, detail }: ReviewItem, heading: string | undefined): boolean {
	return Math.max(widthOf(label, description, heading), widthOf(detail)) > lineWidth;
}

/** The width of texts beside each other. */
function widthOf(...texts: readonly (string | undefined)[]): number {
	const widths = texts.map(it => (it === undefined || it === '' ? 0 : quickPickWidth(it) + 1));
	return widths.reduce((sum, it) => sum + it, 0) - 1;
}

/** What is chosen from a list is named as the list names it. */
export function describeValue(field: Field, value: unknown): string {
	if (field.kind !== 'choice' && field.kind !== 'choices') {
		return quickPickValue(value).text;
	}
	const chosen: readonly unknown[] = field.kind === 'choices' && Array.isArray(value) ? value : [value];
	const titles = chosen.map(one => field.options.find(it => it.value === one)?.title);
	return titles.every(it => it !== undefined) && titles.length > 0
		? quickPickText(titles.join(', '))
		: quickPickValue(value).text;
}

/** The line that the person chooses, or `undefined` when the pick disappears. */
export async function chooseFrom(
	pick: vscode.QuickPick<ReviewItem>,
	lines: readonly ReviewItem[],
	isSheet: boolean,
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
			const item = await (isSheet ? acceptedOnSheet(pick) : accepted(pick));
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
		description: vscode.l10n.t('Typing only filters this list; choose a line to change its value'),
		alwaysShow: true,
	};
	// Each line keeps its index, by which the editor says what was chosen, perhaps before it has these lines.
	return [...lines.map(it => (isFound(it) ? it : separator())), note];
}

export function separator(): ReviewItem {
	return { label: '', kind: vscode.QuickPickItemKind.Separator };
}

export function wayItem({ id, label, icon, detail, isLineOnly = false }: FormWay): ReviewItem {
	return {
		label,
		iconPath: new vscode.ThemeIcon(icon),
		choice: { way: id },
		isFoundWhole: isLineOnly,
		...(detail === undefined ? {} : { description: detail }),
	};
}
