/**
 * Server-sent events from bytes in any chunking (HTML standard, "Parsing an event stream").
 *
 * Home-made although eventsource-parser is good and about as fast (measured: 100,000 small events, and one
 * of 50 MB). That one forgets an `id` that comes without data, which is what a stream is resumed by; it
 * waits for more bytes after an event that ends in CR; and past its limit it is of no further use, where a
 * stream that many messages share must lose only the one that was too large.
 *
 * Each chunk is searched from its end for the last line end. What is before it is decoded in one go and
 * split as a string; what is after it waits as bytes and is joined once, when its line has ended. What is too
 * large is not joined (`longEvent.ts`).
 */

/** One event. */
export interface SseEvent {
	/** `message` unless the stream names another. */
	readonly event: string;
	readonly data: string;
	/** Its own, not an earlier one's. */
	readonly id: string | undefined;
}

export interface SseHandlers {
	readonly onEvent: (event: SseEvent) => unknown;
	/**
	 * Called at the end of an event larger than `maxEventBytes`, with the result of the scan of its data. If much of it is
	 * still to be scanned, called some turns of the event loop later: after `onOverlong`, and after events that follow.
	 */
	readonly onOversize: (scanner: IdScanner, event: Omit<SseEvent, 'data'>) => unknown;
	/** An event is larger than `maxEventBytes` and may never end; told before much of it is looked through. */
	readonly onOverlong?: (() => unknown) | undefined;
}

import type { IdScanner } from '../jsonrpc/idScanner.js';
import { LongEvent } from './longEvent.js';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

// A byte-order mark counts only at the very start, which we look after ourselves.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const dataPrefix = 'data:';
/** Characters that each line of data counts besides its own: an event may consist of millions of empty lines. */
const costOfLine = 16;
/** The longest line that isn't data, in an event that is too large to be kept. */
const maxFieldBytes = 64 * 1024;

/** Feed it with `push`; an event that no blank line has ended is, as the standard asks, never told. */
export class SseParser {
	/** The id of the last whole event that had one, or an earlier one's; what to resume from. */
	lastEventId: string | undefined;
	/** Milliseconds that the server wants us to wait before coming back. */
	retryMs: number | undefined;

	/** Bytes of the line that has not ended. */
	private waiting: Uint8Array[] = [];
	private waitingBytes = 0;
	private isFirst = true;
	/** The last chunk ended in CR: a LF at the start of the next one belongs to it. */
	private afterReturn = false;

	private event = '';
	/** The first line of data, those that follow, and how many characters they have, with `costOfLine` of each that follows. */
	private data: string | undefined;
	private moreData: string[] = [];
	private dataLength = 0;
	private id: string | undefined;
	/** Looks through the data of an event that is too large to be kept. */
	private long: LongEvent | undefined;
	/** Until the end of this line, which is too long to be kept, bytes go here; nowhere if it is no data. */
	private longLine: { readonly event: LongEvent | undefined } | undefined;

	/** @param maxEventBytes counted roughly: whether bytes or characters depends on how they come */
	constructor(
		private readonly handlers: SseHandlers,
		private readonly maxEventBytes: number,
	) {}

	push(bytes: Uint8Array): void {
		let chunk = bytes;
		if (this.afterReturn && chunk.length > 0) {
			this.afterReturn = false;
			if (chunk[0] === lineFeed) {
				chunk = chunk.subarray(1);
			}
		}
		if (this.waiting.length > 0) {
			const length = lineEnd(chunk);
			if (length < chunk.length && this.isTooLong(length)) {
				this.waiting.push(chunk.subarray(0, length));
				this.beginLongLine();
				chunk = chunk.subarray(length);
			}
		}
		if (this.longLine) {
			chunk = this.passLongLine(chunk, this.longLine.event);
		}
		// Forwards first: what is most often absent is found absent fastest.
		const hasReturns = chunk.includes(carriageReturn);
		const lastReturn = hasReturns ? chunk.lastIndexOf(carriageReturn) : -1;
		const lastFeed = chunk.includes(lineFeed) ? chunk.lastIndexOf(lineFeed) : -1;
		const end = Math.max(lastReturn, lastFeed) + 1;
		if (end > 0) {
			this.afterReturn = lastReturn === chunk.length - 1;
			this.readLines(decoder.decode(this.withWaiting(chunk.subarray(0, end))), hasReturns);
		}
		if (end < chunk.length) {
			this.wait(chunk.subarray(end));
		}
		this.long?.scanNext(bytes.length);
	}

	private wait(rest: Uint8Array): void {
		this.waiting.push(rest);
		this.waitingBytes += rest.length;
		if (this.isTooLong(0)) {
			this.handlers.onOverlong?.();
			this.beginLongLine();
		}
	}

	/** @param more bytes that are to be added to the waiting line */
	private isTooLong(more: number): boolean {
		const max = this.long ? Math.min(this.maxEventBytes, maxFieldBytes) : this.maxEventBytes;
		return this.waitingBytes + more + this.dataLength > max;
	}

	private beginLongLine(): void {
		const parts = this.waiting;
		this.waiting = [];
		this.waitingBytes = 0;
		const event = this.skip();
		const isData = decoder.decode(firstBytes(parts, dataPrefix.length)) === dataPrefix;
		this.longLine = { event: isData ? event : undefined };
		if (isData) {
			event.add(dataOf(parts));
		}
	}

