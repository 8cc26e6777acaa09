/** Resources and resource templates: their groups in the tree, and resources as read-only files. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { isObject, type Resource, type ResourceTemplate } from '../../mcp/index.js';
import { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { registerCommand } from '../../host/commands.js';
import { Commands, resourceScheme, TreeContexts } from '../../host/contributions.js';
import { describeError, describeSize } from '../../host/messages.js';
import { withProgress } from '../../host/progress.js';
import { notificationText } from '../../host/plainText.js';
import type { ServersTree } from '../../host/tree.js';
import { LeafNode, ServerNode } from '../../host/treeNodes.js';
import { ResourceFileSystem } from './resourceFileSystem.js';
import { languageOf, readableName, resourceUri } from './resourceUri.js';

export interface ResourcesDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
}

export function registerResources({ registry, tree }: ResourcesDeps): Disposable {
	const owned = new DisposableStore();
	const files = owned.add(new ResourceFileSystem(registry));
	const options = { isReadonly: true, isCaseSensitive: true };
	owned.add(vscode.workspace.registerFileSystemProvider(resourceScheme, files, options));
	owned.add(
		tree.registerGroup<Resource>({
			id: 'resources',
			order: 20,
			label: vscode.l10n.t('Resources'),
			list: catalog => catalog.resources,
			open: Commands.openResource,
			uri: ({ uri }) => uri,
			search: ({ name, title, uri, description }) => ({ names: [title, name, uri], description }),
			describe: resource => ({
				key: resource.uri,
				label: resource.title ?? resource.name,
				description: typeof resource.size === 'number' ? describeSize(resource.size) : undefined,
				tooltip: [resource.uri, resource.description].filter(Boolean).join('\n'),
				icon: vscode.ThemeIcon.File,
				resourceUri: vscode.Uri.from({ scheme: resourceScheme, path: `/${readableName(resource.uri)}` }),
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
	owned.add(
		registerCommand(Commands.openResource, async argument => {
			const target = chosenResource(registry, argument);
			if (target) {
				await openResource(files, target.server, target.resource);
			}
		}),
	);
	return owned;
}

interface ChosenResource {
	readonly server: Server;
	readonly resource: Pick<Resource, 'uri' | 'name' | 'mimeType'>;
}

/** From the tree, from another feature, or from a caller's `{ server: name, uri }`. */
function chosenResource(registry: ServerRegistry, argument: unknown): ChosenResource | undefined {
	if (argument instanceof LeafNode) {
		// Lines of our group hold what our group's list holds.
		return { server: argument.server, resource: argument.entry as Resource };
	}
	const { server: name, uri } = isObject(argument) ? argument : {};
	const server = name instanceof Server ? name : typeof name === 'string' ? registry.find(name) : undefined;
	return server && typeof uri === 'string' ? { server, resource: { uri, name: readableName(uri) } } : undefined;
}

/** Reads it where the person can see and cancel, then opens what was read. */
async function openResource(
	files: ResourceFileSystem,
	server: Server,
	resource: ChosenResource['resource'],
): Promise<void> {
	if (!server.client) {
		// Asked for by a person or a caller: that is its first use. A tab that the editor restores starts nothing.
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
		if (server.state.kind === 'failed') {
			// Why is said already.
			return;
		}
	}
	const uri = resourceUri(server.definition.id, server.name, resource.uri);
	const title = `${notificationText(server.name)}: ${notificationText(resource.name)}`;
	const { mimeType } = await withProgress(title, signal => files.load(uri, signal)).catch((error: unknown) => {
		throw isAbort(error) ? error : new Error(`${notificationText(server.name)}: ${describeError(error)}`);
	});
	await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
	const languageId = languageOf(uri, mimeType ?? resource.mimeType);
	const document = vscode.workspace.textDocuments.find(it => it.uri.toString() === uri.toString());
	if (languageId && document && document.languageId !== languageId) {
		await vscode.languages.setTextDocumentLanguage(document, languageId);
	}
}
