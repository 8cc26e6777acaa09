/** Buttons in an answer that start stopped servers, whose tools or prompts the person may need. */
import * as vscode from 'vscode';
import { Commands } from '../../editor/contributions.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import type { ChatTurn } from './turn.js';

const maxButtons = 10;

export function showStartButtons({ stream }: Pick<ChatTurn, 'stream'>, registry: ServerRegistry): void {
	for (const server of registry.servers.filter(it => canStart(it.state)).slice(0, maxButtons)) {
		const title = vscode.l10n.t('Start {0}', quickPickText(registry.label(server), 40));
		stream.button({ command: Commands.startServer, title, arguments: [{ server: server.definition.id }] });
	}
}
