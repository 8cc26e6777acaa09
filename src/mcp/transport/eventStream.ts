/**
 * Reads a response of type `text/event-stream`: its messages, and where to go on if it breaks.
 *
 * eventsource-parser without `onError`, for which it makes an `Error` with a stack for each field that it doesn't know:
 * 153 ms for 64 KB of them, 5 ms without. That leaves its `maxBufferSize` without use: it counts characters it keeps, not
 * the chunks of which its slices keep the whole in memory, nor the pieces it joins later. What has been fed since the last
 * event is counted here instead.
 */
import { createParser } from 'eventsource-parser';
import { McpError } from '../jsonrpc/errors.js';
import type { HttpResponse } from './httpFetch.js';

/** One event. */
export interface SseEvent {
	/** `message` unless the stream names another. */
	readonly event: string;
	readonly data: string;
	/** The `id` field of this event. */
	readonly id: string | undefined;
}

/** How far a stream was read, over all the responses that it was continued with. */
export interface SsePosition {
	/** The id of the last whole event that had one, or an earlier one's; what to resume from. */
	lastEventId: string | undefined;
	/** What the server asked to wait before coming back; it stays in force until it says otherwise. */
	retryMs: number | undefined;
	/** The same, said with a status, for the next time only. */
	retryAfterMs: number | undefined;
	/** Ids of the last events that were handed over. */
	readonly delivered: Set<string>;
}

/** As far back as a server may repeat itself without being noticed. */
const maxDelivered = 1000;
const maxIdLength = 256;
/** A timer that is asked to wait longer than it can fires at once. */
const maxRetryMs = 999_999_999;
/** Characters that each chunk and each line counts besides its own: an event may consist of millions of empty lines. */
const costOfPiece = 16;

/** Where every stream begins. */
export function startOfStream(): SsePosition {
	return { lastEventId: undefined, retryMs: undefined, retryAfterMs: undefined, delivered: new Set() };
}

/**
 * Hands over every event until the stream ends.
 * Spec 2025-11-25, transports, "Resumability and Redelivery": nothing twice. What a server repeats when a
 * stream is taken up again is left out.
 * @returns true if anything came at all
 * @throws McpError `tooLarge` at an event past the limit, after which nothing more is read; what breaks the transfer, and
 * what the callback throws
 */
export async function readEvents(
	response: HttpResponse,
	position: SsePosition,
	maxEventLength: number,
	onEvent: (event: SseEvent) => void,
): Promise<boolean> {
	// Only what earlier responses brought: within one, a server that gives all events the same id means no repetition.
	const earlier = new Set(position.delivered);
	const reader = new EventReader(position, maxEventLength, event => {
		const { id } = event;
		if (id === undefined || id === '') {
			onEvent(event);
			return;
		}
		remember(position.delivered, id);
		if (!earlier.has(id)) {
			onEvent(event);
		}
	});
	let hasCome = false;
	await response.read(chunk => {
		hasCome ||= chunk.length > 0;
		reader.push(chunk);
	});
	return hasCome;
}

/** Events from bytes in any chunking (HTML standard, "Parsing an event stream"). */
export class EventReader {
	// The parser drops the byte-order mark.
	private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	/** Characters since the last event, with `costOfPiece` of each chunk and line. */
	private cost = 0;
	private hasEvent = false;

	private readonly parser = createParser({
		onId: id => {
			this.position.lastEventId = detach(id);
		},
		onRetry: ms => {
			if (ms <= maxRetryMs) {
				this.position.retryMs = ms;
			}
		},
		onEvent: ({ id, event = 'message', data }) => {
			this.hasEvent = true;
			if (data.length > this.maxEventLength) {
				this.refuse();
			}
			this.onEvent({ event, data, id: id && detach(id) });
		},
	});

	/**
	 * @param position is told of ids and of the time to wait
	 * @param maxEventLength in characters, counted roughly
	 */
	constructor(
		private readonly position: Pick<SsePosition, 'lastEventId' | 'retryMs'>,
		private readonly maxEventLength: number,
		private readonly onEvent: (event: SseEvent) => unknown,
	) {}

	/** @throws McpError `tooLarge`, after which there must be no more calls; what `onEvent` throws */
	push(bytes: Uint8Array): void {
		const text = this.decoder.decode(bytes, { stream: true });
		if (text === '') {
			return;
		}
		this.hasEvent = false;
		this.parser.feed(text);
		// This also ends a stream of nothing but comments: one every 15 s gets to 64 MB in half a year.
		this.cost = this.hasEvent ? 0 : this.cost + text.length + costOfPiece * (1 + countLineEnds(text));
		if (this.cost > this.maxEventLength) {
			this.refuse();
		}
	}

	private refuse(): never {
		throw new McpError({ code: 'tooLarge', limit: this.maxEventLength });
	}
}

function countLineEnds(text: string): number {
	let count = 0;
	for (const lineEnd of ['\n', '\r']) {
		for (let at = text.indexOf(lineEnd); at !== -1; at = text.indexOf(lineEnd, at + 1)) {
			count++;
		}
	}
	return count;
}

/** A copy of a slice: V8 keeps the whole chunk in memory for a slice, and flattens the concatenation, which makes a new string. */
function detach(slice: string): string {
	return ` ${slice}`.slice(1);
}

function remember(ids: Set<string>, id: string): void {
	if (id.length > maxIdLength) {
		return;
	}
	ids.delete(id);
	ids.add(id);
	for (const oldest of ids) {
		if (ids.size <= maxDelivered) {
			break;
		}
		ids.delete(oldest);
	}
}
