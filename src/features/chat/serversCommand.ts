/** `/servers`: how every server is, what it offers, and buttons for what can be done about it. */
import * as vscode from 'vscode';
import { Commands } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { markdownText, quickPickText } from '../../editor/ui/plainText.js';
import { describeServer } from '../../editor/l10n/stateWords.js';
import type { ListState } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import type { ChatTurn, TurnEnd } from './turn.js';

/** Of these there are buttons; nobody looks for one among more. */
const maxWithButtons = 10;

export function showServers({ stream }: ChatTurn, registry: ServerRegistry): TurnEnd {
	const { t } = vscode.l10n;
	const { servers } = registry;
	if (servers.length === 0) {
		stream.markdown(t('No MCP server is configured.'));
		stream.button({ command: Commands.addServer, title: t('Add Server…') });
		return {};
	}
	const lines = servers.map(
		it => `- **${markdownText(registry.label(it), 60)}**: ${markdownText(wordsOf(it).join(' · '))}\n`,
	);
	stream.markdown(lines.join(''));
	// After everything: what stands before a button is folded away by some editors.
	for (const server of servers.slice(0, maxWithButtons)) {
		showButtons(stream, server, registry.label(server));
	}
	const [running] = servers.filter(it => it.client);
	return running ? { next: [{ prompt: t('What can you do with these servers?') }] } : {};
}

/** What people can do about one that does not run. */
export function showStartButtons({ stream }: Pick<ChatTurn, 'stream'>, registry: ServerRegistry): void {
	for (const server of registry.servers.filter(it => canStart(it.state)).slice(0, maxWithButtons)) {
		stream.button(startButton(server, registry.label(server)));
	}
}

function showButtons(stream: vscode.ChatResponseStream, server: Server, label: string): void {
	if (canStart(server.state)) {
		stream.button(startButton(server, label));
	}
	if (server.state.kind === 'failed' || server.state.kind === 'reconnecting') {
		const title = vscode.l10n.t('Show Log of {0}', quickPickText(label, 40));
		stream.button({ command: Commands.showServerLog, title, arguments: [{ server: server.definition.id }] });
	}
}

function startButton(server: Server, label: string): vscode.Command {
	const title = vscode.l10n.t('Start {0}', quickPickText(label, 40));
	return { command: Commands.startServer, title, arguments: [{ server: server.definition.id }] };
}

function wordsOf(server: Server): string[] {
	const { t } = vscode.l10n;
	const { catalog } = server;
	const [tools, resources, prompts] = [count(catalog?.tools), count(catalog?.resources), count(catalog?.prompts)];
	return [
		describeServer(server),
		...(tools > 0 ? [t('{0} tools', describeNumber(tools))] : []),
		...(resources > 0 ? [t('{0} resources', describeNumber(resources))] : []),
		...(prompts > 0 ? [t('{0} prompts', describeNumber(prompts))] : []),
	];
}

function count(list: ListState<unknown> | undefined): number {
	return list?.kind === 'loaded' ? list.items.length : 0;
}
