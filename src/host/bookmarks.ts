/** What templates once came to and a person wants to find again: kept for the workspace, beneath the template. */
import type * as vscode from 'vscode';
import { isObject } from '../mcp/index.js';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';

export interface Bookmark {
	readonly serverId: string;
	readonly template: string;
	readonly uri: string;
}

const stateKey = 'resourceBookmarks';
/** The oldest goes first. */
const maxKept = 200;

export class Bookmarks extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	constructor(private readonly state: vscode.Memento) {
		super();
	}

	/** In the order in which they were made. */
	of(serverId: string, template: string): readonly Bookmark[] {
		return this.all().filter(it => it.serverId === serverId && it.template === template);
	}

	/** The same, of all of its templates. */
	ofServer(serverId: string): readonly Bookmark[] {
		return this.all().filter(it => it.serverId === serverId);
	}

	async add(bookmark: Bookmark): Promise<void> {
		const others = this.all().filter(it => !isSame(it, bookmark));
		await this.keep([...others, bookmark].slice(-maxKept));
	}

	async forget(bookmark: Bookmark): Promise<void> {
		await this.keep(this.all().filter(it => !isSame(it, bookmark)));
	}

	private all(): readonly Bookmark[] {
		const kept = this.state.get<unknown>(stateKey);
		return Array.isArray(kept) ? kept.filter(isBookmark) : [];
	}

	private async keep(bookmarks: readonly Bookmark[]): Promise<void> {
		await this.state.update(stateKey, bookmarks);
		this._onDidChange.fire();
	}
}

function isSame(a: Bookmark, b: Bookmark): boolean {
	return a.serverId === b.serverId && a.template === b.template && a.uri === b.uri;
}

function isBookmark(value: unknown): value is Bookmark {
	return (
		isObject(value) &&
		typeof value['serverId'] === 'string' &&
		typeof value['template'] === 'string' &&
		typeof value['uri'] === 'string'
	);
}
