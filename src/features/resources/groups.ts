/** Resources in the tree: as a file explorer shows files, with what their server says of them. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { Annotations, Resource } from '../../mcp/index.js';
import type { LiveResource } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { Server } from '../../core/servers/server.js';
import { plainMimeType } from '../../core/resources/contentView.js';
import { Commands, TreeContexts } from '../../editor/contributions.js';
import { describeSize } from '../../editor/l10n/messages.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import type { LeafLook } from '../../editor/tree/treeNodes.js';
import { lineUri, readableName, resourceUri } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';

const { t } = vscode.l10n;
export const resourceGroupId = 'resources';

export interface GroupDeps {
	readonly tree: ServersTree;
	readonly live: LiveResources;
}

export function registerResourceGroup({ tree, live }: GroupDeps): Disposable {
	return tree.registerGroup<Resource>({
		id: resourceGroupId,
		order: 20,
		label: t('Resources'),
		icon: 'files',
		list: catalog => catalog.resources,
		open: Commands.openResource,
		uri: ({ uri }) => uri,
		search: ({ name, title, uri, description }) => ({ names: [title, name, uri], description }),
		describe: lookOf,
		children: async (resource, server) => {
			const found = await live.read({ serverId: server.definition.id, uri: resource.uri }).catch((error: unknown) => {
				throw new Error(describeReadError(error, server.name));
			});
			return linesIn(found, resource.uri).map(it => ({ entry: it, look: lookOf(it, server) }));
		},
	});
}

/** What a read of a directory gave: its entries, which are told apart by their URIs. */
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
		// Of what has a URI, icon themes choose the icon, and not all have one for folders.
		...(isDirectory ? {} : { resourceUri: lineUri(key, server.name, mimeType) }),
		// Pictures and sound open in the viewer that their names choose.
		...(isMedia || isDirectory ? {} : { drag: resourceUri(key, server.name) }),
		context: isDirectory ? TreeContexts.resourceDirectory : TreeContexts.resource,
		isExpandable: isDirectory,
	};
}

/** Names of JSON are not handed to the editor as such (see `textNames.ts`), so icon themes don't know it. */
function iconOf({ uri, mimeType }: Resource): vscode.ThemeIcon {
	const isJson = /[/+]json$/.test(plainMimeType(mimeType)) || /\.json$/i.test(readableName(uri));
	return isJson ? new vscode.ThemeIcon('json') : vscode.ThemeIcon.File;
}

/** What can be made of annotations, which may be anything. */
interface Marks {
	readonly audience: readonly ('user' | 'assistant')[];
	/** 0 to 1. */
	readonly priority: number | undefined;
	/** Milliseconds since 1970. */
	readonly lastModified: number | undefined;
}

function marksOf({ audience, priority, lastModified }: Annotations = {}): Marks {
	const time = typeof lastModified === 'string' ? Date.parse(lastModified) : NaN;
	return {
		audience: Array.isArray(audience) ? audience.filter(it => it === 'user' || it === 'assistant') : [],
		priority: typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : undefined,
		lastModified: Number.isNaN(time) ? undefined : time,
	};
}

function tooltipOf({ uri, name, title, mimeType, size, description, annotations }: Resource): string {
	const { audience, priority, lastModified } = marksOf(annotations);
	const words = { user: t('you'), assistant: t('models') };
	const lines = [
		uri,
		title !== undefined && title !== name ? t('Name: {0}', name) : undefined,
		mimeType === undefined ? undefined : t('Type: {0}', mimeType),
		typeof size === 'number' ? t('Size: {0}', describeSize(size)) : undefined,
		audience.length > 0 ? t('For: {0}', audience.map(it => words[it]).join(', ')) : undefined,
		priority === undefined ? undefined : t('Priority: {0} (1 is the highest)', priority),
		lastModified === undefined
			? undefined
			: t('Last modified: {0}', new Date(lastModified).toLocaleString(vscode.env.language)),
		description === undefined ? undefined : `\n${description}`,
	];
	return lines.filter(it => it !== undefined).join('\n');
}
