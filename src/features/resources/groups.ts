/** The group of resources in the tree, and its rows. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { Annotations, Resource } from '../../mcp/index.js';
import type { LiveResource } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { Server } from '../../core/servers/server.js';
import { plainMimeType } from '../../core/resources/contentView.js';
import { InternalCommands, TreeContexts } from '../../editor/contributions.js';
import { describeSize } from '../../editor/l10n/messages.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import type { LeafLook } from '../../editor/tree/treeNodes.js';
import { treeRowUri, readableName, resourceUri } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';

const { t } = vscode.l10n;

export interface GroupDeps {
	readonly tree: ServersTree;
	readonly live: LiveResources;
}

export function registerResourceGroup({ tree, live }: GroupDeps): Disposable {
	return tree.registerGroup<Resource>({
		id: 'resources',
		order: 20,
		label: t('Resources'),
		icon: 'files',
		list: catalog => catalog.resources,
		open: InternalCommands.openResource,
		uri: ({ uri }) => uri,
		search: ({ name, title, uri, description }) => ({ names: [title, name, uri], description }),
		describe: lookOf,
		children: async (resource, server) => {
			const found = await live.read({ serverId: server.definition.id, uri: resource.uri }).catch((error: unknown) => {
				throw new Error(describeReadError(error, server.name, resource.title ?? resource.name));
			});
			return linesIn(found, resource.uri).map(it => ({ entry: it, look: lookOf(it, server) }));
		},
	});
}

/** The entries of a directory that was read: one for each content. */
function linesIn({ contents = [] }: LiveResource, directory: string): readonly Resource[] {
	return contents
		.filter(it => it.uri !== directory)
		.map(({ uri, mimeType }) => ({ uri, name: readableName(uri), ...(mimeType === undefined ? {} : { mimeType }) }));
}

function lookOf(resource: Resource, server: Server): LeafLook {
	const { uri, name, title, size, mimeType } = resource;
	const key = { serverId: server.definition.id, uri };
	const isDirectory = plainMimeType(mimeType) === 'inode/directory';
	const isMedia = /^(image|audio|video)\//.test(plainMimeType(mimeType));
	return {
		key: uri,
		label: title ?? name,
		description: typeof size === 'number' ? describeSize(size) : '',
		tooltip: tooltipOf(resource),
		icon: isDirectory ? vscode.ThemeIcon.Folder : iconOf(resource),
		// For a row with a URI, the icon theme chooses the icon, but some themes have no icons for folders.
		...(isDirectory ? {} : { resourceUri: treeRowUri(key, server.name, mimeType) }),
		// Media are dragged by `resourceUri`, whose extension chooses their viewer.
		...(isMedia || isDirectory ? {} : { drag: resourceUri(key, server.name) }),
		context: isDirectory ? TreeContexts.resourceDirectory : TreeContexts.resource,
		isExpandable: isDirectory,
	};
}

/** JSON gets its own icon, because it opens under another name (`textNames.ts`) that icon themes don't know. */
function iconOf({ uri, mimeType }: Resource): vscode.ThemeIcon {
	const isJson = /[/+]json$/.test(plainMimeType(mimeType)) || /\.json$/i.test(readableName(uri));
	return isJson ? new vscode.ThemeIcon('json') : vscode.ThemeIcon.File;
}

/** The usable annotations. Servers can send any values. `lastModified` is in milliseconds since 1970. */
function readAnnotations({ audience, priority, lastModified }: Annotations = {}) {
	const time = typeof lastModified === 'string' ? Date.parse(lastModified) : NaN;
	return {
		audience: (Array.isArray(audience) ? audience : []).filter(
			(it): it is 'user' | 'assistant' => it === 'user' || it === 'assistant',
		),
		priority: typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : undefined,
		lastModified: Number.isNaN(time) ? undefined : time,
	};
}

function tooltipOf({ uri, name, title, mimeType, size, description, annotations }: Resource): string {
	const { audience, priority, lastModified } = readAnnotations(annotations);
	const words = { user: t('You'), assistant: t('Models') };
	const lines = [
		uri,
		title !== undefined && title !== name ? t('Name: {0}', name) : undefined,
		mimeType === undefined ? undefined : t('Type: {0}', mimeType),
		typeof size === 'number' ? t('Size: {0}', describeSize(size)) : undefined,
		audience.length > 0 ? t('Audience: {0}', audience.map(it => words[it]).join(', ')) : undefined,
		priority === undefined ? undefined : t('Priority: {0} (1 is the highest)', priority),
		lastModified === undefined
			? undefined
			: t('Last modified: {0}', new Date(lastModified).toLocaleString(vscode.env.language)),
		description === undefined ? undefined : `\n${description}`,
	];
	return lines.filter(it => it !== undefined).join('\n');
}
