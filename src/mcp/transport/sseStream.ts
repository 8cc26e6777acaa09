/**
 * Server-sent events from bytes in any chunking (HTML standard, "Parsing an event stream").
 *
 * Home-made although eventsource-parser is good and about as fast (measured: 100,000 small events, and one
 * of 50 MB). That one forgets an `id` that comes without data, which is what a stream is resumed by; it
 * waits for more bytes after an event that ends in CR; and past its limit it is of no further use, where a
 * stream that many messages share must lose only the one that was too large.
 *
 * Each chunk is searched from its end for the last line end. What is before it is decoded in one go and
 * split as a string; what is after it waits as bytes and is joined once, when its line has ended.
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
	/** An event was larger than `maxEventBytes`; told at its end, with what was found in its data. */
	readonly onOversize: (scanner: IdScanner, event: Omit<SseEvent, 'data'>) => unknown;
	/** An event is larger than `maxEventBytes` and may never end; told before anything of it is looked through. */
	readonly onOverlong?: (() => unknown) | undefined;
}

import { IdScanner } from '../jsonrpc/idScanner.js';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

// A byte-order mark counts only at the very start, which we look after ourselves.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const dataPrefix = 'data:';

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
	private data: string | undefined;
	private id: string | undefined;
	/** Looks through the data of an event that is too large to be kept. */
	private scanner: IdScanner | undefined;
	/** Until the end of this line, which is too long to be kept, bytes go here; nowhere if it is no data. */
	private longLine: { readonly scanner: IdScanner | undefined } | undefined;

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
		if (this.longLine) {
			chunk = this.passLongLine(chunk, this.longLine.scanner);
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
	}

	private wait(rest: Uint8Array): void {
		this.waiting.push(rest);
		this.waitingBytes += rest.length;
		if (this.waitingBytes + (this.data?.length ?? 0) > this.maxEventBytes) {
			this.handlers.onOverlong?.();
			const line = this.withWaiting(new Uint8Array(0));
			const scanner = this.skip();
			const isData = decoder.decode(line.subarray(0, dataPrefix.length)) === dataPrefix;
			this.longLine = { scanner: isData ? scanner : undefined };
			this.longLine.scanner?.push(line.subarray(dataPrefix.length));
		}
	}

	/** @returns what follows the line */
	private passLongLine(chunk: Uint8Array, scanner: IdScanner | undefined): Uint8Array {
		const [feed, carriage] = [chunk.indexOf(lineFeed), chunk.indexOf(carriageReturn)];
		const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed;
		if (end === -1) {
			scanner?.push(chunk);
			return chunk.subarray(chunk.length);
		}
		scanner?.push(chunk.subarray(0, end));
		this.longLine = undefined;
		this.afterReturn = end === carriage && end === chunk.length - 1;
		return chunk.subarray(end === carriage && feed === end + 1 ? end + 2 : end + 1);
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
		if (this.scanner) {
			this.scanner.push(encoder.encode(`\n${value}`));
			return;
		}
		this.data = this.data === undefined ? value : `${this.data}\n${value}`;
		if (this.data.length > this.maxEventBytes) {
			this.handlers.onOverlong?.();
			this.skip();
		}
	}

	/** From here to its end, the event is only looked through. */
	private skip(): IdScanner {
		if (!this.scanner) {
			this.scanner = new IdScanner();
			this.scanner.push(encoder.encode(this.data));
			this.data = undefined;
		}
		return this.scanner;
	}

	private dispatch(): void {
		const { data, id, scanner } = this;
		const event = this.event || 'message';
		this.lastEventId = id ?? this.lastEventId;
		this.event = '';
		this.data = undefined;
		this.id = undefined;
		this.scanner = undefined;
		if (scanner) {
			this.handlers.onOversize(scanner, { event, id });
		} else if (data !== undefined) {
			this.handlers.onEvent({ event, data, id });
		}
	}
}
