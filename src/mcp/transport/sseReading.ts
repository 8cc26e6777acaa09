/** Reads a response of type `text/event-stream`: its messages, and where to go on if it breaks. */
import type { IdScanner } from '../jsonrpc/idScanner.js';
import type { HttpResponse } from './httpFetch.js';
import { type SseEvent, SseParser } from './sseStream.js';

/** How far a stream was read, over all the responses that it was continued with. */
export interface SsePosition {
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

/** Where every stream begins. */
export function startOfStream(): SsePosition {
	return { lastEventId: undefined, retryMs: undefined, retryAfterMs: undefined, delivered: new Set() };
}

/**
 * Hands over every event until the stream ends.
 * Spec 2025-11-25, transports, "Resumability and Redelivery": nothing twice. What a server repeats when a
 * stream is taken up again is left out.
 * @param onOversize told of a message past the limit what was found in it
 * @param onOverlong told of an event that is past the limit before its end; it may throw, to read no more
 * @returns true if anything came at all
 * @throws what breaks the transfer, and what the callbacks throw
 */
export async function readEvents(
	response: HttpResponse,
	position: SsePosition,
	maxEventBytes: number,
	onEvent: (event: SseEvent) => void,
	onOversize: (scanner: IdScanner) => void,
	onOverlong?: () => void,
): Promise<boolean> {
	// Only what earlier responses brought: within one, a server that gives all events the same id means no repetition.
	const earlier = new Set(position.delivered);
	const isNew = ({ id }: Pick<SseEvent, 'id'>): boolean => {
		if (id === undefined || id === '') {
			return true;
		}
		remember(position.delivered, id);
		return !earlier.has(id);
	};
	const parser = new SseParser(
		{
			onEvent: event => isNew(event) && onEvent(event),
			onOversize: (scanner, event) => isNew(event) && event.event === 'message' && onOversize(scanner),
			onOverlong,
		},
		maxEventBytes,
	);
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
