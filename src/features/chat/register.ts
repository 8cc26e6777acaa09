/** `@mcp` in the editor's chat: questions over all servers, and their prompts by name. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { canOpenChat, hasParticipants, mentioned, writeInChat } from '../../editor/languageModels/chat.js';
import { isChatOff } from '../../editor/workspace/config.js';
import { registerCommand } from '../../editor/commands.js';
import { ChatParticipant, Commands } from '../../editor/contributions.js';
import type { ModelDoors } from '../../editor/languageModels/modelRequest.js';
import type { AnsweringDeps } from './answering.js';
import { handleMessage } from './handler.js';
import { nextOf } from './turn.js';

export interface ChatDeps extends Omit<AnsweringDeps, 'doors'> {
	readonly doors: () => ModelDoors;
}

/** In an editor without a chat, only the command that says so. */
export function registerChat(deps: ChatDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(registerCommand(Commands.openChat, openChat));
	if (hasParticipants()) {
		const participant = owned.add(
			vscode.chat.createChatParticipant(ChatParticipant.id, (request, context, stream, token) =>
				handleMessage(request, context, stream, token, { ...deps, doors: deps.doors() }),
			),
		);
		participant.iconPath = new vscode.ThemeIcon('plug');
		participant.followupProvider = { provideFollowups: nextOf };
	}
	return owned;
}

async function openChat(): Promise<void> {
	const { t } = vscode.l10n;
	if (await canOpenChat()) {
		await writeInChat(mentioned(''));
	} else if (isChatOff()) {
		void vscode.window.showInformationMessage(t('Chat is turned off by the setting {0}.', '"chat.disableAIFeatures"'));
	} else {
		void vscode.window.showInformationMessage(
			hasParticipants()
				? t('Open the chat of your editor, and begin a message with @mcp.')
				: t('This editor has no chat. Tools, resources and prompts need none: they are in the view MCP Workbench.'),
		);
	}
}
