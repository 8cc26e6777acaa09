/**
 * Looks through an event that is too large to be kept, for its id. Much of it may be there already when it turns out to
 * be too large: it is neither joined nor looked through in one go, as the event loop must come round in between.
 */
import { IdScanner } from '../jsonrpc/idScanner.js';

type Part = Uint8Array | string;

/** Looked through before the event loop comes round: bytes or characters, and so much more for each part. */
const atOnce = 1024 * 1024;
const costOfPart = 16;
const sliceLength = 64 * 1024;

const encoder = new TextEncoder();
const nothing: readonly Part[] = [];

export class LongEvent {
	private readonly scanner = new IdScanner();
	private readonly queue: Iterable<Part>[] = [];
	private next = 0;
	private slices = slicesOf(nothing);
	private onDone: ((scanner: IdScanner) => void) | undefined;

	/** More of it; not to be changed any more. */
	add(parts: Iterable<Part>): void {
		this.queue.push(parts);
	}

	/**
	 * To be called once in a turn of the event loop, in which so much has come.
	 * @param length bytes
	 */
	goOn(length: number): void {
		// Faster than it comes: the queue gets shorter, whoever sends the event.
		this.pass(Math.max(atOnce, 2 * length));
	}

	/**
	 * The event has ended. What is short is looked through by now.
	 * @param onBehind called if the rest takes more turns of the event loop; may throw to leave it
	 * @param onDone called when all has been looked through
	 */
	end(onBehind: () => void, onDone: (scanner: IdScanner) => void): void {
		if (this.pass(atOnce)) {
			onDone(this.scanner);
		} else {
			onBehind();
			this.onDone = onDone;
			this.passLater();
		}
	}

	private passLater(): void {
		setTimeout(() => {
			if (this.pass(atOnce)) {
				this.onDone?.(this.scanner);
			} else {
				this.passLater();
			}
		}, 0);
	}

	/** @returns whether nothing is left */
	private pass(atMost: number): boolean {
		for (let left = atMost; left > 0;) {
			const part = this.takePart();
			if (part === undefined) {
				return true;
			}
			this.scanner.push(typeof part === 'string' ? encoder.encode(part) : part);
			left -= part.length + costOfPart;
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
			// Its memory is free from now on.
			this.queue[this.next] = nothing;
			this.next++;
			this.slices = slicesOf(parts);
		}
	}
}

function* slicesOf(parts: Iterable<Part>): Generator<Part, undefined> {
	for (const part of parts) {
		for (let start = 0, end = 0; start < part.length; start = end) {
			end = start + sliceLength;
			if (typeof part === 'string') {
				const last = part.charCodeAt(end - 1);
				// Half of a pair of surrogates would be encoded as a replacement character.
				end += last >= 0xd800 && last <= 0xdbff ? 1 : 0;
				yield part.slice(start, end);
			} else {
				yield part.subarray(start, end);
			}
		}
	}
	return undefined;
}
