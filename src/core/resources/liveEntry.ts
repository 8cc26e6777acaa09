/** The state of one resource in `liveResources.ts`. */
import { clock, type Timer } from '../../base/clock.js';
import { type Disposable, MutableDisposable } from '../../base/lifecycle.js';
import type { Client } from '../../mcp/index.js';
import type { ReadContent } from './resourceContents.js';

export interface ResourceKey {
	/** The id of the server's definition. */
	readonly serverId: string;
	/** The URI as the server lists it, or the expansion of a template. */
	readonly uri: string;
}

/** Why the contents may not be those at the server. */
export type Trouble =
	| { readonly kind: 'notRunning' }
	| { readonly kind: 'vanished' | 'failed'; readonly error: unknown };

/** The contents of a resource before its last change. */
export interface PreviousContents {
	readonly contents: readonly ReadContent[];
	/** When they were read, in milliseconds since 1970. Each version of a resource has another number. */
	readonly at: number;
}

/** A resource that was read, or is followed. */
export type LiveResource = ResourceKey &
	Readonly<Pick<LiveEntry, 'contents' | 'previous' | 'changedAt' | 'readAt' | 'trouble' | 'isUnseen'>>;

/** Mutable. `LiveResources` owns and disposes it. */
export class LiveEntry implements ResourceKey, Disposable {
	readonly serverId: string;
	readonly uri: string;
	/** `undefined` until the resource has been read. */
	contents: readonly ReadContent[] | undefined;
	/** `undefined` if the contents haven't changed since they were first read, or were too large to be kept. */
	previous: PreviousContents | undefined;
	/** When these contents were read for the first time, in milliseconds since 1970. */
	changedAt = 0;
	/** When they were last read, in milliseconds since 1970. */
	readAt = 0;
	trouble: Trouble | undefined;
	/** Whether the contents have changed since the person last saw them. */
	isUnseen = false;
	/** Number of calls of `follow` that aren't disposed. */
	followers = 0;
	/** The client that the attachment listens to. */
	client: Client | undefined;
	/** Whether the resource is followed while its server doesn't run. */
	isWaiting = false;
	readonly attachment = new MutableDisposable();
	timer: Timer | undefined;
	isRefreshing = false;
	/** Whether an update came while the resource was read. */
	isStale = false;
	/** Number of times that the account at the server has changed. */
	identity = 0;
	/** Number of reads under way, number of reads begun, and the number of the latest read whose answer was used. */
	reading = 0;
	asked = 0;
	answered = 0;

	constructor({ serverId, uri }: ResourceKey) {
		this.serverId = serverId;
		this.uri = uri;
	}

	/** Number of bytes kept. */
	get bytes(): number {
		return sizeOf(this.contents ?? []) + sizeOf(this.previous?.contents ?? []);
	}

	/** Drops the contents, which belong to the previous account. */
	forget(): void {
		this.contents = undefined;
		this.previous = undefined;
		this.readAt = 0;
		this.isUnseen = false;
		this.identity++;
	}

	dispose(): void {
		clock.clearTimeout(this.timer);
		this.attachment.dispose();
	}
}

/** Number of bytes. */
export function sizeOf(contents: readonly ReadContent[]): number {
	return contents.reduce((sum, it) => sum + it.bytes.length, 0);
}

/** A key for maps. */
export function resourceKeyText({ serverId, uri }: ResourceKey): string {
	return `${serverId}\n${uri}`;
}
