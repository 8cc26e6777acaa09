/** The commands of the tree: filter, clear the filter, show more of a long list, and refresh. */
import * as vscode from 'vscode';
import { debounce } from '../../base/async.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { isObject } from '../../mcp/index.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { MoreNode, ServerNode } from '../../editor/tree/treeNodes.js';

export interface BrowsingDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly view: ServersView;
	/** Reads the configuration again; resolves when it has been read. */
	readonly refresh: () => Promise<void>;
}

/** Milliseconds without a key before the tree is filtered, so that a list of 100,000 is searched only once. */
const typingMs = 150;

export function registerBrowsing({ registry, tree, view, refresh }: BrowsingDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(
		registerCommand(Commands.filter, argument =>
			isObject(argument) && typeof argument['text'] === 'string'
				? void (tree.filter = argument['text'])
				: askForFilter(tree),
		),
	);
	owned.add(registerCommand(Commands.clearFilter, () => void (tree.filter = '')));
	owned.add(registerCommand(Commands.refreshServers, argument => refreshLists(registry, refresh, argument)));
	owned.add(
		registerCommand(Commands.showMore, async argument => {
			const first = argument instanceof MoreNode ? tree.showMore(argument.parent) : undefined;
			await (first && view.reveal(first));
		}),
	);
	return owned;
}

/** Filters the tree while the person types. Escape restores the filter from before. */
function askForFilter(tree: ServersTree): Promise<void> {
	const { t } = vscode.l10n;
	const input = vscode.window.createInputBox();
	input.title = t('Filter Servers');
	input.prompt = t(
		'Searches tools, resources, templates, and prompts of running servers. Leave the field empty to show all.',
	);
	input.placeholder = t('Enter part of a name, title, or description');
	let accepted = tree.filter;
	input.value = accepted;
	// Otherwise a click into the tree would hide the input, which looks like Escape.
	input.ignoreFocusOut = true;
	const typing = debounce(typingMs, () => {
		tree.filter = input.value;
	});
	return new Promise<void>(resolve => {
		input.onDidChangeValue(() => typing.schedule());
		input.onDidAccept(() => {
			accepted = input.value;
			input.hide();
		});
		input.onDidHide(() => {
			tree.filter = accepted;
			resolve();
		});
		openInput(input);
	}).finally(() => {
		typing.dispose();
		closeInput(input);
	});
}

/**
 * Refreshes the lists of one server, or else the configuration and the lists of all running servers. Resolves when they
 * are loaded.
 */
async function refreshLists(registry: ServerRegistry, refresh: () => Promise<void>, argument: unknown): Promise<void> {
	const named = isObject(argument) && typeof argument['server'] === 'string' ? argument['server'] : undefined;
	await registry.configured;
	const one = argument instanceof ServerNode ? argument.server : named === undefined ? undefined : registry.find(named);
	if (named !== undefined && !one) {
		throw new Error(vscode.l10n.t('Server "{0}" not found.', notificationText(named)));
	}
	if (!one) {
		await refresh();
	}
	const catalogs = (one ? [one] : registry.servers).flatMap(it => it.catalog ?? []);
	if (catalogs.length === 0) {
		const { t } = vscode.l10n;
		showNoMatch(
			registry,
			one
				? t('Start the server first. Only running servers have lists to refresh.')
				: t('Configuration reloaded. No server is running.'),
		);
	}
	await Promise.all(catalogs.map(it => it.reload()));
}
