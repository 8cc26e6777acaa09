import * as assert from 'node:assert/strict';
import { checkMedia } from '../../../../src/editor/documents/media.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, it => it.charCodeAt(0));

describe('media of results', () => {
	const table: readonly (readonly [says: string, begins: string, outcome: string])[] = [
		['image/png', '\x89PNG\r\n\x1A\n...', 'image/png'],
		['IMAGE/PNG; charset=binary', '\x89PNG\r\n\x1A\n...', 'image/png'],
		['image/jpg', '\xFF\xD8\xFF\xE0', 'image/jpeg'],
		['image/gif', 'GIF87a', 'image/gif'],
		['image/gif', 'GIF89a', 'image/gif'],
		['image/webp', 'RIFF....WEBPVP8 ', 'image/webp'],
		['image/avif', '\0\0\0\x1Cftypavif', 'image/avif'],
		['image/bmp', 'BM....', 'image/bmp'],
		['audio/x-wav', 'RIFF....WAVEfmt ', 'audio/wav'],
		['audio/mp3', 'ID3', 'audio/mpeg'],
		['audio/mpeg', '\xFF\xFB\x90', 'audio/mpeg'],
		['audio/ogg', 'OggS', 'audio/ogg'],
		['audio/flac', 'fLaC', 'audio/flac'],
		['audio/mp4', '\0\0\0\x1CftypM4A ', 'audio/mp4'],
		['audio/webm', '\x1A\x45\xDF\xA3', 'audio/webm'],
		// What lies, or is cut off
		['image/png', 'GIF89a', 'mismatch: image/gif'],
		['image/png', '<svg onload="alert(1)">', 'mismatch: undefined'],
		['image/webp', 'RIFF....WAVEfmt ', 'mismatch: audio/wav'],
		['audio/wav', 'RIFF....WEBPVP8 ', 'mismatch: image/webp'],
		['image/png', '\x89PNG', 'mismatch: undefined'],
		['image/png', '', 'mismatch: undefined'],
		['audio/mpeg', '\xFF\xD8\xFF', 'mismatch: image/jpeg'],
		// What is never shown
		['image/svg+xml', '<svg/>', 'notShown'],
		['text/html', '<html>', 'notShown'],
		['application/octet-stream', '\x89PNG\r\n\x1A\n', 'notShown'],
		['', '\x89PNG\r\n\x1A\n', 'notShown'],
		['image/pngx', '\x89PNG\r\n\x1A\n', 'notShown'],
	];
	for (const [says, begins, outcome] of table) {
		it(`${says || 'nothing'} that begins with ${JSON.stringify(begins)}: ${outcome}`, () => {
			const check = checkMedia(says, bytes(begins));
			assert.equal(
				check.kind === 'shown'
					? check.type.mimeType
					: check.kind === 'mismatch'
						? `mismatch: ${check.actual?.mimeType}`
						: check.kind,
				outcome,
			);
		});
	}
});
