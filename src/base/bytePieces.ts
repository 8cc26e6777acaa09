/** A queue of bytes that avoids copying. */

/** Runs of this many pieces are joined if they have at most `maxJoined` bytes: a piece costs memory besides its bytes. */
const piecesToJoin = 256;
const maxJoined = 256 * 1024;
const nothing = new Uint8Array(0);

export class BytePieces {
	/** Read from `next` on; what is before it has been taken. */
	private pieces: Uint8Array[] = [];
	private next = 0;
	/** Pieces that follow and may still be joined. */
	private tail: Uint8Array[] = [];
	private tailLength = 0;
	private totalLength = 0;

	/** Bytes that haven't been taken. */
	get length(): number {
		return this.totalLength;
	}

	/** @param piece kept as it is: the caller must not change it afterwards */
	add(piece: Uint8Array): void {
		this.totalLength += piece.length;
		this.tailLength += piece.length;
		this.tail.push(piece);
		if (this.tail.length >= piecesToJoin) {
			const { tail, tailLength } = this;
			this.tail = [];
			this.tailLength = 0;
			if (tailLength <= maxJoined) {
				this.pieces.push(joinBytes(tail, tailLength));
			} else {
				this.pieces.push(...tail);
			}
		}
	}

	/**
	 * Removes bytes from the beginning.
	 * @returns at most `max` bytes, at least one; undefined if there are none
	 */
	take(max: number): Uint8Array | undefined {
		for (;;) {
			const piece = this.pieces[this.next];
			if (piece && piece.length > max) {
				this.pieces[this.next] = piece.subarray(max);
				this.totalLength -= max;
				return piece.subarray(0, max);
			}
			if (piece) {
				// Releases its memory.
				this.pieces[this.next] = nothing;
				this.next++;
				this.totalLength -= piece.length;
				if (piece.length > 0) {
					return piece;
				}
			} else if (this.tail.length > 0) {
				this.pieces = this.tail;
				this.next = 0;
				this.tail = [];
				this.tailLength = 0;
			} else {
				return undefined;
			}
		}
	}

	/** The first bytes, which stay. */
	head(count: number): Uint8Array {
		const bytes: number[] = [];
		for (const pieces of [this.pieces.slice(this.next, this.next + count), this.tail]) {
			for (const piece of pieces) {
				bytes.push(...piece.subarray(0, count - bytes.length));
				if (bytes.length === count) {
					return Uint8Array.from(bytes);
				}
			}
		}
		return Uint8Array.from(bytes);
	}

	/** Removes all. @returns one copy of them, followed by `last` */
	takeAll(last: Uint8Array): Uint8Array {
		const all = [...this.pieces.slice(this.next), ...this.tail, last];
		const length = this.totalLength + last.length;
		this.pieces = [];
		this.next = 0;
		this.tail = [];
		this.tailLength = 0;
		this.totalLength = 0;
		return joinBytes(all, length);
	}
}

function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
	const joined = new Uint8Array(length);
	let offset = 0;
	for (const piece of pieces) {
		joined.set(piece, offset);
		offset += piece.length;
	}
	return joined;
}
