/** Access to the editor's chat, which some editors don't have. */
import * as vscode from 'vscode';
import { isChatOff } from '../workspace/config.js';

const openCommand = 'workbench.action.chat.open';
/** The editor's command that attaches a file to the next message. */
export const attachCommand = 'workbench.action.chat.attachFile';

/** Whether `writeInChat` works. */
export async function canOpenChat(): Promise<boolean> {
	return !isChatOff() && (await vscode.commands.getCommands(true)).includes(openCommand);
}

/** Whether `attachCommand` works. */
export async function canAttach(): Promise<boolean> {
	return !isChatOff() && (await vscode.commands.getCommands(true)).includes(attachCommand);
}

/** Writes a text into the input of the chat. It isn't sent. */
export async function writeInChat(text: string): Promise<void> {
	await vscode.commands.executeCommand(openCommand, { query: text, isPartialQuery: true });
}
