/** Splits chunks of bytes into lines. A line that spans many chunks is joined once, at its end, to keep the time linear. */
import type { Chunk } from '../../mcp/index.js';

const newline = 0x0a;
const carriageReturn = 0x0d;

const nothing = Buffer.alloc(0);

/** A line that is too long to be kept. */
export interface LongLine {
	/** The first and last bytes of the line, at most `keptBytes` each. */
	readonly head: Buffer;
	readonly tail: Buffer;
	readonly bytes: number;
}

export interface LineLimit {
	/** Bytes of a line without its newline. */
	readonly maxBytes: number;
	/** Called with the first `maxBytes` bytes as soon as a line exceeds the limit; the line may never end. */
	readonly onOverflow?: (start: Buffer) => void;
	/** Called at the end of a line that exceeds the limit. */
	readonly onLongLine?: (line: LongLine) => void;
}

/** Bytes that are kept of each end of a line that is too long. */
const keptBytes = 1024;

/** Splits at `\n`, drops one `\r` before it and a byte-order mark at the very start, decodes UTF-8. */
export class LineReader {
	/** The beginning of the current line, and the number of its bytes. */
	private waiting: Buffer[] = [];
	private waitingBytes = 0;
	/** The current line, if it is too long. */
	private long: LongLine | undefined;
	private isFirst = true;

	constructor(
		/** The line begins at `start` in `chunk`, which has all lines that were read together. */
		private readonly onLine: (line: string, chunk: Chunk, start: number) => void,
		private readonly limit?: LineLimit,
	) {}

	push(chunk: Buffer): void {
		let start = 0;
		if (this.isFirst || this.waitingBytes > 0 || this.long) {
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
			// All lines of a chunk are decoded at once, because each call of `toString` is expensive.
			const lines = { text: chunk.toString('utf8', start, last) };
			let offset = 0;
			for (const line of lines.text.split('\n')) {
				this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line, lines, offset);
				offset += line.length + 1;
			}
			start = last + 1;
		}
		if (start < chunk.length) {
			const rest = chunk.subarray(start);
			if (!this.addToLong(rest)) {
				this.waiting.push(rest);
				this.waitingBytes += rest.length;
			}
		}
	}

	/** Ends the stream: bytes after the last newline are a line too. */
	end(): void {
		if (this.waitingBytes > 0 || this.long) {
			this.finish(nothing);
		}
	}

	private finish(last: Buffer): void {
		if (this.addToLong(last)) {
			if (this.long) {
				this.limit?.onLongLine?.(this.long);
			}
			this.long = undefined;
			this.isFirst = false;
			return;
		}
		let line = this.waitingBytes > 0 ? this.takeWaiting(last) : last;
		if (line.at(-1) === carriageReturn) {
			line = line.subarray(0, -1);
		}
		let text = line.toString('utf8');
		if (this.isFirst) {
			this.isFirst = false;
			text = text.replace(/^\uFEFF/, '');
		}
		this.onLine(text, { text }, 0);
	}

	/** Takes the beginning of the current line. @returns the bytes, followed by `last` */
	private takeWaiting(last: Buffer): Buffer {
		const line = Buffer.concat([...this.waiting, last]);
		this.waiting = [];
		this.waitingBytes = 0;
		return line;
	}

	/** Adds the part to `long` if the line is too long with it. @returns whether it is */
	private addToLong(part: Buffer): boolean {
		if (this.long) {
			const { head, tail, bytes } = this.long;
			this.long = {
				head: head.length < keptBytes ? Buffer.concat([head, part]).subarray(0, keptBytes) : head,
				tail: endOf(Buffer.concat([tail, endOf(part)])),
				bytes: bytes + part.length,
			};
			return true;
		}
		if (!this.limit || this.waitingBytes + part.length <= this.limit.maxBytes) {
			return false;
		}
		const start = this.takeWaiting(part);
		this.limit.onOverflow?.(start.subarray(0, this.limit.maxBytes));
		// Copied, because a slice would keep the whole buffer in memory.
		const head = Buffer.from(start.subarray(0, keptBytes));
		this.long = { head, tail: Buffer.from(endOf(start)), bytes: start.length };
		return true;
	}
}

function endOf(bytes: Buffer): Buffer {
	return bytes.subarray(Math.max(0, bytes.length - keptBytes));
}
