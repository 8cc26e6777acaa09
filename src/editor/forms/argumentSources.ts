/** Where the value of an argument can come from besides the keyboard. */
import * as vscode from 'vscode';
import { describeSize } from '../l10n/messages.js';
import type { TextEditing } from '../documents/textEditing.js';

export interface ArgumentSource {
	readonly label: string;
	readonly icon: string;
	/**
	 * The value; `undefined` if the person has taken it back.
	 * @param before what stands in the input
	 * @throws Error in the person's language if there is none to be had
	 */
	readonly read: (before: string) => Promise<string | undefined>;
}

/** Characters. No prompt is helped by more, and every completion would carry them along. */
const maxSize = 1_000_000;

/**
 * Those that have something to give right now.
 * @param name of the argument, for a document of its own
 */
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
		{ label: t('Write in an Editor'), icon: 'go-to-file', read: async before => editing.edit(name, before) },
	];
}

function bounded(text: string): string {
	if (text.length > maxSize) {
		throw new Error(
			vscode.l10n.t(
				'It is too large for an argument: {0}; the limit is {1}.',
				describeSize(text.length),
				describeSize(maxSize),
			),
		);
	}
	return text;
}
