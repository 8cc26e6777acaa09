/**
 * Follows the resources that are open in tabs, marks visible ones as seen, and sets the languages of texts. Tabs are used
 * instead of documents, because custom editors don't have documents, and because a change of the language reopens a
 * document.
 */
import * as vscode from 'vscode';
import { type Disposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { resourceKeyText, type ResourceKey } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import { textLanguage } from '../../core/resources/textNames.js';
import { resourceScheme } from '../../editor/contributions.js';
import { placeOf } from '../../editor/documents/resourceUri.js';
import type { ResourceFileSystem } from './resourceFileSystem.js';

export class OpenedResources extends Owner {
	/** By server and URI. */
	private readonly following = new Map<string, Disposable>();
	/** Documents whose language was set once, so that the person can choose another. */
	private readonly inLanguage = new Set<string>();
	private languages: Promise<ReadonlySet<string>> | undefined;

	constructor(
		private readonly files: ResourceFileSystem,
		private readonly live: LiveResources,
	) {
		super();
		this.own(vscode.window.tabGroups.onDidChangeTabs(() => this.update()));
		this.own(vscode.window.tabGroups.onDidChangeTabGroups(() => this.update()));
		this.own(
			vscode.workspace.onDidOpenTextDocument(document => {
				// For other documents, this would load modules that a window without resources doesn't need.
				if (document.uri.scheme === resourceScheme) {
					void this.setLanguage(document);
				}
			}),
		);
		this.own(
			live.onDidChange(({ resource, isContent }) => {
				if (isContent) {
					files.reportChange(...this.urisOf(resource));
				}
			}),
		);
		this.own(
			toDisposable(() => {
				for (const it of this.following.values()) {
					it.dispose();
				}
				this.following.clear();
			}),
		);
		// Updating loads modules that a window without resources doesn't need.
		if (openUris().length > 0) {
			this.update();
		}
	}

	/** Whether the resource is in a visible tab. */
	isSeen(key: ResourceKey): boolean {
		return visibleUris().some(it => this.isOf(it, key));
	}

	/** The URIs under which the resource is open in a tab, or as a document of another extension. */
	urisOf(key: ResourceKey): vscode.Uri[] {
		const documents = vscode.workspace.textDocuments.map(it => it.uri).filter(it => it.scheme === resourceScheme);
		const all = new Map([...openUris(), ...documents].map(it => [it.toString(), it]));
		return [...all.values()].filter(it => this.isOf(it, key));
	}

	private isOf(uri: vscode.Uri, { serverId, uri: resource }: ResourceKey): boolean {
		const address = this.files.addressOf(uri);
		return address?.serverId === serverId && address.uri === resource && address.version === undefined;
	}

	private update(): void {
		const open = new Map<string, () => Disposable>();
		for (const uri of openUris()) {
			const address = this.files.addressOf(uri);
			if (address) {
				open.set(resourceKeyText(address), () => this.live.follow(address));
			}
		}
		for (const [key, keep] of open) {
			if (!this.following.has(key)) {
				this.following.set(key, keep());
			}
		}
		for (const [key, it] of this.following) {
			if (!open.has(key)) {
				this.following.delete(key);
				it.dispose();
			}
		}
		const uris = new Set(openUris().map(it => it.toString()));
		for (const it of this.inLanguage) {
			if (!uris.has(it)) {
				this.inLanguage.delete(it);
			}
		}
		for (const uri of visibleUris()) {
			const address = this.files.addressOf(uri);
			if (address) {
				this.live.markSeen(address);
			}
		}
	}

	/** Sets the language of a text by its MIME type and name, to one that `textNames.ts` considers safe. */
	private async setLanguage(document: vscode.TextDocument): Promise<void> {
		const address = this.files.addressOf(document.uri);
		const content = this.files.contentOf(document.uri);
		const key = document.uri.toString();
		if (!address || !content || this.inLanguage.has(key)) {
			return;
		}
		this.inLanguage.add(key);
		this.languages ??= Promise.resolve(vscode.languages.getLanguages()).then(it => new Set(it));
		const { languageId } = document;
		const language = textLanguage(content.mimeType, placeOf(address), languageId, await this.languages);
		if (language !== undefined && language !== document.languageId && !document.isClosed) {
			// Fails if the document has been closed meanwhile.
			await vscode.languages.setTextDocumentLanguage(document, language).then(undefined, () => undefined);
		}
	}
}

function openUris(): vscode.Uri[] {
	return vscode.window.tabGroups.all.flatMap(it => it.tabs.flatMap(urisOfTab));
}

function visibleUris(): vscode.Uri[] {
	return vscode.window.tabGroups.all.flatMap(it => (it.activeTab ? urisOfTab(it.activeTab) : []));
}

/** The resource in the active tab. In a comparison, this is its current version. */
export function activeResource(): vscode.Uri | undefined {
	const { activeTab } = vscode.window.tabGroups.activeTabGroup;
	return activeTab && urisOfTab(activeTab).at(-1);
}

function urisOfTab({ input }: vscode.Tab): vscode.Uri[] {
	const uris =
		input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
			? [input.uri]
			: input instanceof vscode.TabInputTextDiff
				? [input.original, input.modified]
				: [];
	return uris.filter(it => it.scheme === resourceScheme);
}
