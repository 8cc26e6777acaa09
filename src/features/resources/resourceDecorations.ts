/** Marks resources that have changed or may be outdated. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { LiveResource, Trouble } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { Colors, Commands, resourceScheme } from '../../editor/contributions.js';
import { notificationText, quickInputText } from '../../editor/ui/plainText.js';
import type { OpenedResources } from './openedResources.js';
import type { ResourceFileSystem } from './resourceFileSystem.js';
import { treeRowUri, readableName } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';

const { t } = vscode.l10n;

export interface ResourceDecorationsDeps {
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly files: ResourceFileSystem;
	readonly open: OpenedResources;
}

/** A badge on tabs and rows of the tree, and a code lens above a text that may be outdated. */
export class ResourceDecorations extends Owner implements vscode.FileDecorationProvider, vscode.CodeLensProvider {
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
				describeTrouble(resource.trouble, this.serverOf(resource), resource.uri),
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
		const at = new Date(resource.readAt).toLocaleTimeString(vscode.env.language);
		const range = new vscode.Range(0, 0, 0, 0);
		const what = quickInputText(describeTrouble(trouble, server, resource.uri));
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

	private serverOf({ serverId }: LiveResource): Server | undefined {
		return this.deps.registry.serverOf({ id: serverId });
	}
}

/** Why the contents may be outdated, as a sentence. */
function describeTrouble(trouble: Trouble, server: Server | undefined, uri: string): string {
	switch (trouble.kind) {
		case 'notRunning':
			return t('Server "{0}" isn\'t running.', notificationText(server?.name ?? ''));
		case 'vanished':
		case 'failed':
			return describeReadError(trouble.error, server?.name ?? '', readableName(uri));
		default:
			return assertNever(trouble);
	}
}
