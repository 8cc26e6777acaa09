/** Decodes `Content-Encoding`. A small body can decode to gigabytes, so the reader of the stream must limit its size. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';

// Flushed at once, because an event must be delivered before a block of the coding is full.
const zlibOptions: zlib.ZlibOptions = {
	flush: zlib.constants.Z_SYNC_FLUSH,
	finishFlush: zlib.constants.Z_SYNC_FLUSH,
};
const brotliOptions: zlib.BrotliOptions = {
	flush: zlib.constants.BROTLI_OPERATION_FLUSH,
	finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/** The decoded body, or the response itself if it isn't encoded. The stream fails if the coding is unknown. */
export function decodeBody(response: IncomingMessage, coding: string): Readable {
	// Errors reach the decoder, whose reader handles them.
	return /^(?:identity)?$/i.test(coding) ? response : pipeline(response, decoderOf(coding), () => undefined);
}

function decoderOf(coding: string): Transform {
	switch (coding.toLowerCase()) {
		case 'gzip':
		case 'x-gzip':
			return zlib.createGunzip(zlibOptions);
		case 'br':
			return zlib.createBrotliDecompress(brotliOptions);
		default: {
			const error = new Error(`unknown content coding ${JSON.stringify(coding)}`);
			return new Transform({ transform: (_chunk, _encoding, callback) => callback(error) });
		}
	}
}
