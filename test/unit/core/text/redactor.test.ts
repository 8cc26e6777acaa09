import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodedForms } from '../../../../src/core/text/encodedText.js';
import { redact as redactWith, Redactor } from '../../../../src/core/text/redactor.js';

function redact(secrets: string[], text: string): string {
	const redactor = new Redactor();
	redactor.hide(secrets);
	return redactor.text(text);
}

describe('Redactor, of data without end', () => {
	it('redacts what is nested deeper than the stack goes, in its order', () => {
		const redactor = new Redactor();
		// In the names of members only long secrets are looked for.
		const long = 'hunter22'.repeat(10);
		redactor.hide(['hunter22', long]);
		let deep: unknown = redactor.data(JSON.parse(`${'{"a":['.repeat(20_000)}"hunter22"${']}'.repeat(20_000)}`));
		for (let depth = 0; depth < 20_000; depth++) {
			deep = (deep as { readonly a: readonly unknown[] }).a[0];
		}
		assert.equal(deep, '<redacted>');
		const data: unknown = JSON.parse(`{"b":[1,"hunter22",null,{}],"a":{"__proto__":"hunter22"},"${long}":true}`);
		assert.equal(
			JSON.stringify(redactor.data(data)),
			'{"b":[1,"<redacted>",null,{}],"a":{"__proto__":"<redacted>"},"<redacted>":true}',
		);
	});
});

