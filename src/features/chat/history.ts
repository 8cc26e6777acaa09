/** What was said before, for the model: the last of it, as much as fits. */
import * as vscode from 'vscode';
import { ChatParticipant } from '../../editor/contributions.js';
import { type ChatTurn, endOf } from './turn.js';

type OldTurn = ChatTurn['history'][number];

/** @param maxChars of all of it */
export function pastMessages(history: readonly OldTurn[], maxChars: number): vscode.LanguageModelChatMessage[] {
	const messages: vscode.LanguageModelChatMessage[] = [];
	let left = maxChars;
	for (const turn of history.toReversed()) {
		if (turn.participant !== ChatParticipant.id) {
			continue;
		}
		const said = ('prompt' in turn ? ofPerson(turn) : ofUs(turn)).filter(it => it.text !== '');
		left -= said.reduce((sum, it) => sum + it.text.length, 0);
		if (left < 0) {
			break;
		}
		messages.unshift(...said.map(it => it.message));
	}
	return messages;
}

interface Past {
	readonly text: string;
	readonly message: vscode.LanguageModelChatMessage;
}

function ofPerson({ command, prompt }: vscode.ChatRequestTurn): Past[] {
	const text = command === undefined ? prompt : `/${command} ${prompt}`;
	return [{ text, message: vscode.LanguageModelChatMessage.User(text) }];
}

/** What servers said is nothing that the model has said. */
function ofUs({ response, result }: vscode.ChatResponseTurn): Past[] {
	const { forModel, isAnswered } = endOf(result);
	const told =
		forModel === undefined ? [] : [{ text: forModel, message: vscode.LanguageModelChatMessage.User(forModel) }];
	if (forModel !== undefined && isAnswered !== true) {
		return told;
	}
	const text = response.map(it => (it instanceof vscode.ChatResponseMarkdownPart ? it.value.value : '')).join('');
	return [...told, { text, message: vscode.LanguageModelChatMessage.Assistant(text) }];
}
