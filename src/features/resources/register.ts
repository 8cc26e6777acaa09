/** The feature `resources`: their groups in the tree, their commands, and read-only files that follow changes at the server. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { LiveResources } from '../../core/resources/liveResources.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs } from '../../editor/forms/argumentInputs.js';
import { type CommandHandler, type CommandHandlers, registerCommand, registerCommands } from '../../editor/commands.js';
import { Colors, Commands, InternalCommands, resourceScheme, TreeContexts } from '../../editor/contributions.js';
import type { RunPageDeps } from '../../editor/pages/runPage.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import {
	type ChosenResource,
	openForPerson,
	type OpeningDeps,
	openResource,
	prepareRead,
	readContents,
	resolveResource,
	toResourceKey,
} from './openResource.js';
import { activeResource, OpenedResources } from './openedResources.js';
import { OpenedByPerson } from './openedByPerson.js';
import { ResourceFileSystem } from './resourceFileSystem.js';
import { ExternalFiles } from './externalFiles.js';
import { type ChosenTemplate, registerTemplateGroup, templatesOf, useTemplate } from './templates.js';
import { createTemplatePages } from './templatePages.js';
import { type LeafLook, LeafNode } from '../../editor/tree/treeNodes.js';
import { useResource } from './useResource.js';
import { type Annotations, isObject, type Resource, type ResourceTemplate } from '../../mcp/index.js';
import type { LiveResource, Trouble } from '../../core/resources/liveEntry.js';
import { Server } from '../../core/servers/server.js';
import { plainMimeType } from '../../core/resources/contentView.js';
import { describeNumber, describeSize } from '../../editor/l10n/messages.js';
import { describeDateTime, describeTime } from '../../editor/l10n/timeText.js';
import { readableName, resourceUri, treeRowUri } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';
import { assertNever } from '../../base/errors.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { findBest, wordsOf } from '../../core/search/matcher.js';
import { showNoMatch } from '../../editor/ui/chooseServer.js';
import { keepOrder } from '../../editor/newerApi.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';

const { t } = vscode.l10n;

interface ResourcesDeps extends RunPageDeps {
	readonly accounts: Pick<Accounts, 'onDidChangeIdentity'>;
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly argumentInputs: ArgumentInputs;
	readonly interactions: Interactions;
	readonly state: EditorState;
	/** A folder on the disk that only this window writes to and clears. */
	readonly windowStorage: vscode.Uri;
}

export function registerResources(deps: ResourcesDeps): Disposable {
	const { registry, tree, pending, interactions } = deps;
	const byPerson = new OpenedByPerson(deps.state);
	const owned = new DisposableStore();
	const live: LiveResources = owned.add(
		new LiveResources({
			registry,
			interactions,
			callerOf: key => ({ kind: byPerson.has(key) ? 'person' : 'command' }),
			onDidChangeIdentity: deps.accounts.onDidChangeIdentity,
			isSeen: key => open.isSeen(key),
		}),
	);
	const files = owned.add(new ResourceFileSystem(registry, live));
	const options = { isReadonly: true, isCaseSensitive: true };
	owned.add(vscode.workspace.registerFileSystemProvider(resourceScheme, files, options));
	const open: OpenedResources = owned.add(new OpenedResources(files, live));
	owned.add(new ResourceDecorations({ registry, live, files, open }));
	owned.add(registerResourceGroup({ registry, tree, live, byPerson }));
	const opening = { registry, live, byPerson, pending, external: new ExternalFiles(deps.windowStorage) };
	owned.add(registerTemplateGroup(tree));
	const pages = owned.add(createTemplatePages(deps));
	owned.add(registerCommands(resourceCommands(registry, opening, found => useTemplate(found, deps))));
	owned.add(
		registerCommand(InternalCommands.openTemplate, argument => {
			if (argument instanceof LeafNode) {
				// The rows of our group have templates as entries.
				pages.show(argument.server, argument.entry as ResourceTemplate, false, argument);
			}
		}),
	);
	return owned;
}

function resourceCommands(
	registry: ServerRegistry,
	deps: OpeningDeps,
	useTemplate: (chosen: ChosenTemplate) => Promise<void>,
): CommandHandlers {
	const of =
		(run: (resource: ChosenResource, argument: unknown) => unknown): CommandHandler =>
		async argument => {
			await registry.configured;
			const resource = resolveResource(registry, argument ?? activeResource());
			if (!resource) {
				throw new Error(t('Open a resource first, or select one in the MCP Workbench view.'));
			}
			// Only our own interface has such objects.
			if (argument instanceof LeafNode || (isObject(argument) && argument['server'] instanceof Server)) {
				deps.byPerson.add(toResourceKey(resource));
			}
			await run(resource, argument);
		};
	return {
		[InternalCommands.openResource]: of(it => openResource(it, deps)),
		[Commands.goToResource]: async () => {
			const found = await goToResource(registry);
			await (found && ('template' in found ? useTemplate(found) : openForPerson(found.server, found.resource.uri)));
		},
		[Commands.refreshResource]: of(async it => (await prepareRead(it, deps)) && readContents(it, deps)),
		[Commands.useResource]: of((it, argument) => useResource(it, deps, isDirectory(argument))),
	};
}

function isDirectory(argument: unknown): boolean {
	return argument instanceof LeafNode && argument.look.context === TreeContexts.resourceDirectory;
}

interface GroupDeps {
	readonly registry: Pick<ServerRegistry, 'label'>;
	readonly tree: ServersTree;
	readonly live: LiveResources;
	readonly byPerson: Pick<OpenedByPerson, 'add'>;
}

