/**
 * Server-sent events from bytes in any chunking (HTML standard, "Parsing an event stream").
 *
 * Not eventsource-parser, although it is good and about as fast (measured: 100,000 small events, and one of 50 MB): it
 * drops an `id` without data, from which a stream is resumed; it waits for more bytes after an event that ends in CR; and
 * it can't go on after an event over its limit, where a stream of many messages must lose only that one.
 *
 * Each chunk is searched from its end for the last line end. What is before it is decoded in one go and
 * split as a string; what is after it waits as bytes and is joined once, when its line has ended. What is too
 * large is not joined (`longEvent.ts`).
 */
import { BytePieces } from '../../base/bytePieces.js';
import { maxPart } from '../../base/scanQueue.js';
import type { IdScanner } from '../jsonrpc/idScanner.js';
import { LongEvents } from './longEvent.js';

/** One event. */
export interface SseEvent {
	/** `message` unless the stream names another. */
	readonly event: string;
	readonly data: string;
	/** The `id` field of this event. */
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

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

// A byte-order mark counts only at the very start, which we look after ourselves.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const byteOrderMark = '\ufeff';
const byteOrderMarkBytes = 3;
const dataPrefix = 'data:';
const newline = Uint8Array.of(lineFeed);
/** Characters that each line of data counts besides its own: an event may consist of millions of empty lines. */
const costOfLine = 16;
/** The longest line that isn't data, in an event that is too large to be kept. */
const maxFieldBytes = 64 * 1024;
/** Kept lines that are shorter are joined: a string takes more memory than its characters. */
const shortLength = 1024;
/** V8 copies a shorter slice by itself. */
const minSharedLength = 13;

/** Call `push` for each chunk. An event without a blank line at its end is discarded, as the standard asks. */
export class SseParser {
	/** The id of the last whole event that had one, or an earlier one's; what to resume from. */
	lastEventId: string | undefined;
	/** Milliseconds that the server wants us to wait before we connect again. */
	retryMs: number | undefined;

	/** Bytes of the line that has not ended. */
	private readonly waiting = new BytePieces();
	private isFirst = true;
	/** The last chunk ended in CR: a LF at the start of the next one belongs to it. */
	private afterReturn = false;

