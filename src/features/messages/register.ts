/** The feature `messages`: pages with the messages of all servers, of one server, or of a file. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { readMessages } from '../../core/messages/messageFile.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { titleText } from '../../editor/ui/plainText.js';
import { type MessagesDeps, MessagesPage, type Scope } from './messagesPage.js';

const { t } = vscode.l10n;

export function registerMessages(deps: MessagesDeps & { readonly registry: ServerRegistry }): Disposable {
	const { registry, messages } = deps;
	const owned = new DisposableStore();
	/** Open pages by server or file; '' is the page of all servers. */
	const pages = new Map<string, MessagesPage>();
	owned.add({ dispose: () => pages.forEach(it => it.dispose()) });
	const show = (key: string, scope: Partial<Scope>): void => {
		const open = pages.get(key);
		if (open) {
			open.panel.reveal(false);
			return;
		}
		const page = new MessagesPage(
			deps,
			{ title: t('Messages'), log: messages, belongs: () => true, ...scope },
			openFile,
		);
		pages.set(key, page);
		page.panel.onDidClose(() => {
			pages.delete(key);
			page.dispose();
		});
	};
	const servers = (): readonly Server[] => registry.servers;
	const openFile = async (): Promise<void> => {
		const [uri] = (await vscode.window.showOpenDialog({ filters: { [t('Messages')]: ['jsonl'] } })) ?? [];
		if (uri) {
			const records = readMessages(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
			if (!records) {
				throw new Error(t("This file wasn't exported from a list of messages."));
			}
			const title = titleText(t('Messages'), uri.path.split('/').at(-1) ?? '');
			show(uri.toString(), { title, log: { records, oldest: 1 } });
		}
	};
	owned.add(
		registerCommand(Commands.showMessages, async argument => {
			if (argument === undefined) {
				show('', { servers });
			} else {
				const server = await chooseServer(registry, argument, () => true, { title: t('Show Messages') });
				if (server) {
					const { id } = server.definition;
					show(id, {
						title: titleText(t('Messages'), registry.label(server)),
						belongs: it => it.first.channel.source.id === id,
						servers: () => [registry.current(server) ?? server],
					});
				}
			}
		}),
	);
	return owned;
}
