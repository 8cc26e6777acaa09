/** What templates once came to and a person wants to find again: kept for the workspace, beneath the template. */
import { isObject } from '../../mcp/index.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { KeptList, KeptState } from './keptState.js';

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

	private readonly kept: KeptList<Bookmark>;

	constructor(state: KeptState) {
		super();
		this.kept = state.list(stateKey, isBookmark);
		this.own(state.onDidClear(stateKey, () => this._onDidChange.fire()));
	}

	/** In the order in which they were made. */
	of(serverId: string, template: string): readonly Bookmark[] {
		return this.kept.entries.filter(it => it.serverId === serverId && it.template === template);
	}

	/** The same, of all of its templates. */
	ofServer(serverId: string): readonly Bookmark[] {
		return this.kept.entries.filter(it => it.serverId === serverId);
	}

	async add(bookmark: Bookmark): Promise<void> {
		const others = this.kept.entries.filter(it => !isSame(it, bookmark));
		await this.keep([...others, bookmark].slice(-maxKept));
	}

	async forget(bookmark: Bookmark): Promise<void> {
		await this.keep(this.kept.entries.filter(it => !isSame(it, bookmark)));
	}

	private async keep(bookmarks: readonly Bookmark[]): Promise<void> {
		await this.kept.keep(bookmarks);
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
