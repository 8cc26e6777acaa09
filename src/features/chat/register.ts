/** Registers the chat participant `@mcp`, which answers questions with the tools of all servers and runs their prompts. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { canOpenChat, hasParticipants, mentionParticipant, writeInChat } from '../../editor/languageModels/chat.js';
import { isChatOff } from '../../editor/workspace/config.js';
import { registerCommand } from '../../editor/commands.js';
import { ChatParticipant, Commands } from '../../editor/contributions.js';
import type { AnsweringDeps } from './answering.js';
import { handleMessage } from './handler.js';
import { readFollowups } from './turn.js';

/** An editor without a chat gets only the command Open Chat, which tells the person so. */
export function registerChat(deps: AnsweringDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(registerCommand(Commands.openChat, openChat));
	if (hasParticipants()) {
		const participant = owned.add(
			vscode.chat.createChatParticipant(ChatParticipant.id, (request, context, stream, token) =>
				handleMessage(request, context, stream, token, deps),
			),
		);
		participant.iconPath = new vscode.ThemeIcon('plug');
		participant.followupProvider = { provideFollowups: readFollowups };
	}
	return owned;
}

async function openChat(): Promise<void> {
	const { t } = vscode.l10n;
	if (await canOpenChat()) {
		await writeInChat(mentionParticipant(''));
	} else if (isChatOff()) {
		void vscode.window.showInformationMessage(t('Chat is turned off by the setting {0}.', '"chat.disableAIFeatures"'));
	} else {
		void vscode.window.showInformationMessage(
			hasParticipants()
				? t("Open your editor's chat and start a message with @mcp.")
				: t('This editor has no chat. You can use tools, resources, and prompts in the MCP Workbench view.'),
		);
	}
}
