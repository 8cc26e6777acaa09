// Screenshots of one size as a GIF that plays for ever: one palette, and of each picture only what differs from the one
// before.
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

/** One screenshot, and how long it is to be seen. */
export interface Frame {
	readonly png: Buffer;
	/** In milliseconds. */
	readonly ms: number;
}

/** Of 256: the one after them means "as before". */
const colours = 255;

/** @throws any error of the decoder for what is no PNG */
export function movingPicture(frames: readonly Frame[]): Uint8Array {
	const images = frames.map(it => PNG.sync.read(it.png));
	const [{ width, height } = { width: 0, height: 0 }] = images;
	const palette = quantize(Buffer.concat(images.map(it => it.data)), colours);
	const encoder = GIFEncoder();
	let before: Uint8Array | undefined;
	for (const [index, { data }] of images.entries()) {
		const pixels = applyPalette(data, palette);
		const drawn = before ? pixels.map((it, at) => (it === before?.[at] ? palette.length : it)) : pixels;
		encoder.writeFrame(drawn, width, height, {
			...(index === 0 && { palette: [...palette, [0, 0, 0]] }),
			delay: frames[index]?.ms ?? 0,
			transparent: index > 0,
			transparentIndex: palette.length,
			// What is transparent shows the frame before.
			dispose: 1,
		});
		before = pixels;
	}
	encoder.finish();
	return encoder.bytes();
}
