/** The participant that the extension makes, heard by whoever is there before the extension is activated. */
import * as vscode from 'vscode';

export interface HeardParticipant {
	readonly handler: vscode.ChatRequestHandler;
	readonly participant: vscode.ChatParticipant;
}

/** Each file of tests is a bundle of its own, and the participant is made once. */
const shared = globalThis as { chatOfTests?: HeardParticipant };

/** Tests and extension share one `vscode`. */
export function hearParticipant(): void {
	const { createChatParticipant } = vscode.chat;
	Object.assign(vscode.chat, {
		createChatParticipant: (id: string, handler: vscode.ChatRequestHandler) => {
			const participant = createChatParticipant(id, handler);
			shared.chatOfTests = { handler, participant };
			return participant;
		},
	});
}

export function heardParticipant(): HeardParticipant {
	if (!shared.chatOfTests) {
		throw new Error('the extension was activated before the tests');
	}
	return shared.chatOfTests;
}
