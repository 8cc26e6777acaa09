/** Reads the type and the size of an image from its bytes, and whether it is animated. PNG, JPEG and WebP only. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export interface ImageFacts {
	readonly type: ImageType;
	/** Pixels. */
	readonly width: number;
	readonly height: number;
	readonly isAnimated: boolean;
}

/** `undefined` for other formats, and for images that are truncated before their size. */
export function readImage(bytes: Uint8Array): ImageFacts | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) {
			return readPng(view);
		}
		if (view.getUint16(0) === 0xffd8) {
			return readJpeg(view);
		}
		return fourCharacters(view, 0) === 'RIFF' && fourCharacters(view, 8) === 'WEBP' ? readWebp(view) : undefined;
	} catch (error) {
		if (error instanceof RangeError) {
			return undefined;
		}
		throw error;
	}
}

/** PNG, 5.3 and 11.2.2: IHDR comes first. Animated images have `acTL` before their data. */
function readPng(view: DataView): ImageFacts | undefined {
	if (fourCharacters(view, 12) !== 'IHDR') {
		return undefined;
	}
	let isAnimated = false;
	for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
		const chunk = fourCharacters(view, at + 4);
		if (chunk === 'IDAT') {
			return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20), isAnimated };
		}
		isAnimated ||= chunk === 'acTL';
	}
	return undefined;
}

/** ITU T.81, B.1: segments until the start of a frame, SOF0 to SOF15 without DHT, JPG and DAC. */
function readJpeg(view: DataView): ImageFacts | undefined {
	for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
		const marker = view.getUint8(at + 1);
		if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
			const height = view.getUint16(at + 5);
			return { type: 'image/jpeg', width: view.getUint16(at + 7), height, isAnimated: false };
		}
	}
	return undefined;
}

/** RFC 9649, 2: lossy, lossless, or extended. */
function readWebp(view: DataView): ImageFacts | undefined {
	switch (fourCharacters(view, 12)) {
		case 'VP8 ':
			return webp(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
		case 'VP8L': {
			const bits = view.getUint32(21, true);
			return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
		}
		case 'VP8X': {
			const threeBytes = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
			return webp(threeBytes(24) + 1, threeBytes(27) + 1, (view.getUint8(20) & 2) !== 0);
		}
		default:
			return undefined;
	}
}

function webp(width: number, height: number, isAnimated = false): ImageFacts {
	return { type: 'image/webp', width, height, isAnimated };
}

function fourCharacters(view: DataView, at: number): string {
	return String.fromCharCode(...[0, 1, 2, 3].map(it => view.getUint8(at + it)));
}
