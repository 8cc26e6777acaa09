/** The uses of a prompt's result: insert it, open it in a new document, copy it, or send it to the chat. */
import * as vscode from 'vscode';
import type { ResultUse } from '../../core/calls/calls.js';
import type { PromptResult } from '../../mcp/index.js';
import { textScheme } from '../../editor/contributions.js';
import { canOpenChat, writeInChat } from '../../editor/languageModels/chat.js';
import { contentText, describeRole } from '../../editor/documents/contentText.js';
import { isWritable } from '../../editor/documents/documents.js';
import { copyText } from '../../editor/documents/export.js';
import { modelText } from '../../editor/ui/plainText.js';

export interface UseContext {
	readonly result: PromptResult;
	/** The result without the secrets of servers. */
	readonly forModel: PromptResult;
	/** The last active text editor, which the page of the result may cover. */
	readonly editor: vscode.TextEditor | undefined;
}

/** The uses that are possible in this editor now. */
export async function usesFor({ result, forModel, editor }: UseContext): Promise<ResultUse[]> {
	const { t } = vscode.l10n;
	const text = (): string => promptText(result);
	const { document } = editor ?? {};
	const canInsert = document?.isClosed === false && isWritable(document) && document.uri.scheme !== textScheme;
	const canSend = await canOpenChat();
	const send = (): Promise<void> => writeInChat(modelText(promptText(forModel)));
	return [
		...(canInsert
			? [{ label: t('Insert at Cursor'), icon: 'insert' as const, run: () => insertAtCursor(editor, text()) }]
			: []),
		{ label: t('Open as Document'), icon: 'file', run: () => openDocument(text()) },
		{ label: t('Copy'), icon: 'copy', run: () => copyText(text()) },
		...(canSend ? [{ label: t('Send to Chat'), icon: 'comment-discussion' as const, run: send }] : []),
	];
}

/** Replaces each selection, as one edit for Undo. @throws Error in the person's language if no editor is left */
async function insertAtCursor(editor: vscode.TextEditor | undefined, text: string): Promise<void> {
	const { document, viewColumn } = editor ?? {};
	const visible = vscode.window.visibleTextEditors.find(it => it.document === document);
	const isHidden = !visible && document?.isClosed === false;
	const target = isHidden
		? await vscode.window.showTextDocument(document, viewColumn)
		: (visible ?? vscode.window.activeTextEditor);
	const isDone = await target?.edit(builder => {
		for (const selection of target.selections) {
			builder.replace(selection, text);
		}
	});
	if (isDone !== true) {
		throw new Error(vscode.l10n.t("The text can't be inserted because no editor is open. Open a document first."));
	}
}

async function openDocument(content: string): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
	await vscode.window.showTextDocument(document, { preview: false });
}

/**
 * A prompt's messages as text, for documents, the clipboard and models. A conversation names its roles. Content that isn't
 * text is described.
 */
export function promptText({ messages }: PromptResult): string {
	const isConversation = messages.some(it => it.role !== 'user');
	const parts = messages.map(({ role, content }, index) => {
		const isNext = isConversation && messages[index - 1]?.role !== role;
		return `${isNext ? `${describeRole(role)}:\n` : ''}${contentText(content)}`;
	});
	return parts.join('\n\n');
}
