/** What can be done with a prompt's result. */
import * as vscode from 'vscode';
import type { PromptResult } from '../../mcp/index.js';
import { canOpenChat, hasParticipants, mentioned, writeInChat } from '../../editor/languageModels/chat.js';
import { isChatOff } from '../../editor/workspace/config.js';
import { isWritable } from '../../editor/documents/documents.js';
import { modelText } from '../../editor/ui/plainText.js';
import { promptText } from './promptText.js';

export interface PromptUse {
	readonly id: 'insert' | 'newDocument' | 'copy' | 'chat' | 'preview';
	readonly label: string;
	readonly icon: string;
	readonly run: () => Promise<void>;
}

/** What a use works with. */
export interface UseContext {
	readonly result: PromptResult;
	/** The same without the secrets of servers. */
	readonly forModel: PromptResult;
	/** Where the person was when they ran it. */
	readonly editor: vscode.TextEditor | undefined;
}

/** Those that this editor has the means for, right now. */
export async function usesFor({ result, forModel, editor }: UseContext): Promise<PromptUse[]> {
	const { t } = vscode.l10n;
	const text = (): string => promptText(result);
	const hasChat = await canOpenChat();
	const canInsert = editor !== undefined && isWritable(editor.document);
	const canSend = hasChat || (hasParticipants() && !isChatOff());
	const insert: PromptUse = {
		id: 'insert',
		label: t('Insert at Cursor'),
		icon: 'insert',
		run: () => insertAtCursor(editor, text()),
	};
	const send: PromptUse = {
		id: 'chat',
		label: t('Send to Chat'),
		icon: 'comment-discussion',
		run: () => sendToChat(promptText(forModel), hasChat),
	};
	return [
		...(canInsert ? [insert] : []),
		{ id: 'newDocument', label: t('New Document'), icon: 'new-file', run: () => openDocument(text()) },
		{ id: 'copy', label: t('Copy'), icon: 'copy', run: () => copy(text()) },
		...(canSend ? [send] : []),
		{ id: 'preview', label: t('Only Show It'), icon: 'open-preview', run: async () => undefined },
	];
}

/** As one edit: one undo takes it back. @throws Error in the person's language if there is no editor any more */
async function insertAtCursor(editor: vscode.TextEditor | undefined, text: string): Promise<void> {
	const uri = editor?.document.uri.toString();
	const there = vscode.window.visibleTextEditors.find(it => it.document.uri.toString() === uri);
	const target = there ?? vscode.window.activeTextEditor;
	const isDone = await target?.edit(builder => {
		for (const selection of target.selections) {
			builder.replace(selection, text);
		}
	});
	if (isDone !== true) {
		throw new Error(vscode.l10n.t('There is no editor to insert it into. Open the document first.'));
	}
}

async function openDocument(content: string): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
	await vscode.window.showTextDocument(document, { preview: false });
}

async function copy(text: string): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 3000);
}

/** The person still sends it: they may add to it first. A chat that nothing can be put into is still there for `@mcp`. */
async function sendToChat(text: string, hasChat: boolean): Promise<void> {
	if (hasChat) {
		await writeInChat(modelText(text));
		return;
	}
	await vscode.env.clipboard.writeText(mentioned(modelText(text)));
	void vscode.window.showInformationMessage(
		vscode.l10n.t('Copied, as a message to @mcp: paste it into the chat of your editor.'),
	);
}
