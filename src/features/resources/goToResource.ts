/** "Go to Resource…": over the resources of all servers that run, as the editor goes to files. */
import * as vscode from 'vscode';
import type { Resource } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { fuzzyFind } from '../../core/search/fuzzy.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { tellNothing } from '../../editor/ui/chooseServer.js';
import { describeNumber, describeSize } from '../../editor/l10n/messages.js';
import { keepOrder } from '../../editor/newerApi.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import { ofListed } from './chooseResource.js';
import type { ChosenResource } from './openResource.js';

const { t } = vscode.l10n;

/** More than anybody reads; the editor is slow with more. */
const maxShown = 100;

interface Found {
	readonly server: Server;
	readonly resource: Resource;
}

interface ResourceItem extends vscode.QuickPickItem {
	readonly found?: Found;
}

/** What the person chose. Lists that grow while it is open are looked through as far as they are. */
export async function goToResource(registry: ServerRegistry): Promise<ChosenResource | undefined> {
	await registry.configured;
	if (registry.servers.every(it => it.catalog === undefined)) {
		tellNothing(registry, t('Start a server first: only the resources of those that run are known.'));
		return undefined;
	}
	const pick = vscode.window.createQuickPick<ResourceItem>();
	pick.placeholder = t('Name or place of a resource; letters may be left out');
	keepOrder(pick);
	const update = (): void => {
		const all = Array.from(entriesOf(registry));
		const hits = fuzzyFind(all, pick.value, maxShown, ({ resource }) => ({
			name: resource.title ?? resource.name,
			place: `${resource.name} ${resource.uri}`,
		}));
		const unlisted = hits.length === 0 ? unlistedItems(registry, pick.value) : [];
		pick.items = [...hits.map(it => toItem(it, registry)), ...unlisted];
		pick.title =
			hits.length === maxShown
				? t('Resources: the best {0} of {1}', maxShown, describeNumber(all.length))
				: t('Resources: {0} of {1}', hits.length, describeNumber(all.length));
	};
	const following = registry.onDidChange(update);
	return new Promise<ChosenResource | undefined>(resolve => {
		pick.onDidChangeValue(update);
		pick.onDidAccept(() => {
			const found = pick.selectedItems[0]?.found;
			resolve(found && ofListed(found.server, found.resource));
		});
		pick.onDidHide(() => resolve(undefined));
		update();
		openInput(pick);
	}).finally(() => {
		following.dispose();
		closeInput(pick);
	});
}

function* entriesOf(registry: ServerRegistry): Generator<Found> {
	for (const server of registry.servers) {
		for (const resource of itemsOf(server.catalog?.resources)) {
			yield { server, resource };
		}
	}
}

/** A whole URI that no server lists may be there all the same: templates make such. */
function unlistedItems(registry: ServerRegistry, value: string): ResourceItem[] {
	const uri = value.trim();
	if (!/^[a-z][\w+.-]*:./i.test(uri)) {
		return [];
	}
	return registry.servers
		.filter(it => it.catalog && it.catalog.resources.kind !== 'absent')
		.map(server => ({
			label: t('Ask {0} for It', quickPickText(registry.label(server))),
			description: quickPickText(uri),
			alwaysShow: true,
			found: { server, resource: { uri, name: uri } },
		}));
}

function toItem(found: Found, registry: ServerRegistry): ResourceItem {
	const { server, resource } = found;
	const { title, name, uri, size } = resource;
	const details = [registry.label(server), typeof size === 'number' ? describeSize(size) : undefined];
	return {
		label: quickPickText(title ?? name),
		description: quickPickText(details.filter(it => it !== undefined).join(' · ')),
		detail: quickPickText(uri),
		iconPath: new vscode.ThemeIcon('file'),
		// What matches has been decided by then.
		alwaysShow: true,
		found,
	};
}
