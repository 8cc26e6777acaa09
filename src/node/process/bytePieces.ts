/** Collects bytes without copying all of them for each piece. */

/** Pieces that are joined into one, because each piece needs memory besides its bytes. */
const piecesToJoin = 256;
/** Bytes of pieces that are joined; larger ones stay as they are. */
const maxJoined = 256 * 1024;

export class BytePieces {
	private pieces: Uint8Array[] = [];
	/** The last pieces, which may still be joined. */
	private tail: Uint8Array[] = [];
	private tailLength = 0;
	private totalLength = 0;

	/** Bytes in all pieces. */
	get length(): number {
		return this.totalLength;
	}

	/** @param piece not copied, so the caller must not change it afterwards */
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

	/** Removes all pieces. @returns a copy of their bytes, followed by `last` */
	takeAll(last: Uint8Array): Uint8Array {
		const all = [...this.pieces, ...this.tail, last];
		const length = this.totalLength + last.length;
		this.pieces = [];
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
