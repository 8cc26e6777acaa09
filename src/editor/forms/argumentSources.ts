/** Sources for the value of an argument besides typing: the selection, the active file, a text editor. */
import * as vscode from 'vscode';
import { describeSize } from '../l10n/messages.js';
import type { TextEditing } from '../documents/textEditing.js';

export interface ArgumentSource {
	readonly label: string;
	readonly icon: string;
	/**
	 * Gives the value; `undefined` if the person discarded it.
	 * @param before the text in the input
	 * @throws Error with a message for the person if the value can't be used
	 */
	readonly read: (before: string) => Promise<string | undefined>;
}

/** Largest value, in characters: each completion request contains it. */
const maxSize = 1_000_000;

/** The sources that have a value now. @param name of the argument, which also names the text editor */
export function argumentSources(name: string, editing: TextEditing): ArgumentSource[] {
	const { t } = vscode.l10n;
	const editor = vscode.window.activeTextEditor;
	const selected = editor?.selections.filter(it => !it.isEmpty) ?? [];
	return [
		...(editor && selected.length > 0
			? [
					{
						label: t('Use Selection'),
						icon: 'list-selection',
						read: async () => bounded(selected.map(it => editor.document.getText(it)).join('\n')),
					},
				]
			: []),
		...(editor
			? [{ label: t('Use Active File'), icon: 'file', read: async () => bounded(editor.document.getText()) }]
			: []),
		{ label: t('Write in Editor'), icon: 'go-to-file', read: async before => editing.edit(name, before) },
	];
}

function bounded(text: string): string {
	if (text.length > maxSize) {
		throw new Error(
			vscode.l10n.t(
				'The text is too large for an argument ({0}). The limit is {1}.',
				describeSize(text.length),
				describeSize(maxSize),
			),
		);
	}
	return text;
}
