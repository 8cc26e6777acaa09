/**
 * Scans events that are too large to be kept for the ids of their messages. Much of an event may have been received before
 * it turns out to be too large, so it is scanned in parts, over several turns of the event loop, and its parts are never
 * joined.
 */
import { BytePieces } from '../../base/bytePieces.js';
import { maxPart, type ScanJob, ScanQueue } from '../../base/scanQueue.js';
import { IdScanner } from '../jsonrpc/idScanner.js';

const encoder = new TextEncoder();

/** The oversized events of one stream. They share one queue, which bounds work and memory. */
export class LongEvents {
	private readonly queue = new ScanQueue();
	/** The event that is being received. */
	private current: LongEvent | undefined;
	/** Bytes of lines added in this chunk: invalid UTF-8 becomes longer when it is decoded and encoded. */
	private added = 0;

	/** @param kept the lines of its data so far, in strings of one line or several; emptied */
	begin(kept: string[]): void {
		this.current = new LongEvent(kept);
		this.queue.add(this.current);
	}

	/** Adds bytes to the current event. The caller must not change them afterwards. */
	add(bytes: Uint8Array): void {
		this.current?.pieces.add(bytes);
	}

	/** Adds lines to the current event. */
	addLines(lines: string): void {
		const bytes = encoder.encode(`\n${lines}`);
		this.added += bytes.length;
		this.add(bytes);
	}

	/** Call at the end of each chunk, with its length. @throws what `onDone` throws */
	didReceive(length: number): void {
		// Twice: kept text with invalid UTF-8 becomes three bytes for each byte received, and the queue processes only two.
		this.queue.didReceive(Math.max(2 * length, this.added));
		this.added = 0;
	}

	/**
	 * Ends the current event. If little is left to scan, it is scanned at once.
	 * @param onDelay called if the rest takes more turns of the event loop; may throw to give the stream up
	 * @param onDone called when the whole event has been scanned
	 */
	end(onDelay: () => void, onDone: (scanner: IdScanner) => void): void {
		this.current?.end(onDone);
		this.current = undefined;
		if (!this.queue.processShort()) {
			onDelay();
			this.queue.processLater();
		}
	}
}

class LongEvent implements ScanJob {
	/** What has been added since the event is too large. */
	readonly pieces = new BytePieces();
	private readonly scanner = new IdScanner();
	/** The next of the kept strings, and where its rest begins. */
	private next = 0;
	private position = 0;
	private onDone: ((scanner: IdScanner) => void) | undefined;

	constructor(private readonly kept: string[]) {}

	get isEnded(): boolean {
		return this.onDone !== undefined;
	}

	end(onDone: (scanner: IdScanner) => void): void {
		this.onDone = onDone;
	}

	processNext(): number | undefined {
		const part = this.takeKept() ?? this.pieces.take(maxPart);
		if (part) {
			this.scanner.push(part);
		}
		return part?.length;
	}

	finish(): void {
		this.onDone?.(this.scanner);
	}

	private takeKept(): Uint8Array | undefined {
		const text = this.kept[this.next];
		if (text === undefined) {
			return undefined;
		}
		const { position } = this;
		let end = position + maxPart;
		const last = text.charCodeAt(end - 1);
		// Half of a surrogate pair would be encoded as a replacement character.
		end += last >= 0xd800 && last <= 0xdbff ? 1 : 0;
		if (end < text.length) {
			this.position = end;
		} else {
			// Releases its memory.
			this.kept[this.next] = '';
			this.next++;
			this.position = 0;
		}
		const part = text.slice(position, end);
		return encoder.encode(position === 0 ? `\n${part}` : part);
	}
}
