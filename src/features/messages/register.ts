/** The feature `messages`: pages with the messages of all servers, of one server, of one call, or of a file. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { readMessages } from '../../core/messages/messageFile.js';
import { asCallOrigin } from '../../core/messages/wireRecord.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isObject } from '../../mcp/index.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { titleText } from '../../editor/ui/plainText.js';
import { type MessagesDeps, MessagesPage, type Scope } from './messagesPage.js';

const { t } = vscode.l10n;

export function registerMessages(deps: MessagesDeps & { readonly registry: ServerRegistry }): Disposable {
	const { registry, messages } = deps;
	const owned = new DisposableStore();
	const pages = new Map<string, MessagesPage>();
	owned.add({ dispose: () => pages.forEach(it => it.dispose()) });
	const show = (scope: Scope): MessagesPage => {
		const page =
			pages.get(scope.key) ??
			new MessagesPage(
				deps,
				() => pages.delete(scope.key),
				() => void openFile(),
			);
		pages.set(scope.key, page);
		page.show(scope);
		return page;
	};
	const ofServer = (server: Server): Scope => ({
		key: server.definition.id,
		title: titleText(t('Messages'), registry.label(server)),
		log: messages,
		belongs: it => it.first.channel.source.id === server.definition.id,
		servers: () => [registry.current(server) ?? server],
	});
	const ofAll: Scope = {
		key: '',
		title: t('Messages'),
		log: messages,
		belongs: () => true,
		servers: () => registry.servers,
	};
	const ofCall = (id: string): Scope => ({
		...ofAll,
		key: 'call',
		title: t('Messages of a Call'),
		belongs: it => asCallOrigin(it.first.origin).callId === id,
	});
	const openFile = async (): Promise<void> => {
		const [uri] = (await vscode.window.showOpenDialog({ filters: { [t('Messages')]: ['jsonl'] } })) ?? [];
		if (uri) {
			const records = readMessages(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
			if (!records) {
				throw new Error(t("This file wasn't exported from a list of messages."));
			}
			const log = { records, oldest: 1 };
			show({
				key: uri.toString(),
				title: titleText(t('Messages'), uri.path.split('/').at(-1) ?? ''),
				log,
				belongs: () => true,
			});
		}
	};
	owned.add(
		registerCommand(Commands.showMessages, async argument => {
			if (isObject(argument) && typeof argument['call'] === 'string') {
				show(ofCall(argument['call']));
				return;
			}
			const server =
				argument === undefined
					? undefined
					: await chooseServer(registry, argument, () => true, { title: t('Show Messages') });
			if (server ?? argument === undefined) {
				show(server ? ofServer(server) : ofAll);
			}
		}),
	);
	return owned;
}
