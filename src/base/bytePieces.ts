/** Collects bytes without copying them at each piece. */

/** Runs of this many pieces are joined if they have at most `maxJoined` bytes: a piece costs memory besides its bytes. */
const piecesToJoin = 256;
const maxJoined = 256 * 1024;

export class BytePieces {
	private pieces: Uint8Array[] = [];
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

	/** Removes all. @returns one copy of them, followed by `last` */
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
