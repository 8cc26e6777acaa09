/** One resource that was read, or is followed, as `liveResources.ts` keeps it. */
import { type Disposable, MutableDisposable } from '../../base/lifecycle.js';
import type { Client } from '../../mcp/index.js';
import type { ReadContent } from './resourceContents.js';

export interface ResourceKey {
	/** Of the definition. */
	readonly serverId: string;
	/** As the server lists it, or as a template gave it. */
	readonly uri: string;
}

/** Why what is shown may not be what the server has. */
export type Trouble =
	| { readonly kind: 'notRunning' }
	| { readonly kind: 'vanished' | 'failed'; readonly error: unknown };

/** What a resource was before it last changed. */
export interface PreviousContents {
	readonly contents: readonly ReadContent[];
	/** When they came, in milliseconds since 1970; differs between the versions of a resource. */
	readonly at: number;
}

/** A resource that was read, or is followed. */
export interface LiveResource extends ResourceKey {
	/** `undefined` until it was read once. */
	readonly contents: readonly ReadContent[] | undefined;
	/** `undefined` if it hasn't changed since it was first read, or was too large to be kept. */
	readonly previous: PreviousContents | undefined;
	/** When the contents came, and when they were last found to be the same; milliseconds since 1970. */
	readonly changedAt: number;
	readonly readAt: number;
	readonly trouble: Trouble | undefined;
	/** It has changed, and nobody has looked since. */
	readonly isUnseen: boolean;
}

/** Mutable: belongs to `LiveResources`. */
export interface LiveEntry {
	readonly serverId: string;
	readonly uri: string;
	contents: readonly ReadContent[] | undefined;
	previous: PreviousContents | undefined;
	changedAt: number;
	readAt: number;
	trouble: Trouble | undefined;
	isUnseen: boolean;
	/** How often it is followed. */
	followers: number;
	/** What the attachment is to. */
	client: Client | undefined;
	/** It was followed when there was no server to be followed at. */
	isWaiting: boolean;
	readonly attachment: MutableDisposable<Disposable>;
	/** The contents were read under an acknowledged subscription that is still followed: the server sends every update. */
	isSubscribed: boolean;
	timer: ReturnType<typeof setTimeout> | undefined;
	isRefreshing: boolean;
	/** News came while it was read. */
	isStale: boolean;
	/** Reads that are under way, that were begun, and the latest whose answer counts. */
	reading: number;
	asked: number;
	answered: number;
}

/** One of which nothing is known yet. */
export function createEntry({ serverId, uri }: ResourceKey): LiveEntry {
	return {
		serverId,
		uri,
		contents: undefined,
		previous: undefined,
		changedAt: 0,
		readAt: 0,
		trouble: undefined,
		isUnseen: false,
		followers: 0,
		client: undefined,
		isWaiting: false,
		attachment: new MutableDisposable(),
		isSubscribed: false,
		timer: undefined,
		isRefreshing: false,
		isStale: false,
		reading: 0,
		asked: 0,
		answered: 0,
	};
}

/** Nothing of it goes on. */
export function releaseEntry(entry: LiveEntry): void {
	clearTimeout(entry.timer);
	entry.attachment.dispose();
}

/** In bytes. */
export function sizeOf(contents: readonly ReadContent[]): number {
	return contents.reduce((sum, it) => sum + it.bytes.length, 0);
}

/** Tells resources of all servers apart. */
export function keyOf({ serverId, uri }: ResourceKey): string {
	return `${serverId}\n${uri}`;
}
