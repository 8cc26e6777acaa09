/**
 * Bytes in any chunking become lines. Each byte is looked at once: a line that spans many chunks is
 * joined when its end has come, not at every chunk.
 */

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Splits at `\n`, drops one `\r` before it and a byte-order mark at the very start, decodes UTF-8. */
export class LineReader {
	private parts: Buffer[] = [];
	private isFirst = true;

	constructor(private readonly onLine: (line: string) => void) {}

	push(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			this.finish(chunk.subarray(start, end));
			start = end + 1;
		}
		if (start < chunk.length) {
			this.parts.push(chunk.subarray(start));
		}
	}

	/** Call at the end of the stream: what follows the last newline is a line too. */
	end(): void {
		if (this.parts.length > 0) {
			this.finish(Buffer.alloc(0));
		}
	}

	private finish(last: Buffer): void {
		let line = last;
		if (this.parts.length > 0) {
			this.parts.push(last);
			line = Buffer.concat(this.parts);
			this.parts = [];
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
}
