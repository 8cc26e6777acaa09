/**
 * Bytes in any chunking become lines. Each byte is looked at once: a line that spans many chunks is
 * joined when the line ends, not at every chunk.
 */
import { BytePieces } from '../../base/bytePieces.js';
import { maxPart, type ScanJob, ScanQueue } from '../../base/scanQueue.js';

const newline = 0x0a;
const carriageReturn = 0x0d;

const nothing = Buffer.alloc(0);

/** Takes over a line that is too long to be kept: every byte of it, from the first. */
export interface LongLine {
	push(bytes: Uint8Array): void;
	/** The line, or the stream, has ended. */
	end(): void;
}

export interface LineLimit {
	/** Bytes that a line may have, without its newline. */
	readonly maxBytes: number;
	/** Called as soon as a line is longer. If much of it was kept, that is pushed over several turns of the event loop. */
	readonly onLongLine: () => LongLine;
}

/** Splits at `\n`, drops one `\r` before it and a byte-order mark at the very start, decodes UTF-8. */
export class LineReader {
	/** Bytes of the line that has not ended. */
	private waiting = new BytePieces();
	private long: Handover | undefined;
	/** Long lines, the last of which may not have ended. */
	private readonly handovers = new ScanQueue();
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
		this.handovers.didReceive(chunk.length);
	}

	/** Call at the end of the stream: what follows the last newline is a line too. Resolves when oversized lines are processed, too. */
	end(): Promise<void> {
		if (this.waiting.length > 0 || this.long) {
			this.finish(nothing);
		}
		return this.handovers.empty();
	}

	private keep(part: Buffer): void {
		if (!this.passOn(part)) {
			this.waiting.add(part);
		}
	}

	private finish(last: Buffer): void {
		if (this.passOn(last)) {
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
	private passOn(part: Buffer): boolean {
		if (!this.long && this.limit && this.waiting.length + part.length > this.limit.maxBytes) {
			this.long = new Handover(this.limit.onLongLine(), this.waiting);
			this.waiting = new BytePieces();
			this.handovers.add(this.long);
		}
		if (!this.long) {
			return false;
		}
		this.long.pieces.add(part);
		return true;
	}

	private endLong(): void {
		if (this.long) {
			this.long.isEnded = true;
			this.long = undefined;
		}
		this.isFirst = false;
		if (!this.handovers.processShort()) {
			this.handovers.processLater();
		}
	}
}

/** Hands a long line over in parts. Lines that follow don't wait for it. */
class Handover implements ScanJob {
	isEnded = false;

	/** @param pieces what was kept of the line; what follows is added */
	constructor(
		private readonly line: LongLine,
		readonly pieces: BytePieces,
	) {}

	processNext(): number | undefined {
		const part = this.pieces.take(maxPart);
		if (part) {
			this.line.push(part);
		}
		return part?.length;
	}

	finish(): void {
		this.line.end();
	}
}
