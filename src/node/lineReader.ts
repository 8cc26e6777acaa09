/**
 * Bytes in any chunking become lines. Each byte is looked at once: a line that spans many chunks is
 * joined when its end has come, not at every chunk.
 */

const newline = 0x0a;
const carriageReturn = 0x0d;

/** So many pieces of a line are joined into one if they are short: a piece costs more than its bytes. */
const piecesToJoin = 1024;
const maxJoined = 256 * 1024;

/** Bytes of a long line that are handed over before the event loop comes round. */
const handedOverAtOnce = 1024 * 1024;
const nothing = Buffer.alloc(0);

/** Takes over a line that is too long to be kept: every byte of it, from the first. */
export interface LongLine {
	push(bytes: Buffer): void;
	/** The line, or the stream, has ended. */
	end(): void;
}

export interface LineLimit {
	/** Bytes that a line may have, without its newline. */
	readonly maxBytes: number;
	/** Called as soon as a line is longer; what was kept of it so far is pushed little by little if it is much. */
	readonly onLongLine: () => LongLine;
}

/** Splits at `\n`, drops one `\r` before it and a byte-order mark at the very start, decodes UTF-8. */
export class LineReader {
	private parts: Buffer[] = [];
	private size = 0;
	/** How many of `parts` are not to be joined any more, and how many bytes they have. */
	private joined = { parts: 0, size: 0 };
	private long: Handover | undefined;
	/** Lines that have ended and are still being handed over. */
	private readonly handovers = new Set<Handover>();
	private isFirst = true;

	constructor(
		private readonly onLine: (line: string) => void,
		private readonly limit?: LineLimit,
	) {}

	push(chunk: Buffer): void {
		let start = 0;
		if (this.isFirst || this.parts.length > 0 || this.long) {
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
		if (this.parts.length > 0 || this.long) {
			this.finish(nothing);
		}
		for (const it of this.handovers) {
			it.hurry();
		}
	}

	private keep(part: Buffer): void {
		if (this.passOn(part)) {
			return;
		}
		this.parts.push(part);
		this.size += part.length;
		const { joined } = this;
		if (this.parts.length - joined.parts >= piecesToJoin) {
			if (this.size - joined.size <= maxJoined) {
				this.parts.push(Buffer.concat(this.parts.splice(joined.parts)));
			}
			this.joined = { parts: this.parts.length, size: this.size };
		}
	}

	private finish(last: Buffer): void {
		if (this.passOn(last)) {
			this.long?.end();
			this.long = undefined;
			this.isFirst = false;
			return;
		}
		let line = last;
		if (this.parts.length > 0) {
			this.parts.push(last);
			line = Buffer.concat(this.parts);
			this.forget();
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
	private passOn(part: Buffer): boolean {
		if (!this.long && this.limit && this.size + part.length > this.limit.maxBytes) {
			const long: Handover = new Handover(this.limit.onLongLine(), this.parts, () => this.handovers.delete(long));
			this.handovers.add(long);
			this.long = long;
			this.forget();
		}
		this.long?.push(part);
		return this.long !== undefined;
	}

	private forget(): void {
		this.parts = [];
		this.size = 0;
		this.joined = { parts: 0, size: 0 };
	}
}

/**
 * Hands a long line over. Whoever takes it looks at every byte, and there may be many of them already: the event loop
 * must come round in between. Lines that follow do not wait for it.
 */
class Handover implements LongLine {
	private next = 0;
	private hasEnded = false;

	/** @param queue what was kept of the line */
	constructor(
		private readonly line: LongLine,
		private readonly queue: Buffer[],
		private readonly onDone: () => void,
	) {}

	push(bytes: Buffer): void {
		this.queue.push(bytes);
		// Faster than it comes: the queue gets shorter, whoever writes the line.
		this.pass(Math.max(handedOverAtOnce, 2 * bytes.length));
	}

	end(): void {
		this.hasEnded = true;
		this.goOn();
	}

	/** There is no later. */
	hurry(): void {
		this.pass(Infinity);
	}

	private goOn(): void {
		if (!this.pass(handedOverAtOnce)) {
			setImmediate(() => this.goOn());
		}
	}

	/** Passes on so many bytes at least; true when the line has ended and nothing is left. */
	private pass(bytes: number): boolean {
		let missing = bytes;
		for (; missing > 0 && this.next < this.queue.length; this.next++) {
			const part = this.queue[this.next] ?? nothing;
			// Its memory is free from now on.
			this.queue[this.next] = nothing;
			this.line.push(part);
			missing -= part.length;
		}
		if (this.next < this.queue.length) {
			return false;
		}
		this.queue.length = 0;
		this.next = 0;
		if (this.hasEnded) {
			this.hasEnded = false;
			this.line.end();
			this.onDone();
		}
		return true;
	}
}
