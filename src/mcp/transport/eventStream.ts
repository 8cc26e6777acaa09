/**
 * Reads a response of type `text/event-stream`, and remembers where to resume it if it breaks.
 *
 * eventsource-parser runs without `onError`, for which it makes an `Error` with a stack for each unknown field: 153
 * ms for 64 KB of them, 5 ms without. That leaves its `maxBufferSize` without use: it counts the characters that it
 * keeps, but not the chunks that its slices keep in memory, nor the pieces that it joins later. Here, everything fed
 * since the last event is counted.
 */
import { createParser } from 'eventsource-parser';
import { McpError } from '../jsonrpc/errors.js';
import type { HttpResponse } from './httpFetch.js';

/** One event of a stream. */
export interface SseEvent {
	/** `message` unless the stream names another. */
	readonly event: string;
	readonly data: string;
	/** The `id` field of this event. */
	readonly id: string | undefined;
}

/** How far a stream was read, over all responses that it consisted of. */
export interface SsePosition {
	/**
	 * The id of the last complete event, or of an earlier one if that had none; undefined if the stream can't be
	 * resumed.
	 */
	lastEventId: string | undefined;
	/** Milliseconds to wait before each reconnection, as the server asked in a `retry` field. */
	retryMs: number | undefined;
	/** Milliseconds to wait before the next reconnection only, as the server asked with an error status. */
	retryAfterMs: number | undefined;
	/** The ids of the latest events, to recognize repetitions. */
	readonly delivered: Set<string>;
}

/** The number of ids that are remembered. */
const maxDelivered = 1000;
const maxIdLength = 256;
/** Ids that a header can carry: servers refuse longer ones, and headers carry no control characters. */
const resumableId = /^\P{Cc}{1,2048}$/u;
/** Node's timers fire at once if their delay exceeds 2^31 ms. */
const maxRetryMs = 999_999_999;
/**
 * The cost of each chunk and each line besides its characters, because an event may consist of millions of empty
 * lines.
 */
const costOfPiece = 16;

/** The position before the first event. */
export function startOfStream(): SsePosition {
	return { lastEventId: undefined, retryMs: undefined, retryAfterMs: undefined, delivered: new Set() };
}

/**
 * Reads events until the stream ends. Spec 2025-11-25, transports, "Resumability and Redelivery": events that a
 * server repeats when a stream is resumed are left out.
 * @returns whether any bytes were received
 * @throws McpError `tooLarge` at an event above the limit, after which nothing is read; what breaks the transfer, and
 * what `onEvent` throws
 */
export async function readEvents(
	response: HttpResponse,
	position: SsePosition,
	maxEventLength: number,
	onEvent: (event: SseEvent) => void,
): Promise<boolean> {
	// Only ids of earlier responses: a server may give all events of one response the same id.
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

/** Parses events from bytes, however they are chunked (HTML standard, "Parsing an event stream"). */
export class EventReader {
	// The parser removes the byte-order mark.
	private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	/** The cost of everything since the last event: characters, and `costOfPiece` for each chunk and line. */
	private cost = 0;
	private hasEvent = false;

	private readonly parser = createParser({
		onId: id => {
			this.position.lastEventId = resumableId.test(id) ? detach(id) : undefined;
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
	 * @param position is updated with the ids and the `retry` time
	 * @param maxEventLength in characters, approximately
	 */
	constructor(
		private readonly position: Pick<SsePosition, 'lastEventId' | 'retryMs'>,
		private readonly maxEventLength: number,
		private readonly onEvent: (event: SseEvent) => unknown,
	) {}

	/** @throws McpError `tooLarge`, after which `push` must not be called again; what `onEvent` throws */
	push(bytes: Uint8Array): void {
		const text = this.decoder.decode(bytes, { stream: true });
		if (text === '') {
			return;
		}
		this.hasEvent = false;
		this.parser.feed(text);
		// This also ends a stream of comments only, but late: one comment every 15 s adds up to 64 MB in half a year.
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

/**
 * A copy of a slice, because a slice keeps its whole chunk in memory. Concatenation and `slice` make V8 build a new
 * string.
 */
function detach(slice: string): string {
	return ` ${slice}`.slice(1);
}

function remember(ids: Set<string>, id: string): void {
	if (id.length > maxIdLength) {
		return;
	}
	ids.delete(id);
	ids.add(id);
	const [oldest = ''] = ids;
	if (ids.size > maxDelivered) {
		ids.delete(oldest);
	}
}
