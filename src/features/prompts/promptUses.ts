/** What can be done with a prompt's result. */
import * as vscode from 'vscode';
import type { PromptResult } from '../../mcp/index.js';
import { canOpenChat, hasParticipants, mentioned, writeInChat } from '../../editor/languageModels/chat.js';
import { isChatOff } from '../../editor/workspace/config.js';
import { isWritable } from '../../editor/documents/documents.js';
import { modelText } from '../../editor/ui/plainText.js';
import { promptText } from './promptText.js';

export const useIds = ['insert', 'newDocument', 'copy', 'chat', 'preview'] as const;
export type UseId = (typeof useIds)[number];

export interface PromptUse {
	readonly id: UseId;
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

/** In words. */
export function useLabel(id: UseId): string {
	const { t } = vscode.l10n;
	const labels: Readonly<Record<UseId, string>> = {
		insert: t('Insert at Cursor'),
		newDocument: t('New Document'),
		copy: t('Copy'),
		chat: t('Send to Chat'),
		preview: t('Only Show It'),
	};
	return labels[id];
}

function toUse(id: UseId, icon: string, run: () => Promise<void>): PromptUse {
	return { id, label: useLabel(id), icon, run };
}

/** Those that this editor has the means for, right now. */
export async function usesFor(context: UseContext): Promise<PromptUse[]> {
	const { result, forModel } = context;
	const text = (): string => promptText(result);
	const hasChat = await canOpenChat();
	const canInsert = context.editor !== undefined && isWritable(context.editor.document);
	return [
		...(canInsert ? [toUse('insert', 'insert', () => insertAtCursor(context.editor, text()))] : []),
		toUse('newDocument', 'new-file', () => openDocument(text())),
		toUse('copy', 'copy', () => copy(text())),
		...(hasChat || (hasParticipants() && !isChatOff())
			? [toUse('chat', 'comment-discussion', () => sendToChat(promptText(forModel), hasChat))]
			: []),
		toUse('preview', 'open-preview', async () => undefined),
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
