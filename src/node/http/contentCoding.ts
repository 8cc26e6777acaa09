/** Undoes `Content-Encoding`, within limits: a few kilobytes can become gigabytes, and each coding is a decoder. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';
import { McpError } from '../../mcp/index.js';

// An event must come out as soon as it has come in, not when a block of the coding is full.
const zlibOptions: zlib.ZlibOptions = {
	flush: zlib.constants.Z_SYNC_FLUSH,
	finishFlush: zlib.constants.Z_SYNC_FLUSH,
};
const brotliOptions: zlib.BrotliOptions = {
	flush: zlib.constants.BROTLI_OPERATION_FLUSH,
	finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/** Codings of one response, as many as curl and undici accept. */
const maxCodings = 5;

/**
 * The decoded body; the response itself where nothing is coded. A coding that we did not ask for, and too many of them,
 * are an error of the stream.
 * @param maxBytes of the body after any of its codings
 */
export function decode(response: IncomingMessage, coding: string, maxBytes: number): Readable {
	const codings = coding
		.split(',')
		.map(it => it.trim().toLowerCase())
		.filter(it => it !== '' && it !== 'identity');
	if (codings.length === 0) {
		return response;
	}
	const steps =
		codings.length > maxCodings
			? [new Refusal(`more than ${maxCodings} content codings`)]
			: codings.reverse().flatMap(it => [decoderOf(it), new Limit(maxBytes)]);
	// The error reaches whoever reads the last stream.
	pipeline([response, ...steps], () => undefined);
	return steps.at(-1) ?? response;
}

function decoderOf(coding: string): Transform {
	switch (coding) {
		case 'gzip':
		case 'x-gzip':
			return zlib.createGunzip(zlibOptions);
		case 'br':
			return zlib.createBrotliDecompress(brotliOptions);
		default:
			return new Refusal(`unknown content coding ${JSON.stringify(coding)}`);
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

class Refusal extends Transform {
	constructor(private readonly why: string) {
		super();
	}

	override _transform(_chunk: Buffer, _encoding: string, callback: TransformCallback): void {
		callback(new Error(this.why));
	}
}
