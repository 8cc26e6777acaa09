/** Resources and resource templates in the tree. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Resource, ResourceTemplate } from '../../mcp/index.js';
import { Commands, TreeContexts } from '../../host/contributions.js';
import { describeSize } from '../../host/messages.js';
import type { ServersTree } from '../../host/tree.js';
import { resourceUri } from './resourceUri.js';

export function registerGroups(tree: ServersTree): Disposable {
	const owned = new DisposableStore();
	owned.add(
		tree.registerGroup<Resource>({
			id: 'resources',
			order: 20,
			label: vscode.l10n.t('Resources'),
			list: catalog => catalog.resources,
			open: Commands.openResource,
			uri: ({ uri }) => uri,
			search: ({ name, title, uri, description }) => ({ names: [title, name, uri], description }),
			describe: (resource, { definition, name }) => ({
				key: resource.uri,
				label: resource.title ?? resource.name,
				description: typeof resource.size === 'number' ? describeSize(resource.size) : undefined,
				tooltip: [resource.uri, resource.description].filter(Boolean).join('\n'),
				icon: vscode.ThemeIcon.File,
				resourceUri: resourceUri({ serverId: definition.id, uri: resource.uri }, name),
				context: TreeContexts.resource,
			}),
		}),
	);
	owned.add(
		tree.registerGroup<ResourceTemplate>({
			id: 'resourceTemplates',
			order: 30,
			label: vscode.l10n.t('Resource Templates'),
			list: catalog => catalog.resourceTemplates,
			search: ({ name, title, uriTemplate, description }) => ({ names: [title, name, uriTemplate], description }),
			describe: template => ({
				key: template.uriTemplate,
				label: template.title ?? template.name,
				description: template.uriTemplate,
				tooltip: [template.uriTemplate, template.description].filter(Boolean).join('\n'),
				icon: new vscode.ThemeIcon('symbol-snippet'),
				context: TreeContexts.resourceTemplate,
			}),
		}),
	);
	return owned;
}
