/** Reads a response of type `text/event-stream`: its messages, and where to go on if it breaks. */
import { McpError } from '../jsonrpc/errors.js';
import type { HttpResponse } from './httpFetch.js';
import { type SseEvent, SseParser } from './sseStream.js';

/** How far a stream was read, over all the responses that it was continued with. */
export interface SsePosition {
	lastEventId: string | undefined;
	/** What the server asked to wait before coming back; it stays in force until it says otherwise. */
	retryMs: number | undefined;
}

/** Where every stream begins. */
export function startOfStream(): SsePosition {
	return { lastEventId: undefined, retryMs: undefined };
}

/**
 * Hands over every event until the stream ends.
 * @param onOversize told of an event past the limit; throws if the stream is worth nothing without it
 * @returns true if anything came at all
 * @throws what breaks the transfer, and what `onOversize` throws
 */
export async function readEvents(
	response: HttpResponse,
	position: SsePosition,
	maxEventBytes: number,
	onEvent: (event: SseEvent) => void,
	onOversize: () => void,
): Promise<boolean> {
	const parser = new SseParser({ onEvent, onOversize }, maxEventBytes);
	let hasCome = false;
	await response.read(chunk => {
		hasCome ||= chunk.length > 0;
		try {
			parser.push(chunk);
		} finally {
			position.lastEventId = parser.lastEventId ?? position.lastEventId;
			position.retryMs = parser.retryMs ?? position.retryMs;
		}
	});
	return hasCome;
}

/** For `onOversize` where the event was the answer that the stream is there for. */
export function tooLarge(limit: number): () => never {
	return () => {
		throw new McpError({ code: 'tooLarge', limit });
	};
}
