/** The earlier messages of the chat as messages for the model: the latest ones that fit. */
import * as vscode from 'vscode';
import { ChatCommands, ChatParticipant } from '../../editor/contributions.js';
import type { ChatTurn } from './turn.js';

type OldTurn = ChatTurn['history'][number];

/** @param maxChars limit of all messages together, in UTF-16 units */
export function pastMessages(history: readonly OldTurn[], maxChars: number): vscode.LanguageModelChatMessage[] {
	const messages: vscode.LanguageModelChatMessage[] = [];
	let left = maxChars;
	for (const turn of history.toReversed()) {
		if (turn.participant !== ChatParticipant.id || isOfRemovedCommand(turn)) {
			continue;
		}
		const text = textOf(turn);
		left -= text.length;
		if (left < 0) {
			break;
		}
		if (text !== '') {
			const { LanguageModelChatMessage: Message } = vscode;
			messages.unshift('prompt' in turn ? Message.User(text) : Message.Assistant(text));
		}
	}
	return messages;
}

/**
 * Earlier builds had the commands `/tool` and `/resource`, and the editor keeps their chats. Their answers, marked by
 * `forModel`, are text of servers: a model must not get them as its own earlier answers.
 */
function isOfRemovedCommand(turn: OldTurn): boolean {
	const isKnown = turn.command === undefined || Object.values<string>(ChatCommands).includes(turn.command);
	return !isKnown || ('result' in turn && turn.result.metadata?.['forModel'] !== undefined);
}

function textOf(turn: OldTurn): string {
	if ('prompt' in turn) {
		return turn.command === undefined ? turn.prompt : `/${turn.command} ${turn.prompt}`;
	}
	return turn.response.map(it => (it instanceof vscode.ChatResponseMarkdownPart ? it.value.value : '')).join('');
}
