/** PNG files with a palette: a third of the size of a screenshot, with no difference that is seen. */
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Reduces the colors of a PNG.
 * @param size of the palette, at most 256
 * @throws any error of the decoder if `png` is no PNG
 */
export function palettePng(png: Buffer, size: number): Buffer {
	const { width, height, data } = PNG.sync.read(png);
	const pixels = Array.from({ length: width * height }, (_, at) => data.readUIntBE(at * 4, 3));
	const { palette, indexes } = choosePalette(pixels, size);
	const rows = Buffer.alloc((width + 1) * height);
	for (const [at, pixel] of pixels.entries()) {
		// The first byte of a row is its filter: 0 for none, which suits palettes.
		rows[at + Math.floor(at / width) + 1] = indexes.get(pixel) ?? 0;
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// 8 bits a pixel, indexed.
	header.set([8, 3], 8);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flatMap(channels))),
		chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** Each next color of the palette is the one that most pixels with a very different color wait for. */
function choosePalette(
	pixels: readonly number[],
	size: number,
): { readonly palette: readonly number[]; readonly indexes: ReadonlyMap<number, number> } {
	const colors = new Map<number, { count: number; distance: number; index: number }>();
	for (const pixel of pixels) {
		const color = colors.get(pixel) ?? { count: 0, distance: Infinity, index: 0 };
		color.count++;
		colors.set(pixel, color);
	}
	const palette: number[] = [];
	while (palette.length < size) {
		let next: number | undefined;
		let most = 0;
		for (const [value, { count, distance }] of colors) {
			const wanted = count * Math.min(distance, 255 ** 2);
			if (wanted > most) {
				[next, most] = [value, wanted];
			}
		}
		if (next === undefined) {
			break;
		}
		for (const [value, color] of colors) {
			const distance = distanceOf(value, next);
			if (distance < color.distance) {
				[color.distance, color.index] = [distance, palette.length];
			}
		}
		palette.push(next);
	}
	return { palette, indexes: new Map(Array.from(colors, ([value, { index }]) => [value, index])) };
}

function channels(color: number): [red: number, green: number, blue: number] {
	return [color >> 16, (color >> 8) & 255, color & 255];
}

/** The square of the distance between two colors. */
function distanceOf(a: number, b: number): number {
	const [red, green, blue] = channels(a);
	const [otherRed, otherGreen, otherBlue] = channels(b);
	return (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
}

function chunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(content.length + 8);
	framed.writeUInt32BE(data.length, 0);
	framed.set(content, 4);
	framed.writeUInt32BE(crc32(content), content.length + 4);
	return framed;
}
