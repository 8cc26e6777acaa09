/**
 * Scans an event that is too large to be kept for the id of its message. Much of the event may have been received before
 * it turns out to be too large, so it is scanned in steps, one in each turn of the event loop, and its parts are never
 * joined.
 */
import { IdScanner } from '../jsonrpc/idScanner.js';

type Part = Uint8Array | string;

/** Bytes or characters that are scanned in one turn of the event loop. */
const maxPerTurn = 256 * 1024;
/** What each part counts in addition to its length. */
const partCost = 32;
const sliceLength = 64 * 1024;

const encoder = new TextEncoder();
const nothing: readonly Part[] = [];

export class LongEvent {
	private readonly scanner = new IdScanner();
	private readonly queue: Iterable<Part>[] = [];
	private next = 0;
	private slices = slicesOf(nothing);
	private onDone: ((scanner: IdScanner) => void) | undefined;

	/** Adds parts of the event. The caller must not change them afterwards. */
	add(parts: Iterable<Part>): void {
		this.queue.push(parts);
	}

	/**
	 * Scans the next parts. To be called once in each turn of the event loop that received some.
	 * @param length bytes received in this turn
	 */
	scanNext(length: number): void {
		// More than was received, even in lines without data, so the queue always gets shorter.
		this.scan(Math.max(maxPerTurn, 8 * length));
	}

	/**
	 * Ends the event. A short rest is scanned at once.
	 * @param onDelay called if the rest takes more turns of the event loop; may throw to give the event up
	 * @param onDone called when the whole event has been scanned
	 */
	end(onDelay: () => void, onDone: (scanner: IdScanner) => void): void {
		if (this.scan(maxPerTurn)) {
			onDone(this.scanner);
		} else {
			onDelay();
			this.onDone = onDone;
			this.scanLater();
		}
	}

	private scanLater(): void {
		setTimeout(() => {
			if (this.scan(maxPerTurn)) {
				this.onDone?.(this.scanner);
			} else {
				this.scanLater();
			}
		}, 0);
	}

	/** @returns whether nothing is left */
	private scan(max: number): boolean {
		for (let left = max; left > 0;) {
			const part = this.takePart();
			if (part === undefined) {
				return true;
			}
			this.scanner.push(typeof part === 'string' ? encoder.encode(part) : part);
			left -= part.length + partCost;
		}
		return false;
	}

	private takePart(): Part | undefined {
		for (;;) {
			const { value, done } = this.slices.next();
			if (!done) {
				return value;
			}
			const parts = this.queue[this.next];
			if (!parts) {
				this.queue.length = 0;
				this.next = 0;
				return undefined;
			}
			// Releases its memory.
			this.queue[this.next] = nothing;
			this.next++;
			this.slices = slicesOf(parts);
		}
	}
}

function* slicesOf(parts: Iterable<Part>): Generator<Part, undefined> {
	for (const part of parts) {
		// Empty parts are yielded too, because each costs `partCost`.
		for (let start = 0, end = 0; start === 0 || start < part.length; start = end) {
			end = start + sliceLength;
			if (typeof part === 'string') {
				const last = part.charCodeAt(end - 1);
				// Half of a surrogate pair would be encoded as a replacement character.
				end += last >= 0xd800 && last <= 0xdbff ? 1 : 0;
				yield part.slice(start, end);
			} else {
				yield part.subarray(start, end);
			}
		}
	}
	return undefined;
}
