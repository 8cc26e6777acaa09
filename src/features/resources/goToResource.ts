/** The command Go to Resource: a fuzzy search in the resources and templates of all running servers. */
import * as vscode from 'vscode';
import type { Resource } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { fuzzyFind } from '../../core/search/fuzzy.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { describeNumber, describeSize } from '../../editor/l10n/messages.js';
import { keepOrder } from '../../editor/newerApi.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import { chooseListed, type ChosenResource } from './openResource.js';
import { type ChosenTemplate, templatesOf } from './templates.js';

const { t } = vscode.l10n;

/** The editor is slow with more lines. */
const maxShown = 100;

interface FoundResource {
	readonly server: Server;
	readonly resource: Resource;
}

type Found = FoundResource | ChosenTemplate;

interface ResourceItem extends vscode.QuickPickItem {
	readonly found?: Found;
}

/** Asks for a resource or a template. Lists that are still loading are searched again as they grow. */
export async function goToResource(registry: ServerRegistry): Promise<ChosenResource | ChosenTemplate | undefined> {
	await registry.configured;
	if (registry.servers.every(it => it.catalog === undefined)) {
		showNoMatch(registry, t('Start a server first. Only resources of running servers are listed.'));
		return undefined;
	}
	const pick = vscode.window.createQuickPick<ResourceItem>();
	pick.placeholder = t('Search resources by name or URI');
	keepOrder(pick);
	const update = (): void => {
		const all = registry.servers.flatMap((server): Found[] => [
			...itemsOf(server.catalog?.resources).map(resource => ({ server, resource })),
			...templatesOf(server).map(template => ({ server, template })),
		]);
		const hits = fuzzyFind(all, pick.value, maxShown, found => {
			const { title, name } = 'template' in found ? found.template : found.resource;
			return { name: title ?? name, place: `${name} ${uriOf(found)}` };
		});
		const unlisted = hits.length === 0 ? unlistedItems(registry, pick.value) : [];
		pick.items = [...hits.map(it => toItem(it, registry)), ...unlisted];
		pick.title =
			hits.length === maxShown
				? t('Resources: best {0} of {1}', maxShown, describeNumber(all.length))
				: t('Resources: {0} of {1}', hits.length, describeNumber(all.length));
	};
	const following = registry.onDidChange(update);
	return new Promise<ChosenResource | ChosenTemplate | undefined>(resolve => {
		pick.onDidChangeValue(update);
		pick.onDidAccept(() => {
			const found = pick.selectedItems[0]?.found;
			resolve(found && ('template' in found ? found : chooseListed(found.server, found.resource)));
		});
		pick.onDidHide(() => resolve(undefined));
		update();
		openInput(pick);
	}).finally(() => {
		following.dispose();
		closeInput(pick);
	});
}

/** Lines that ask a server for the typed URI. Servers also have resources that they don't list, such as those of templates. */
function unlistedItems(registry: ServerRegistry, value: string): ResourceItem[] {
	const uri = value.trim();
	if (!/^[a-z][\w+.-]*:./i.test(uri)) {
		return [];
	}
	return registry.servers
		.filter(it => it.catalog && it.catalog.resources.kind !== 'absent')
		.map(server => ({
			label: t('Read from {0}', quickPickText(registry.label(server))),
			description: quickPickText(uri),
			alwaysShow: true,
			found: { server, resource: { uri, name: uri } },
		}));
}

function uriOf(found: Found): string {
	return 'template' in found ? found.template.uriTemplate : found.resource.uri;
}

function toItem(found: Found, registry: ServerRegistry): ResourceItem {
	const isTemplate = 'template' in found;
	const { title, name } = isTemplate ? found.template : found.resource;
	const size = isTemplate ? undefined : found.resource.size;
	const details = [
		registry.label(found.server),
		...(isTemplate ? [t('Template')] : []),
		...(typeof size === 'number' ? [describeSize(size)] : []),
	];
	return {
		label: quickPickText(title ?? name),
		description: quickPickText(details.join(' · ')),
		detail: quickPickText(uriOf(found)),
		iconPath: new vscode.ThemeIcon(isTemplate ? 'symbol-snippet' : 'file'),
		// The lines are already filtered.
		alwaysShow: true,
		found,
	};
}
