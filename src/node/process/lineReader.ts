/**
 * Bytes in any chunking become lines. Each byte is looked at once: a line that spans many chunks is
 * joined when the line ends, not at every chunk.
 */
import { BytePieces } from '../../base/bytePieces.js';

const newline = 0x0a;
const carriageReturn = 0x0d;

const nothing = Buffer.alloc(0);

/** What is left of a line that is too long to be kept. */
export interface LongLine {
	/** Its first and its last bytes, at most `keptBytes`. */
	readonly head: Buffer;
	readonly tail: Buffer;
	readonly bytes: number;
}

export interface LineLimit {
	/** Bytes that a line may have, without its newline. */
	readonly maxBytes: number;
	/** Called as soon as a line is longer, with its first `maxBytes` bytes: it may never end. */
	readonly onOverflow?: (start: Buffer) => void;
	/** Called when a longer line has ended. */
	readonly onLongLine?: (line: LongLine) => void;
}

/** Bytes kept of each end of a line that is too long. */
const keptBytes = 1024;

/** Splits at `\n`, drops one `\r` before it and a byte-order mark at the very start, decodes UTF-8. */
export class LineReader {
	/** Bytes of the line that has not ended. */
	private readonly waiting = new BytePieces();
	/** The line is too long, and has not ended. */
	private long: LongLine | undefined;
	private isFirst = true;

	constructor(
		private readonly onLine: (line: string) => void,
		private readonly limit?: LineLimit,
	) {}

	push(chunk: Buffer): void {
		let start = 0;
		if (this.isFirst || this.waiting.length > 0 || this.long) {
			const end = chunk.indexOf(newline);
			start = end + 1;
			if (end !== -1) {
				this.finish(chunk.subarray(0, end));
			}
		}
		const last = chunk.lastIndexOf(newline);
		if (last >= start && this.limit && last - start > this.limit.maxBytes) {
			for (let end = chunk.indexOf(newline, start); end !== -1; end = chunk.indexOf(newline, start)) {
				this.finish(chunk.subarray(start, end));
				start = end + 1;
			}
		} else if (last >= start) {
			// Decoding costs by the call: hundreds of short lines are decoded as one text.
			for (const line of chunk.toString('utf8', start, last).split('\n')) {
				this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
			}
			start = last + 1;
		}
		if (start < chunk.length) {
			this.keep(chunk.subarray(start));
		}
	}

	/** Call at the end of the stream: what follows the last newline is a line too. */
	end(): void {
		if (this.waiting.length > 0 || this.long) {
			this.finish(nothing);
		}
	}

	private keep(part: Buffer): void {
		if (!this.drop(part)) {
			this.waiting.add(part);
		}
	}

	private finish(last: Buffer): void {
		if (this.drop(last)) {
			this.endLong();
			return;
		}
		let line = last;
		if (this.waiting.length > 0) {
			const { buffer } = this.waiting.takeAll(last);
			line = Buffer.from(buffer);
		}
		if (line.at(-1) === carriageReturn) {
			line = line.subarray(0, -1);
		}
		let text = line.toString('utf8');
		if (this.isFirst) {
			this.isFirst = false;
			text = text.replace(/^\uFEFF/, '');
		}
		this.onLine(text);
	}

	/** True if the line is too long, with this part, to be kept. */
	private drop(part: Buffer): boolean {
		if (this.long) {
			const { head, tail, bytes } = this.long;
			this.long = {
				head: head.length < keptBytes ? Buffer.concat([head, part]).subarray(0, keptBytes) : head,
				tail: endOf(Buffer.concat([tail, endOf(part)])),
				bytes: bytes + part.length,
			};
			return true;
		}
		if (!this.limit || this.waiting.length + part.length <= this.limit.maxBytes) {
			return false;
		}
		const start = Buffer.from(this.waiting.takeAll(part).buffer);
		this.limit.onOverflow?.(start.subarray(0, this.limit.maxBytes));
		// Copies: a part of a buffer keeps the whole buffer in memory.
		const head = Buffer.from(start.subarray(0, keptBytes));
		this.long = { head, tail: Buffer.from(endOf(start)), bytes: start.length };
		return true;
	}

	private endLong(): void {
		if (this.long) {
			this.limit?.onLongLine?.(this.long);
		}
		this.long = undefined;
		this.isFirst = false;
	}
}

function endOf(bytes: Buffer): Buffer {
	return bytes.subarray(Math.max(0, bytes.length - keptBytes));
}
