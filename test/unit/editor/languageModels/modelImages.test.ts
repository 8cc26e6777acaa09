import * as assert from 'node:assert/strict';
import { ImagesForModel, sentenceOfImages } from '../../../../src/editor/languageModels/modelImages.js';
import { textOfContents, textOfResult } from '../../../../src/features/languageModelTools/modelActions.js';

const png = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('images for a model', () => {
	it('are given in the order of the text, which names them', () => {
		const images = new ImagesForModel(true);
		const data = base64(png);
		const text = textOfResult(
			{
				content: [
					{ type: 'image', data, mimeType: 'image/png' },
					{ type: 'audio', data, mimeType: 'audio/wav' },
					{ type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: data } },
				],
				isError: false,
			},
			images,
		);
		assert.equal(
			text,
			'[image, image/png, 8 bytes: given beside this text, as image 1]\n\n' +
				'[audio, audio/wav, 8 bytes: not text, not shown]\n\n' +
				'[resource {"uri":"a:b","mimeType":"image/png"}, 8 bytes: given beside this text, as image 2]',
		);
		assert.deepEqual(
			images.given.map(({ mimeType, bytes }) => [mimeType, Buffer.from(bytes)]),
			[
				['image/png', png],
				['image/png', png],
			],
		);
		assert.match(sentenceOfImages(images), /^With this text come 2 of its images\./);
		const read = new ImagesForModel(true);
		assert.match(textOfContents([{ uri: 'a:b', mimeType: 'image/png', blob: data }], read), /as image 1\]$/);
	});

	const refused: readonly (readonly [what: string, mimeType: string, data: string])[] = [
		['what lies about its type', 'image/png', base64(Buffer.from('GIF89a'))],
		['what can hold scripts', 'image/svg+xml', base64(Buffer.from('<svg/>'))],
		['a type that models do not know', 'image/bmp', base64(Buffer.from('BM'))],
		['sound', 'audio/ogg', base64(Buffer.from('OggS'))],
		['broken base64', 'image/png', '!'],
		['nothing', 'image/png', ''],
		['what is too large', 'image/png', base64(Buffer.concat([png, Buffer.alloc(5_000_000)]))],
	];
	for (const [what, mimeType, data] of refused) {
		it(`are never ${what}`, () => {
			const images = new ImagesForModel(true);
			assert.equal(images.tryGive(mimeType, data), undefined);
			assert.deepEqual([images.given, sentenceOfImages(images)], [[], '']);
		});
	}

	it('are limited in number and size, and left out if the model takes none', () => {
		const many = new ImagesForModel(true);
		const numbers = Array.from({ length: 9 }, () => many.tryGive('image/png', base64(png)));
		assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, undefined]);
		const large = new ImagesForModel(true);
		const data = base64(Buffer.concat([png, Buffer.alloc(3_000_000)]));
		assert.deepEqual([large.tryGive('image/png', data), large.tryGive('image/png', data)], [1, undefined]);
		assert.equal(large.tryGive('image/png', base64(png)), 2, 'a small one still fits');
		assert.equal(new ImagesForModel(false).tryGive('image/png', base64(png)), undefined);
	});
});
