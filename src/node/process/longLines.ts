/** Readers of lines that are too long to be kept: one finds a message's id, the other keeps the beginning of a text. */
import { StringDecoder } from 'node:string_decoder';
import { IdScanner } from '../../mcp/index.js';
import type { LongLine } from './lineReader.js';

/** A message too long to be read, once it has ended. */
export interface LongMessage {
	/** What has been found in it. */
	readonly scanner: IdScanner;
	/** How it begins. */
	readonly head: string;
	readonly bytes: number;
}

/** Discards a line of stdout while it looks for the id in it. */
export class LongMessageReader implements LongLine {
	private readonly scanner = new IdScanner();
	private readonly head: Head;
	private bytes = 0;

	constructor(
		maxHeadBytes: number,
		private readonly onMessage: (message: LongMessage) => void,
	) {
		this.head = new Head(maxHeadBytes);
	}

	push(bytes: Uint8Array): void {
		this.bytes += bytes.length;
		this.head.push(bytes);
		this.scanner.push(bytes);
	}

	end(): void {
		this.onMessage({ scanner: this.scanner, head: this.head.toString(), bytes: this.bytes });
	}
}

/** Reports the first `maxBytes` bytes of a line as soon as they have arrived: the line may never end. */
export class CutLine implements LongLine {
	private readonly head: Head;
	private isTold = false;

	constructor(
		maxBytes: number,
		private readonly onLine: (line: string) => void,
	) {
		this.head = new Head(maxBytes);
	}

	push(bytes: Uint8Array): void {
		this.head.push(bytes);
		if (this.head.isFull && !this.isTold) {
			this.isTold = true;
			this.onLine(`${this.head.toString()}…`);
		}
	}

	end(): void {
		// Told already: it was made because there were more bytes than it keeps.
	}
}

/** The first bytes of a line, as text without half a character at its end. */
class Head {
	private readonly parts: Buffer[] = [];
	private missing: number;

	constructor(maxBytes: number) {
		this.missing = maxBytes;
	}

	get isFull(): boolean {
		return this.missing === 0;
	}

	push(bytes: Uint8Array): void {
		if (this.missing > 0) {
			// A copy: a part of a chunk keeps the whole chunk in memory.
			const part = Buffer.from(bytes.subarray(0, this.missing));
			this.parts.push(part);
			this.missing -= part.length;
		}
	}

	toString(): string {
		return new StringDecoder('utf8').write(Buffer.concat(this.parts));
	}
}