	private event = '';
	/** Lines of data from earlier chunks, one or several in a string. */
	private kept: string[] = [];
	/** The first line of data in this chunk, and those that follow. */
	private data: string | undefined;
	private moreData: string[] = [];
	/** Characters of data, with `costOfLine` of each line but the first. */
	private dataLength = 0;
	private id: string | undefined;
	/** The event is too large to be kept: its data is only scanned. */
	private isLong = false;
	/** `onOverlong` was called for this event. */
	private isTold = false;
	private readonly longEvents = new LongEvents();
	/** Until the end of this line, which is too long to be kept, bytes are scanned if it is data, and dropped otherwise. */
	private longLine: { readonly isData: boolean } | undefined;

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
				this.waiting.add(chunk.subarray(0, length));
				this.beginLongLine();
				chunk = chunk.subarray(length);
			}
		}
		if (this.longLine) {
			chunk = this.passLongLine(chunk, this.longLine.isData);
		}
		// Forwards first: what is most often absent is found absent fastest.
		const hasReturns = chunk.includes(carriageReturn);
		const lastReturn = hasReturns ? chunk.lastIndexOf(carriageReturn) : -1;
		const lastFeed = chunk.includes(lineFeed) ? chunk.lastIndexOf(lineFeed) : -1;
		const end = Math.max(lastReturn, lastFeed) + 1;
		if (end > 0) {
			this.afterReturn = lastReturn === chunk.length - 1;
			const lines = chunk.subarray(0, end);
			const text = decoder.decode(this.waiting.length > 0 ? this.waiting.takeAll(lines) : lines);
			this.readLines(text, hasReturns);
			this.keepLines(text);
		}
		if (end < chunk.length) {
			this.wait(chunk.subarray(end));
		}
		if (this.isLong) {
			this.tellOverlong();
		}
		this.longEvents.didReceive(bytes.length);
	}

	private wait(rest: Uint8Array): void {
		this.waiting.add(rest);
		if (this.isTooLong(0)) {
			this.tellOverlong();
			this.beginLongLine();
		}
	}

	/** @param more bytes that are to be added to the waiting line */
	private isTooLong(more: number): boolean {
		const max = this.isLong ? Math.min(this.maxEventBytes, maxFieldBytes) : this.maxEventBytes;
		return this.waiting.length + more + this.dataLength > max;
	}

	private beginLongLine(): void {
		this.beginLong();
		const { waiting } = this;
		const head = decoder.decode(waiting.head(byteOrderMarkBytes + dataPrefix.length));
		const hasMark = this.isFirst && head.startsWith(byteOrderMark);
		this.isFirst = false;
		const isData = head.startsWith(dataPrefix, hasMark ? byteOrderMark.length : 0);
		this.longLine = { isData };
		for (let skip = dataPrefix.length + (hasMark ? byteOrderMarkBytes : 0); skip > 0;) {
			skip -= waiting.take(skip)?.length ?? skip;
		}
		if (isData) {
			this.longEvents.add(newline);
		}
		for (let piece = waiting.take(maxPart); piece; piece = waiting.take(maxPart)) {
			if (isData) {
				this.longEvents.add(piece);
			}
		}
	}

	/** @returns what follows the line */
	private passLongLine(chunk: Uint8Array, isData: boolean): Uint8Array {
		const end = lineEnd(chunk);
		if (isData) {
			this.longEvents.add(chunk.subarray(0, end));
		}
		if (end === chunk.length) {
			return chunk.subarray(end);
		}
		this.longLine = undefined;
		const isReturn = chunk[end] === carriageReturn;
		this.afterReturn = isReturn && end === chunk.length - 1;
		return chunk.subarray(isReturn && chunk[end + 1] === lineFeed ? end + 2 : end + 1);
	}

	/** Whole lines, each with its end. */
	private readLines(text: string, hasReturns: boolean): void {
		let start = 0;
		if (this.isFirst) {
			this.isFirst = false;
			start = text.startsWith(byteOrderMark) ? 1 : 0;
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
				this.beginLong();
			}
			// By far the most frequent field, read without cutting out its name.
			if (text.startsWith(dataPrefix, start)) {
				this.addData(text.slice(text.charCodeAt(start + 5) === 0x20 ? start + 6 : start + 5, end));
			} else {
				this.readField(text.slice(start, end), text);
			}
		}
	}

	private readField(line: string, chunk: string): void {
		const colon = line.indexOf(':');
		const name = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
		switch (name) {
			case 'event':
				this.event = detach(value, chunk);
				return;
			case 'data':
				this.addData(value);
				return;
			case 'id':
				// HTML standard: an id with a NULL in it is ignored.
				if (!value.includes('\0')) {
					this.id = detach(value, chunk);
				}
				return;
			case 'retry':
				if (/^\d{1,9}$/.test(value)) {
					this.retryMs = Number(value);
				}
		}
	}

	private addData(value: string): void {
		const isFirst = this.data === undefined && this.kept.length === 0;
		if (this.data === undefined) {
			this.data = value;
		} else {
			this.moreData.push(value);
		}
		if (!this.isLong) {
			this.dataLength += value.length + (isFirst ? 0 : costOfLine);
			if (this.dataLength > this.maxEventBytes) {
				this.tellOverlong();
				this.beginLong();
			}
		}
	}

	/** Keeps, or scans, the lines of data in this chunk. @param chunk the text they were cut from, if they outlive it */
	private keepLines(chunk: string): void {
		const { data, moreData } = this;
		if (data === undefined) {
			return;
		}
		this.data = undefined;
		this.keep(detach(data, chunk));
		if (moreData.length > 0) {
			this.moreData = [];
			this.keep(detach(moreData.join('\n'), chunk));
		}
	}

	/** @param lines one line, or several */
	private keep(lines: string): void {
		const { kept } = this;
		const last = kept.at(-1);
		if (this.isLong) {
			this.longEvents.addLines(lines);
		} else if (last !== undefined && last.length < shortLength && lines.length < shortLength) {
			kept[kept.length - 1] = [last, lines].join('\n');
		} else {
			kept.push(lines);
		}
	}

	/** From here to its end, the event is only scanned. */
	private beginLong(): void {
		if (!this.isLong) {
			this.keepLines('');
			this.isLong = true;
			this.longEvents.begin(this.kept);
			this.kept = [];
			this.dataLength = 0;
		}
	}

	private tellOverlong(): void {
		if (!this.isTold) {
			this.isTold = true;
			this.handlers.onOverlong?.();
		}
	}

	private dispatch(): void {
		const { id } = this;
		const event = this.event || 'message';
		this.lastEventId = id ?? this.lastEventId;
		this.event = '';
		this.dataLength = 0;
		this.id = undefined;
		if (this.isLong) {
			this.endLong({ event, id });
			return;
		}
		const data = this.takeData();
		if (data !== undefined) {
			this.handlers.onEvent({ event, data, id });
		}
	}

	private takeData(): string | undefined {
		if (this.kept.length > 0) {
			this.keepLines('');
			const { kept } = this;
			this.kept = [];
			return kept.join('\n');
		}
		const { data, moreData } = this;
		this.data = undefined;
		if (moreData.length === 0) {
			return data;
		}
		this.moreData = [];
		return `${data}\n${moreData.join('\n')}`;
	}

	private endLong(event: Omit<SseEvent, 'data'>): void {
		this.keepLines('');
		this.isLong = false;
		this.longEvents.end(
			() => this.tellOverlong(),
			scanner => this.handlers.onOversize(scanner, event),
		);
		this.isTold = false;
	}
}

/**
 * A slice that outlives the decoded chunk it was cut from. V8 keeps the whole chunk in memory for a slice, so a slice that is
 * much shorter is copied: the concatenation is flattened, which makes a new string.
 */
function detach(slice: string, chunk: string): string {
	return slice.length >= minSharedLength && 2 * slice.length < chunk.length ? ` ${slice}`.slice(1) : slice;
}

/** Where the first line of a chunk ends; its length if no line ends there. */
function lineEnd(chunk: Uint8Array): number {
	const [feed, carriage] = [chunk.indexOf(lineFeed), chunk.indexOf(carriageReturn)];
	return Math.min(feed === -1 ? chunk.length : feed, carriage === -1 ? chunk.length : carriage);
}
