import * as assert from 'node:assert/strict';
import { Redactor } from '../../../src/model/redactor.js';

function redact(secrets: string[], text: string): string {
	const redactor = new Redactor();
	redactor.hide(secrets);
	return redactor.text(text);
}

describe('Redactor', () => {
	const pem = '-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n';
	const odd = 'pä"ss\\wo\trd/$1';
	const table: readonly (readonly [name: string, secrets: string[], text: string, expected: string])[] = [
		['nothing to hide', [], 'a b', 'a b'],
		['a value anywhere, each time', ['hunter2'], 'hunter2,xhunter2x', '<redacted>,x<redacted>x'],
		['what a pattern would mean', ['a.c*(d'], 'abcd a.c*(d', 'abcd <redacted>'],
		['short values stay', ['1', 'yes', ''], '1 yes 1', '1 yes 1'],
		['the longer of two first', ['abcd', 'abcdefgh'], 'abcdefgh abcd', '<redacted> <redacted>'],
		['inside JSON', [odd], JSON.stringify({ key: odd }), '{"key":"<redacted>"}'],
		['inside JSON inside JSON', [odd], JSON.stringify([JSON.stringify([odd])]), '["[\\"<redacted>\\"]"]'],
		['inside JSON of a server that writes ASCII', ['pässwort'], '"p\\u00e4sswort"', '"<redacted>"'],
		['inside a URL', ['a b&c/d'], '?k=a%20b%26c%2Fd&l=a+b%26c%2Fd', '?k=<redacted>&l=<redacted>'],
		['a value of many lines', [pem], `key: ${pem}.`, 'key: <redacted>.'],
		[
			'a value of many lines, line by line',
			[pem],
			'stderr: MIIEvQIBADAN\nstderr: BgkqhkiG9w0B',
			'stderr: <redacted>\nstderr: <redacted>',
		],
		[
			'a value with other line ends',
			[pem],
			pem.replaceAll('\n', '\r\n'),
			'<redacted>\r\n<redacted>\r\n<redacted>\r\n<redacted>\r\n',
		],
		['a value with blanks around it', [' hunter2\n'], 'Bearer hunter2.', 'Bearer <redacted>.'],
		['half a surrogate pair', ['abc\ud800def'], 'abc\ud800def', '<redacted>'],
	];
	for (const [name, secrets, text, expected] of table) {
		it(name, () => assert.equal(redact(secrets, text), expected));
	}

	it('hides what it hid before', () => {
		const redactor = new Redactor();
		redactor.hide(['first value']);
		redactor.hide(['second value']);
		assert.equal(redactor.text('first value, second value'), '<redacted>, <redacted>');
	});

	it('finds texts in data, and leaves the rest', () => {
		const redactor = new Redactor();
		const data = { a: ['key hunter2', 1, null, undefined, true], b: { c: 'hunter2' } };
		assert.equal(redactor.data(data), data);
		redactor.hide(['hunter2']);
		assert.deepEqual(redactor.data(data), {
			a: ['key <redacted>', 1, null, undefined, true],
			b: { c: '<redacted>' },
		});
	});
});
