/** The editor's chat, where it has one: none of it is there in every editor. */
import * as vscode from 'vscode';
import { isChatOff } from '../workspace/config.js';
import { ChatParticipant } from '../contributions.js';

const openCommand = 'workbench.action.chat.open';
/** Attaches a file to the next message. */
export const attachCommand = 'workbench.action.chat.attachFile';

/** Whether there is a chat that a text can be put into. */
export async function canOpenChat(): Promise<boolean> {
	return !isChatOff() && (await vscode.commands.getCommands(true)).includes(openCommand);
}

/** Whether the editor lets extensions take part in a chat, wherever that is. */
export function hasParticipants(): boolean {
	const { chat } = vscode as { readonly chat?: Partial<typeof vscode.chat> };
	return chat?.createChatParticipant !== undefined;
}

/** Puts a text into the chat; the person still sends it, and may add to it first. */
export async function writeInChat(text: string): Promise<void> {
	await vscode.commands.executeCommand(openCommand, { query: text, isPartialQuery: true });
}

/** A message to our participant. */
export function mentioned(text: string): string {
	return `@${ChatParticipant.name} ${text}`;
}
