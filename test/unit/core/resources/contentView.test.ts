import * as assert from 'node:assert/strict';
import { iconExtension, isReadable, mimeLanguage } from '../../../../src/core/resources/contentView.js';

const known = new Set([
	'javascript',
	'json',
	'markdown',
	'python',
	'shellscript',
	'typescript',
	'xml',
	'yaml',
	'css',
	'plaintext',
]);

describe('the view of contents', () => {
	const languages: readonly (readonly [mimeType: string | undefined, language: string | undefined])[] = [
		[undefined, undefined],
		['text/plain', undefined],
		['application/octet-stream', undefined],
		['text/markdown; charset=utf-8', 'markdown'],
		[' Application/JSON ', 'json'],
		['application/vnd.api+json', 'json'],
		['image/svg+xml', 'xml'],
		['text/x-python', 'python'],
		['application/x-yaml', 'yaml'],
		['application/x-sh', 'shellscript'],
		['text/css', 'css'],
		['text/x-klingon', undefined],
		['application/pdf', undefined],
		['nonsense', undefined],
		['text/', undefined],
		['image/json', undefined],
	];
	for (const [mimeType, language] of languages) {
		it(`${mimeType} is ${language ?? 'nothing that the name does not say'}`, () => {
			assert.equal(
				mimeLanguage(mimeType, it => known.has(it)),
				language,
			);
		});
	}

	const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
	const readable: readonly (readonly [what: string, mimeType: string | undefined, bytes: Uint8Array, is: boolean])[] = [
		['UTF-8', 'application/octet-stream', Buffer.from('grün'), true],
		['nothing at all', undefined, bytes(''), true],
		['a null', 'text/plain', bytes('a\0b'), false],
		['Latin 1', 'text/plain', bytes('gr\xFCn'), false],
		['a picture by name', 'image/png', bytes('hello'), false],
		['a drawing', 'image/svg+xml', bytes('<svg/>'), true],
		['a PDF', 'application/pdf', bytes('%PDF-1.4'), false],
		['a character across the edge of the sample', undefined, Buffer.from(`${'x'.repeat(8191)}ü`), true],
	];
	for (const [what, mimeType, content, is] of readable) {
		it(`bytes: ${what} ${is ? 'is' : 'is not'} shown as text`, () => {
			assert.equal(isReadable({ mimeType, bytes: content, isText: false }), is);
		});
	}

	it('has an extension for the icons of what is common', () => {
		const types = ['text/markdown', 'application/json', 'image/png', 'application/pdf', 'text/x-python', 'audio/mpeg'];
		assert.deepEqual(types.map(iconExtension), ['md', 'json', 'png', 'pdf', 'py', 'mp3']);
		const others = [undefined, 'application/octet-stream', 'application/vnd.ms-excel', '../x', 'x/../..'];
		assert.deepEqual(
			others.map(iconExtension),
			others.map(() => undefined),
		);
	});

	it('what came as text is text, whatever it is called', () => {
		assert.ok(isReadable({ mimeType: 'image/png', bytes: bytes('a\0'), isText: true }));
	});
});