describe('Redactor', () => {
	const pem = '-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n';
	const odd = 'pä"ss\\wo\trd/$1';
	const table: readonly (readonly [name: string, secrets: string[], text: string, expected: string])[] = [
		['nothing to hide', [], 'a b', 'a b'],
		['a value anywhere, each time', ['hunter2'], 'hunter2,xhunter2x', '<redacted>,x<redacted>x'],
		['what touches, once', ['hunter2', 'hunter2.'], 'hunter2hunter2.!', '<redacted>!'],
		['what overlaps', ['abcdef', 'defghi'], 'xabcdefghiy', 'x<redacted>y'],
		['a value of four letters, and none of three', ['abcd', 'xyz'], 'abcd xyz', '<redacted> xyz'],
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
		['a value whose blanks were joined', ['key  one\n\ttwo'], '(key one two)', '(<redacted>)'],
		[
			'a value of lines that end with \\r',
			['first line\rnext line'],
			'a first line, next line',
			'a <redacted>, <redacted>',
		],
		['no line of three letters', ['abc\nlong line'], 'abc: long line', 'abc: <redacted>'],
		['inside JSON of PHP', ['a/b+c&d'], String.raw`"a\/b+c&d"`, '"<redacted>"'],
		['inside JSON of .NET', ['a/b+c&d'], String.raw`"a/b\u002Bc\u0026d"`, '"<redacted>"'],
		['inside JSON of Go', ['a/b+c&d<'], String.raw`"a/b+c\u0026d\u003c"`, '"<redacted>"'],
		[
			'inside text of other languages',
			['pä"ss'],
			String.raw`p\xe4\"ss p\u{e4}"ss p\U000000e4\u0022ss`,
			'<redacted> <redacted> <redacted>',
		],
		['inside a URL of .NET', ['a/b+c&d'], '?k=a%2fb%2bc%26d', '?k=<redacted>'],
		['inside a URL inside a URL', ['a/b+c&d'], '?k=a%252Fb%252bc%2526d', '?k=<redacted>'],
		['inside a URL of Latin-1', ['pässwort'], '?k=p%E4sswort&l=p%u00e4sswort', '?k=<redacted>&l=<redacted>'],
		['before the host of a URL', ['pa:ss@wd'], 'https://me:pa%3Ass%40wd@host/', 'https://me:<redacted>@host/'],
		[
			'inside HTML',
			['<a&b"/ä>'],
			'&lt;a&amp;b&quot;&sol;&auml;&gt; &#60;a&#x26;b&#34/&#xE4;&gt;',
			'<redacted> <redacted>',
		],
		['no character beyond the last', ['abcd'], '&#x110000;abcd&#9999999;', '&#x110000;<redacted>&#9999999;'],
		[
			'escapes of a value itself',
			['a%2Fb%41\\n'],
			String.raw`"a%2Fb%41\\n" a%252Fb%2541%5Cn`,
			'"<redacted>" <redacted>',
		],
		['a folded line of a header', ['Bearer abc'], 'X: Bearer\r\n abc.', 'X: <redacted>.'],
		['in hexadecimal digits', ['hunter22'], '68756e7465723232 68756E7465723232', '<redacted> <redacted>'],
		['in base64', ['hunter22'], `${btoa('hunter22')} ${btoa('a:hunter22')}`, '<redacted>I= YTp<redacted>g=='],
		['too short for base64', ['hunter2'], btoa('hunter2'), btoa('hunter2')],
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

	it('hides what a server was given, but not for others', () => {
		const redactor = new Redactor();
		redactor.hideGiven([]);
		redactor.hide(['configured']);
		redactor.hideGiven(['given']);
		assert.equal(redactor.text('configured given'), '<redacted> <redacted>');
		assert.deepEqual(redactor.data(['configured given']), ['<redacted> <redacted>']);
		assert.deepEqual(redactWith(['configured given'], [redactor]), ['<redacted> given']);
	});

	it('looks for the secrets of all before it replaces any', () => {
		const [first, second] = [new Redactor(), new Redactor()];
		first.hide(['postgres', 'user']);
		first.hideGiven(['my-user-passphrase-77']);
		second.hide(['postgres://app:Tr0ub4dor-3@db/prod']);
		const text = 'my-user-passphrase-77 postgres://app:Tr0ub4dor-3@db/prod';
		assert.equal(redactWith(text, [...first.both, second]), '<redacted> <redacted>');
		assert.equal(first.text('my-user-passphrase-77'), '<redacted>');
	});

	it('takes numbers out', () => {
		const redactor = new Redactor();
		redactor.hide(['48151623']);
		assert.deepEqual(redactor.data({ pin: 48151623, other: 1, n: 1e21 }), { pin: '<redacted>', other: 1, n: 1e21 });
	});

	it('finds what stands beside something that looks like an escape of another kind', () => {
		const redactor = new Redactor();
		redactor.hide(['ebZ)"=)Du8Pjy_D$', 'f;qm:"{t|1Bbx%3m']);
		assert.equal(redactor.text('100%ebZ)\\"=)Du8Pjy_D$&b=1'), '100%<redacted>&b=1');
		assert.equal(redactor.text('C:\\f;qm:&#34;{t|1Bbx%3m '), 'C:\\<redacted> ');
	});

	it('finds the beginning of what was cut within an escape', () => {
		const redactor = new Redactor();
		redactor.hide(['wJalrXUtnFEMI/K7MDENG/bPx', 'pass"w\u00f6rd-of-mine', 'gro\u00dfe-gr\u00fc\u00dfe-aus']);
		const cut = [
			'wJalrXUtnFEMI%2FK7MDENG%2…',
			'pass\\"w\\u00f…',
			'pass&quot…',
			'pass\\…',
			'gro%C3%9Fe-gr%C3%BC%C3…',
			'gro%C3%9Fe-gr%C3%BC%…',
		];
		assert.deepEqual(
			cut.map(it => redactor.text(`(${it})`)),
			cut.map(() => '(<redacted>…)'),
		);
	});

	const halves = [
		'%',
		'%2',
		'\\',
		'\\u',
		'\\u002',
		'\\u{',
		'\\u{0002',
		'\\U',
		'\\U0000002',
		'\\x',
		'\\x2',
		'&',
		'&#',
		'&#3',
		'&#x',
		'&#x2',
		'&quo',
	];
	for (const half of halves) {
		it(`finds the beginning of what was cut within an escape: ${half}`, () => {
			assert.equal(redact(['pass"w\u00f6rd'], `(pass${half}…) ${half}…`), `(<redacted>…) ${half}…`);
		});
	}

	it('finds the beginning of what was cut within a character', () => {
		for (const bytes of ['', '%F0', '%F0%9F', '%F0%9F%98', '%F0%9F%98%8', '%F0%9F%98%']) {
			assert.equal(redact(['pass😀word'], `(pass${bytes}…)`), '(<redacted>…)');
		}
	});

	it('finds each of several that were cut', () => {
		assert.equal(redact(['abcdefgh', '12345678'], 'abcd…1234…'), '<redacted>…<redacted>…');
		assert.equal(redact(['abcdefgh', '12345678'], '… abc… abcd… x… 123456…'), '… abc… <redacted>… x… <redacted>…');
	});

	it('hides a text whole in which a secret may be everywhere', () => {
		const redactor = new Redactor();
		redactor.hide(Array.from({ length: 60 }, (_, index) => `${'a'.repeat(4 + index)}b`));
		assert.equal(redactor.text('a'.repeat(20_000)), '<redacted>');
		const cut = new Redactor();
		cut.hide(Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(59)}${1000 + index}`));
		assert.equal(cut.text(`${'a'.repeat(59)}b…`.repeat(1000)), '<redacted>');
	});

	it('finds the beginning of what was cut, before an ellipsis', () => {
		const redactor = new Redactor();
		const long = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
		redactor.hide(['0123456789', long]);
		const cut = {
			'?key=01234567…': '?key=<redacted>…',
			'a 012…': 'a 012…',
			'a 0123': 'a 0123',
			'%30%31%32%33…': '<redacted>…',
		};
		for (const [text, shown] of Object.entries(cut)) {
			assert.equal(redactor.text(text), shown);
		}
		for (let length = 4; length < long.length; length++) {
			const shown = redactor.text(`(${long.slice(0, length)}… (300 bytes)`);
			assert.match(shown, /^\(<redacted>[a-z]{0,3}… \(300 bytes\)$/);
		}
		assert.deepEqual(redactor.data([`${long.slice(0, 30)}…`]), ['<redacted>…']);
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

	it('takes long names out of keys, and leaves short ones', () => {
		const redactor = new Redactor();
		redactor.hide(['user', '0123456789abcdef']);
		const data = { user_id: 'user', 'key-0123456789abcdef': 1 };
		assert.deepEqual(redactor.data(data), { user_id: '<redacted>', 'key-<redacted>': 1 });
	});

	it('finds what ends with a backslash, which seems to escape what follows it', () => {
		const redactor = new Redactor();
		redactor.hide(['aaa&aaa\\', '+\\"aaaaaa\\']);
		assert.equal(redactor.text('"aaa&amp;aaa\\"'), '"<redacted>"');
		assert.equal(redactor.text('(+%5C%22aaaaaa%5C)'), '(<redacted>)');
		// A blank in a form, or itself.
		redactor.hide(['a\\+bbbbbbbb']);
		assert.equal(redactor.text('"a\\\\+bbbbbbbb"'), '"<redacted>"');
	});

	it('finds what looks like escapes of several kinds, once it was escaped', () => {
		const redactor = new Redactor();
		redactor.hide(['aaaa\\%5a', 'bb<%5a\\%5a', 'cccc\\%255a', 'dddd&#37;5a\\"']);
		const quoted = (text: string): string => JSON.stringify(text);
		assert.equal(redactor.text(quoted('aaaa\\%5a')), '"<redacted>"');
		assert.equal(redactor.text(quoted('bb&#60;%5a\\%5a')), '"<redacted>"');
		assert.equal(redactor.text(quoted(quoted('cccc\\%255a')).replaceAll('\\"', "'")), `"'<redacted>'"`);
		assert.equal(redactor.text(encodeURI('dddd&#37;5a\\"')), '<redacted>');
	});

	it('forgets what it was told first once it was told very much', () => {
		const redactor = new Redactor(10);
		redactor.hide(['first', 'second', ...Array.from({ length: 7 }, (_, index) => `more${index}`), 'first', 'tenth']);
		assert.equal(redactor.text('first second more0 tenth'), '<redacted> <redacted> <redacted> <redacted>');
		redactor.hide(['last']);
		assert.equal(redactor.text('first second more0'), '<redacted> second <redacted>');
		const alike = new Redactor(10);
		alike.hide(['begin1', 'begin22', ...Array.from({ length: 8 }, (_, index) => `more${index}`), 'last']);
		assert.equal(alike.text('begin1 begin22'), 'begin1 <redacted>');
	});

	describe('whatever a program does with a text', () => {
		const u4 = (it: string, isUpper: boolean): string => {
			const hex = it.charCodeAt(0).toString(16).padStart(4, '0');
			return `\\u${isUpper ? hex.toUpperCase() : hex}`;
		};
		const json = (text: string): string => JSON.stringify(text).slice(1, -1);
		const percent = (text: string): string =>
			Array.from(new TextEncoder().encode(text), it => `%${it.toString(16).padStart(2, '0')}`).join('');
		const html = (text: string): string => text.replace(/[&<>"']/g, it => `&#${it.charCodeAt(0)};`);
		const encoders: Readonly<Record<string, (text: string) => string>> = {
			json,
			jsonInJson: text => json(json(text)),
			php: text => json(text).replaceAll('/', '\\/'),
			ascii: text => json(text).replace(/[\u0080-\uffff]/g, it => u4(it, false)),
			asciiInJson: text => json(json(text).replace(/[\u0080-\uffff]/g, it => u4(it, false))),
			dotnet: text => json(text).replace(/[+&<>'`\u0080-\uffff]/g, it => u4(it, true)),
			everyUnit: text => text.replace(/[^]/g, it => u4(it, false)),
			component: encodeURIComponent,
			lowerComponent: text => encodeURIComponent(text).replace(/%../g, it => it.toLowerCase()),
			uri: encodeURI,
			everyByte: percent,
			twice: text => encodeURIComponent(encodeURIComponent(text)),
			form: text => new URLSearchParams({ x: text }).toString().slice(2),
			html,
			htmlInJson: text => json(html(text)),
			everyEntity: text => Array.from(text, it => `&#x${it.codePointAt(0)?.toString(16)};`).join(''),
			urlInHtmlInJson: text => json(html(`?a=1&b=${encodeURIComponent(text)}`)),
		};
		const backslashes = /\\u005c|%(?:25)?5c|&#(?:92|x5c);|\\/gi;
		const secret = fc
			.oneof(
				fc.string({ minLength: 8, maxLength: 200 }),
				fc.string({ minLength: 8, maxLength: 80, unit: 'grapheme' }),
				fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...Array.from('ab+/&%\\"<= 2f5u0;#')) }),
			)
			.filter(it => it.trim() === it && !'<redacted>'.includes(it))
			.filter(it => Array.from(decodedForms(it)).every(form => form.length >= 4));

		for (const [name, encode] of Object.entries(encoders)) {
			it(`finds it: ${name}`, () => {
				fc.assert(
					fc.property(secret, text => {
						const redactor = new Redactor();
						redactor.hide([text]);
						assert.equal(
							redactor
								.text(`(${encode(text)})`)
								.replace('?a=1&amp;b=', '')
								.replace('?a=1&#38;b=', '')
								// A backslash beside it may be one of the text.
								.replace(backslashes, ''),
							'(<redacted>)',
						);
					}),
				);
			});
		}

		it('finds it in base64, at any place of the encoded data', () => {
			const around = fc.uint8Array({ maxLength: 10 });
			fc.assert(
				fc.property(
					secret,
					around,
					around,
					fc.constantFrom<BufferEncoding>('base64', 'base64url', 'hex'),
					(text, before, after, form) => {
						const redactor = new Redactor();
						redactor.hide([text]);
						const encoded = Buffer.concat([before, Buffer.from(text), after]).toString(form);
						const shown = redactor.text(encoded);
						assert.match(shown, /<redacted>/);
						for (const part of shown.split('<redacted>')) {
							assert.ok(part.length <= 10 * 2 + 4);
						}
					},
				),
			);
		});
	});
});
