/** What resources that are open or listed show besides themselves: that they have changed, or may be old. */
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
import type { OpenResources } from './openResources.js';
import type { ResourceFileSystem } from './resourceFileSystem.js';
import { lineUri } from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';

const { t } = vscode.l10n;

export interface SignsDeps {
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly files: ResourceFileSystem;
	readonly open: OpenResources;
}

/** A badge on tabs and on lines of the tree, and a line above a text that may be old. */
export class Signs extends Owner implements vscode.FileDecorationProvider, vscode.CodeLensProvider {
	private readonly _onDidChangeFileDecorations = this.own(new Emitter<vscode.Uri[]>());
	readonly onDidChangeFileDecorations = this._onDidChangeFileDecorations.event as vscode.Event<vscode.Uri[]>;

	private readonly _onDidChangeCodeLenses = this.own(new Emitter<void>());
	readonly onDidChangeCodeLenses = this._onDidChangeCodeLenses.event as Event<void> & vscode.Event<void>;

	constructor(private readonly deps: SignsDeps) {
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
			return new vscode.FileDecoration('!', describeTrouble(resource.trouble, this.serverOf(resource)), color);
		}
		if (resource?.isUnseen) {
			const color = new vscode.ThemeColor('gitDecoration.modifiedResourceForeground');
			return new vscode.FileDecoration('●', t('Changed since you last looked'), color);
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
		const what = quickInputText(describeTrouble(trouble, server));
		const title = t('{0} This is what it was at {1}.', what, at);
		const start = {
			title: t('Start Server'),
			command: Commands.startServer,
			// Other extensions get lenses with their arguments: nothing of ours but data belongs there.
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
		const inTree = server ? mimeTypes.map(it => lineUri({ serverId, uri }, server.name, it)) : [];
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

/** A sentence. */
function describeTrouble(trouble: Trouble, server: Server | undefined): string {
	switch (trouble.kind) {
		case 'notRunning':
			return t('The server "{0}" is not running.', notificationText(server?.name ?? ''));
		case 'vanished':
		case 'failed':
			return describeReadError(trouble.error, server?.name ?? '');
		default:
			return assertNever(trouble);
	}
}