	/** @returns what follows the line */
	private passLongLine(chunk: Uint8Array, event: LongEvent | undefined): Uint8Array {
		const end = lineEnd(chunk);
		event?.add([chunk.subarray(0, end)]);
		if (end === chunk.length) {
			return chunk.subarray(end);
		}
		this.longLine = undefined;
		const isReturn = chunk[end] === carriageReturn;
		this.afterReturn = isReturn && end === chunk.length - 1;
		return chunk.subarray(isReturn && chunk[end + 1] === lineFeed ? end + 2 : end + 1);
	}

	private withWaiting(last: Uint8Array): Uint8Array {
		if (this.waiting.length === 0) {
			return last;
		}
		const joined = new Uint8Array(this.waitingBytes + last.length);
		let offset = 0;
		for (const part of this.waiting) {
			joined.set(part, offset);
			offset += part.length;
		}
		joined.set(last, offset);
		this.waiting = [];
		this.waitingBytes = 0;
		return joined;
	}

	/** Whole lines, each with its end. */
	private readLines(text: string, hasReturns: boolean): void {
		let start = 0;
		if (this.isFirst) {
			this.isFirst = false;
			start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
		}
		if (hasReturns) {
			this.readMixedLines(text, start);
			return;
		}
		while (start < text.length) {
			const end = text.indexOf('\n', start);
			this.readLine(text, start, end);
			start = end + 1;
		}
	}

	private readMixedLines(text: string, from: number): void {
		const lineEnd = /\r\n?|\n/g;
		let start = from;
		lineEnd.lastIndex = start;
		for (let match = lineEnd.exec(text); match; match = lineEnd.exec(text)) {
			this.readLine(text, start, match.index);
			start = lineEnd.lastIndex;
		}
	}

	private readLine(text: string, start: number, end: number): void {
		if (start === end) {
			this.dispatch();
		} else {
			if (end - start > this.maxEventBytes) {
				this.skip();
			}
			// By far the most frequent field, read without cutting out its name.
			if (text.startsWith(dataPrefix, start)) {
				this.addData(text.slice(text.charCodeAt(start + 5) === 0x20 ? start + 6 : start + 5, end));
			} else {
				this.readField(text.slice(start, end));
			}
		}
	}

	private readField(line: string): void {
		const colon = line.indexOf(':');
		const name = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
		switch (name) {
			case 'event':
				this.event = value;
				return;
			case 'data':
				this.addData(value);
				return;
			case 'id':
				// HTML standard: an id with a NULL in it is ignored.
				if (!value.includes('\0')) {
					this.id = value;
				}
				return;
			case 'retry':
				if (/^\d{1,9}$/.test(value)) {
					this.retryMs = Number(value);
				}
		}
	}

	private addData(value: string): void {
		if (this.long) {
			this.long.add(['\n', value]);
			return;
		}
		if (this.data === undefined) {
			this.data = value;
			this.dataLength = value.length;
		} else {
			this.moreData.push(value);
			this.dataLength += value.length + costOfLine;
		}
		if (this.dataLength > this.maxEventBytes) {
			this.handlers.onOverlong?.();
			this.skip();
		}
	}

	/** From here to its end, the event is only looked through. */
	private skip(): LongEvent {
		if (!this.long) {
			this.long = new LongEvent();
			this.long.add(linesOf(this.data, this.moreData));
			this.data = undefined;
			this.moreData = [];
			this.dataLength = 0;
		}
		return this.long;
	}

	private dispatch(): void {
		const { data, moreData, id, long } = this;
		const event = this.event || 'message';
		this.lastEventId = id ?? this.lastEventId;
		this.event = '';
		this.data = undefined;
		this.dataLength = 0;
		this.id = undefined;
		this.long = undefined;
		if (moreData.length > 0) {
			this.moreData = [];
		}
		if (long) {
			long.end(
				() => this.handlers.onOverlong?.(),
				scanner => this.handlers.onOversize(scanner, { event, id }),
			);
		} else if (data !== undefined) {
			const all = moreData.length > 0 ? `${data}\n${moreData.join('\n')}` : data;
			this.handlers.onEvent({ event, data: all, id });
		}
	}
}

/** Where the first line of a chunk ends; its length if no line ends there. */
function lineEnd(chunk: Uint8Array): number {
	const [feed, carriage] = [chunk.indexOf(lineFeed), chunk.indexOf(carriageReturn)];
	return Math.min(feed === -1 ? chunk.length : feed, carriage === -1 ? chunk.length : carriage);
}

function* linesOf(first: string | undefined, more: readonly string[]): Generator<string> {
	yield first ?? '';
	for (const line of more) {
		yield '\n';
		yield line;
	}
}

/** The bytes of a line of data, without the name of the field. */
function* dataOf(parts: readonly Uint8Array[]): Generator<Uint8Array | string> {
	yield '\n';
	let skipped = 0;
	for (const part of parts) {
		const rest = part.subarray(dataPrefix.length - skipped);
		skipped += part.length - rest.length;
		yield rest;
	}
}

function firstBytes(parts: readonly Uint8Array[], count: number): Uint8Array {
	const bytes: number[] = [];
	for (const part of parts) {
		bytes.push(...part.subarray(0, count - bytes.length));
		if (bytes.length === count) {
			break;
		}
	}
	return Uint8Array.from(bytes);
}
