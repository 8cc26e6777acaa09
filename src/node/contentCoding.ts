/** Undoes `Content-Encoding`, within a limit: a few kilobytes can become gigabytes. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';
import { McpError } from '../mcp/index.js';

// An event must come out as soon as it has come in, not when a block of the coding is full.
const zlibOptions: zlib.ZlibOptions = {
	flush: zlib.constants.Z_SYNC_FLUSH,
	finishFlush: zlib.constants.Z_SYNC_FLUSH,
};
const brotliOptions: zlib.BrotliOptions = {
	flush: zlib.constants.BROTLI_OPERATION_FLUSH,
	finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/**
 * The decoded body; the response itself where nothing is coded. A coding that we did not ask for is an error
 * of the stream.
 */
export function decode(response: IncomingMessage, coding: string, maxBytes: number): Readable {
	const codings = coding
		.split(',')
		.map(it => it.trim().toLowerCase())
		.filter(it => it !== '' && it !== 'identity');
	if (codings.length === 0) {
		return response;
	}
	const limit = new Limit(maxBytes);
	const steps = codings.reverse().map(decoderOf);
	// The error reaches whoever reads the last stream.
	pipeline([response, ...steps, limit], () => undefined);
	return limit;
}

function decoderOf(coding: string): Transform {
	switch (coding) {
		case 'gzip':
		case 'x-gzip':
			return zlib.createGunzip(zlibOptions);
		case 'deflate':
			return new Inflate();
		case 'br':
			return zlib.createBrotliDecompress(brotliOptions);
		default:
			return new Unknown(coding);
	}
}

class Limit extends Transform {
	private bytes = 0;

	constructor(private readonly maxBytes: number) {
		super();
	}

	override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
		this.bytes += chunk.length;
		if (this.bytes > this.maxBytes) {
			callback(new McpError({ code: 'tooLarge', limit: this.maxBytes, isDecoded: true }));
		} else {
			callback(null, chunk);
		}
	}
}

/** `deflate` means zlib's format; some servers send the naked one. The first byte tells. */
class Inflate extends Transform {
	private inner: zlib.Inflate | zlib.InflateRaw | undefined;

	override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
		this.inner ??= this.createInner(chunk);
		this.inner.write(chunk, error => callback(error ?? null));
	}

	override _flush(callback: TransformCallback): void {
		if (!this.inner) {
			callback();
			return;
		}
		this.inner.once('end', () => callback());
		this.inner.end();
	}

	override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
		this.inner?.destroy();
		callback(error);
	}

	private createInner(chunk: Buffer): zlib.Inflate | zlib.InflateRaw {
		const isZlib = ((chunk[0] ?? 0) & 0x0f) === 8;
		const inner = isZlib ? zlib.createInflate(zlibOptions) : zlib.createInflateRaw(zlibOptions);
		inner.on('data', (it: Buffer) => this.push(it));
		inner.on('error', error => this.destroy(error));
		return inner;
	}
}

class Unknown extends Transform {
	constructor(private readonly coding: string) {
		super();
	}

	override _transform(_chunk: Buffer, _encoding: string, callback: TransformCallback): void {
		callback(new Error(`unknown content coding ${JSON.stringify(this.coding)}`));
	}
}