export function registerResourceGroup({ registry, tree, live, byPerson }: GroupDeps): Disposable {
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
		didDrag: ({ uri }, server) => byPerson.add({ serverId: server.definition.id, uri }),
		children: async (resource, server) => {
			const key = { serverId: server.definition.id, uri: resource.uri };
			byPerson.add(key);
			const found = await live.read(key).catch((error: unknown) => {
				throw new Error(describeReadError(error, registry.label(server), resource.title ?? resource.name));
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
		lastModified === undefined ? undefined : t('Last modified: {0}', describeDateTime(lastModified)),
		description === undefined ? undefined : `\n${description}`,
	];
	return lines.filter(it => it !== undefined).join('\n');
}

interface ResourceDecorationsDeps {
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly files: ResourceFileSystem;
	readonly open: OpenedResources;
}

/** A badge on tabs and rows of the tree, and a code lens above a text that may be outdated. */
class ResourceDecorations extends Owner implements vscode.FileDecorationProvider, vscode.CodeLensProvider {
	private readonly _onDidChangeFileDecorations = this.own(new Emitter<vscode.Uri[]>());
	readonly onDidChangeFileDecorations = this._onDidChangeFileDecorations.event as vscode.Event<vscode.Uri[]>;

	private readonly _onDidChangeCodeLenses = this.own(new Emitter<void>());
	readonly onDidChangeCodeLenses = this._onDidChangeCodeLenses.event as Event<void> & vscode.Event<void>;

	constructor(private readonly deps: ResourceDecorationsDeps) {
		super();
		this.own(vscode.window.registerFileDecorationProvider(this));
		this.own(vscode.languages.registerCodeLensProvider({ scheme: resourceScheme }, this));
		this.own(deps.live.onDidChange(({ resource }) => this.didChange(resource)));
	}

	provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
		if (uri.scheme !== resourceScheme) {
			return undefined;
		}
		const resource = this.resourceOf(uri);
		if (resource?.trouble) {
			const color = new vscode.ThemeColor(Colors.waiting);
			return new vscode.FileDecoration(
				'!',
				describeTrouble(resource.trouble, this.labelOf(resource), resource.uri),
				color,
			);
		}
		if (resource?.isUnseen) {
			const color = new vscode.ThemeColor('gitDecoration.modifiedResourceForeground');
			return new vscode.FileDecoration('●', t('Changed since you last opened it'), color);
		}
		return undefined;
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		const resource = this.resourceOf(uri);
		const server = resource && this.serverOf(resource);
		if (!resource?.trouble) {
			return [];
		}
		const { trouble } = resource;
		const at = describeTime(resource.readAt);
		const range = new vscode.Range(0, 0, 0, 0);
		const what = quickInputText(describeTrouble(trouble, this.labelOf(resource), resource.uri));
		const title = t('{0} Contents as of {1}.', what, at);
		const start = {
			title: t('Start Server'),
			command: Commands.startServer,
			// Other extensions can read the arguments of lenses, so these are only data.
			arguments: [{ server: server?.definition.id }],
		};
		const again: vscode.Command = { title: t('Read Again'), command: Commands.refreshResource, arguments: [uri] };
		return [
			new vscode.CodeLens(range, { title: `$(warning)\u00A0${title}`, command: '' }),
			...(server ? [new vscode.CodeLens(range, trouble.kind === 'notRunning' ? start : again)] : []),
		];
	}

	private didChange(resource: LiveResource): void {
		const server = this.serverOf(resource);
		const { serverId, uri } = resource;
		const mimeTypes = [
			undefined,
			resource.contents?.[0]?.mimeType,
			itemsOf(server?.catalog?.resources).find(it => it.uri === uri)?.mimeType,
		];
		const inTree = server ? mimeTypes.map(it => treeRowUri({ serverId, uri }, server.name, it)) : [];
		this._onDidChangeFileDecorations.fire([...inTree, ...this.deps.open.urisOf(resource)]);
		this._onDidChangeCodeLenses.fire();
	}

	private resourceOf(uri: vscode.Uri): LiveResource | undefined {
		const address = this.deps.files.addressOf(uri);
		return address?.version === undefined && address ? this.deps.live.find(address) : undefined;
	}

	private labelOf({ serverId }: LiveResource): string {
		return this.deps.registry.labelOf({ id: serverId });
	}

	private serverOf({ serverId }: LiveResource): Server | undefined {
		return this.deps.registry.serverOf({ id: serverId });
	}
}

/** Why the contents may be outdated, as a sentence. */
function describeTrouble(trouble: Trouble, serverLabel: string, uri: string): string {
	switch (trouble.kind) {
		case 'notRunning':
			return t('Server "{0}" isn\'t running.', serverLabel);
		case 'vanished':
		case 'failed':
			return describeReadError(trouble.error, serverLabel, readableName(uri));
		default:
			return assertNever(trouble);
	}
}

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
async function goToResource(registry: ServerRegistry): Promise<Found | undefined> {
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
		const hits = findBest(all, wordsOf(pick.value), maxShown, found => {
			const { title, name } = 'template' in found ? found.template : found.resource;
			return { names: [title ?? name, name, uriOf(found)] };
		});
		const unlisted = hits.length === 0 ? unlistedItems(registry, pick.value) : [];
		pick.items = [...hits.map(it => toItem(it, registry)), ...unlisted];
		pick.title =
			hits.length === maxShown
				? t('Resources: best {0} of {1}', maxShown, describeNumber(all.length))
				: t('Resources: {0} of {1}', hits.length, describeNumber(all.length));
	};
	const following = registry.onDidChange(update);
	return new Promise<Found | undefined>(resolve => {
		pick.onDidChangeValue(update);
		pick.onDidAccept(() => resolve(pick.selectedItems[0]?.found));
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
			label: t('Read from "{0}"', registry.label(server)),
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
