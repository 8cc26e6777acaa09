/** Decodes `Content-Encoding` within limits: a few kilobytes can decode to gigabytes, and each coding needs a decoder. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { McpError } from '../../mcp/index.js';

// Flushed at once, because an event must be delivered before a block of the coding is full.
const zlibOptions: zlib.ZlibOptions = {
	flush: zlib.constants.Z_SYNC_FLUSH,
	finishFlush: zlib.constants.Z_SYNC_FLUSH,
};
const brotliOptions: zlib.BrotliOptions = {
	flush: zlib.constants.BROTLI_OPERATION_FLUSH,
	finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/** Codings of one response, as in curl and undici. */
const maxCodings = 5;

/**
 * The decoded body; the response itself if it has no coding. The stream fails if a coding is unknown, if there are too many,
 * or if the body is too large.
 * @param maxBytes bytes of the body after each decoder
 */
export function decodeBody(response: IncomingMessage, coding: string, maxBytes: number): Readable {
	const codings = coding
		.split(',')
		.map(it => it.trim().toLowerCase())
		.filter(it => it !== '' && it !== 'identity');
	if (codings.length === 0) {
		return response;
	}
	const steps =
		codings.length > maxCodings
			? [failing(`more than ${maxCodings} content codings`)]
			: codings.reverse().flatMap(it => [decoderOf(it), limited(maxBytes)]);
	// Errors reach the last stream, whose reader handles them.
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
			return failing(`unknown content coding ${JSON.stringify(coding)}`);
	}
}

/** Passes bytes on, and fails after `maxBytes`. */
function limited(maxBytes: number): Transform {
	let bytes = 0;
	return new Transform({
		transform(chunk: Buffer, _encoding, callback) {
			bytes += chunk.length;
			if (bytes > maxBytes) {
				callback(new McpError({ code: 'tooLarge', limit: maxBytes, isDecoded: true }));
			} else {
				callback(null, chunk);
			}
		},
	});
}

function failing(why: string): Transform {
	return new Transform({ transform: (_chunk, _encoding, callback) => callback(new Error(why)) });
}
