/** Pictures of documents: PNG files with a palette. */
import * as assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { palettePng } from '../pictures/palettePng.js';

describe('a PNG file with a palette', () => {
	const picture = (...pixels: readonly (readonly [number, number, number])[]): Buffer => {
		const png = new PNG({ width: pixels.length / 2, height: 2 });
		png.data.set(pixels.flatMap(it => [...it, 255]));
		return PNG.sync.write(png);
	};
	const white = [255, 255, 255] as const;
	const nearlyWhite = [254, 254, 254] as const;
	const green = [0, 128, 0] as const;

	it('has the same pixels if the palette is large enough', () => {
		const png = picture(white, nearlyWhite, white, green, white, nearlyWhite);
		assert.deepEqual(PNG.sync.read(palettePng(png, 256)).data, PNG.sync.read(png).data);
	});

	it('keeps a rare color rather than a frequent one that looks like another', () => {
		const png = picture(white, nearlyWhite, white, green, nearlyWhite, white);
		const expected = picture(white, white, white, green, white, white);
		assert.deepEqual(PNG.sync.read(palettePng(png, 2)).data, PNG.sync.read(expected).data);
	});
});
