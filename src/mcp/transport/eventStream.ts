/** Reads a response of type `text/event-stream`, and remembers where to resume a broken stream. */
import { createParser, type EventSourceParser } from 'eventsource-parser';
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
/** Ids that a header can carry: servers refuse longer ones, and headers carry no control characters. */
const resumableId = /^\P{Cc}{1,2048}$/u;
/** Node's timers fire at once if their delay exceeds 2^31 ms. */
const maxRetryMs = 999_999_999;
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
	const { delivered } = position;
	// Only ids of earlier responses: a server may give all events of one response the same id.
	const earlier = new Set(delivered);
	const reader = new EventReader(position, maxEventLength, event => {
		const { id = '' } = event;
		if (id !== '') {
			delivered.add(id);
		}
		if (delivered.size > maxDelivered) {
			const [oldest = ''] = delivered;
			delivered.delete(oldest);
		}
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
	private readonly parser: EventSourceParser;

	/**
	 * @param position is updated with the ids and the `retry` time
	 * @param maxEventLength in characters, approximately
	 */
	constructor(
		position: Pick<SsePosition, 'lastEventId' | 'retryMs'>,
		maxEventLength: number,
		onEvent: (event: SseEvent) => unknown,
	) {
		const refuse = (): never => {
			throw new McpError({ code: 'tooLarge', limit: maxEventLength });
		};
		this.parser = createParser({
			maxBufferSize: maxEventLength,
			onError: ({ type }) => type === 'max-buffer-size-exceeded' && refuse(),
			onId: id => {
				position.lastEventId = resumableId.test(id) ? id : undefined;
			},
			onRetry: ms => {
				if (ms <= maxRetryMs) {
					position.retryMs = ms;
				}
			},
			onEvent: ({ id, event = 'message', data }) => {
				if (data.length > maxEventLength) {
					refuse();
				}
				onEvent({ event, data, id });
			},
		});
	}

	/** @throws McpError `tooLarge`, after which `push` must not be called again; what `onEvent` throws */
	push(bytes: Uint8Array): void {
		this.parser.feed(this.decoder.decode(bytes, { stream: true }));
	}
}
