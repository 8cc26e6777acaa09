/** What was said before, for the model: the last of it, as much as fits. */
import * as vscode from 'vscode';
import { ChatCommands, ChatParticipant } from '../../editor/contributions.js';
import type { ChatTurn } from './turn.js';

type OldTurn = ChatTurn['history'][number];

/** @param maxChars of all of it */
export function pastMessages(history: readonly OldTurn[], maxChars: number): vscode.LanguageModelChatMessage[] {
	const messages: vscode.LanguageModelChatMessage[] = [];
	let left = maxChars;
	for (const turn of history.toReversed()) {
		if (turn.participant !== ChatParticipant.id || isOfRemovedCommand(turn)) {
			continue;
		}
		const { text, message } = 'prompt' in turn ? ofPerson(turn) : ofUs(turn);
		left -= text.length;
		if (left < 0) {
			break;
		}
		if (text !== '') {
			messages.unshift(message);
		}
	}
	return messages;
}

/**
 * Chats of version 0.1.0 stay in the editor's history. The answers to its commands `/tool` and `/resource` are a
 * server's words, kept with `forModel` beside them: a model must not be told them as its own.
 */
function isOfRemovedCommand(turn: OldTurn): boolean {
	const isKnown = turn.command === undefined || Object.values<string>(ChatCommands).includes(turn.command);
	return !isKnown || ('result' in turn && turn.result.metadata?.['forModel'] !== undefined);
}

interface Past {
	readonly text: string;
	readonly message: vscode.LanguageModelChatMessage;
}

function ofPerson({ command, prompt }: vscode.ChatRequestTurn): Past {
	const text = command === undefined ? prompt : `/${command} ${prompt}`;
	return { text, message: vscode.LanguageModelChatMessage.User(text) };
}

function ofUs({ response }: vscode.ChatResponseTurn): Past {
	const text = response.map(it => (it instanceof vscode.ChatResponseMarkdownPart ? it.value.value : '')).join('');
	return { text, message: vscode.LanguageModelChatMessage.Assistant(text) };
}
