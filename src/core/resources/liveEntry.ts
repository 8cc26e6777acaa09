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

/** Mutable: belongs to `LiveResources`, which disposes it. */
export class LiveEntry implements LiveResource, Disposable {
	readonly serverId: string;
	readonly uri: string;
	contents: readonly ReadContent[] | undefined;
	previous: PreviousContents | undefined;
	changedAt = 0;
	readAt = 0;
	trouble: Trouble | undefined;
	isUnseen = false;
	/** How often it is followed. */
	followers = 0;
	/** What the attachment is to. */
	client: Client | undefined;
	/** It was followed when there was no server to be followed at. */
	isWaiting = false;
	readonly attachment = new MutableDisposable();
	/** The contents were read under an acknowledged subscription that is still followed: the server sends every update. */
	isSubscribed = false;
	timer: ReturnType<typeof setTimeout> | undefined;
	isRefreshing = false;
	/** News came while it was read. */
	isStale = false;
	/** Reads that are under way, that were begun, and the latest whose answer counts. */
	reading = 0;
	asked = 0;
	answered = 0;

	constructor({ serverId, uri }: ResourceKey) {
		this.serverId = serverId;
		this.uri = uri;
	}

	/** Of all that is kept of it. */
	get bytes(): number {
		return sizeOf(this.contents ?? []) + sizeOf(this.previous?.contents ?? []);
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.attachment.dispose();
	}
}

/** In bytes. */
export function sizeOf(contents: readonly ReadContent[]): number {
	return contents.reduce((sum, it) => sum + it.bytes.length, 0);
}

/** Tells resources of all servers apart. */
export function keyOf({ serverId, uri }: ResourceKey): string {
	return `${serverId}\n${uri}`;
}
