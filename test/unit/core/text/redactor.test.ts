import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { redact as redactWith, Redactor } from '../../../../src/core/text/redactor.js';

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
		['values that touch, once', ['hunter2', 'hunter2.'], 'hunter2hunter2.!', '<redacted>!'],
		['values that overlap', ['abcdef', 'defghi'], 'xabcdefghiy', 'x<redacted>y'],
		['a value inside another one', ['abcd', 'abcdefgh'], 'abcdefgh abcd', '<redacted> <redacted>'],
		['a value of four characters, and none of three', ['abcd', 'xyz', ''], 'abcd xyz eHl6', '<redacted> xyz eHl6'],
		['a value with characters of patterns', ['a.c*(d'], 'abcd a.c*(d', 'abcd <redacted>'],
		['JSON', [odd], JSON.stringify({ key: odd }), '{"key":"<redacted>"}'],
		['a component of a URL', ['a b&c/d'], '?k=a%20b%26c%2Fd', '?k=<redacted>'],
		['a form', ["a b&c/d'e"], new URLSearchParams({ k: "a b&c/d'e" }).toString(), 'k=<redacted>'],
		['Base64', ['hunter22?>'], btoa('hunter22?>'), '<redacted>=='],
		['Base64 of URLs, without padding', ['pä??>>'], Buffer.from('pä??>>').toString('base64url'), '<redacted>'],
		['a value of many lines', [pem], `key: ${pem}.`, 'key: <redacted>.'],
		['a value of many lines in JSON', [pem], JSON.stringify([pem]), '["<redacted>"]'],
		['each line of a value', [pem], '[stderr] MIIEvQIBADAN\r\n', '[stderr] <redacted>\r\n'],
		['a value with white space around it', [' hunter2\n'], 'Bearer hunter2.', 'Bearer <redacted>.'],
		['half a surrogate pair', ['abc\ud800def'], 'abc\ud800def', '<redacted>'],
	];
	for (const [name, secrets, text, expected] of table) {
		it(`replaces ${name}`, () => assert.equal(redact(secrets, text), expected));
	}

	const code = (text: string): string[] => Array.from(text, it => it.charCodeAt(0).toString(16));
	const left: readonly (readonly [name: string, write: (secret: string) => unknown])[] = [
		['in capitals', it => it.toUpperCase()],
		['over two lines', it => `${it.slice(0, 9)}\n${it.slice(9)}`],
		['cut', it => `${it.slice(0, -4)}…`],
		['with colors inside', it => `${it.slice(0, 4)}\u001B[31m${it.slice(4)}`],
		['in other characters that look the same', it => it.replace('o', '\u03BF')],
		['escaped twice for JSON', it => JSON.stringify(JSON.stringify(it))],
		['escaped twice for a URL', it => encodeURIComponent(encodeURIComponent(it))],
		['in Base64 of a longer text', it => btoa(`user:${it}.`)],
		['in Base64 of Base64', it => btoa(btoa(it))],
		['in hexadecimal', it => code(it).join('')],
		[
			'in escapes of a programming language',
			it =>
				code(it)
					.map(hex => `\\x${hex}`)
					.join(''),
		],
		['as a list of bytes', it => Array.from(Buffer.from(it))],
	];
	for (const [name, write] of left) {
		it(`leaves a value ${name}`, () => {
			const redactor = new Redactor();
			redactor.hide(['tok-"Az"/91xQ/longer']);
			const written = write('tok-"Az"/91xQ/longer');
			assert.deepEqual(redactor.data(written), written);
		});
	}

	it('leaves nothing of any value, in each encoding', () => {
		const encodings: readonly ((text: string) => string)[] = [
			text => text,
			text => JSON.stringify({ text }),
			text => encodeURIComponent(text),
			text => new URLSearchParams({ text }).toString(),
			text => Buffer.from(text).toString('base64'),
			text => Buffer.from(text).toString('base64url'),
		];
		const secret = fc.string({ minLength: 6, maxLength: 100, unit: 'grapheme' }).filter(it => it.trim() === it);
		fc.assert(
			fc.property(secret, fc.constantFrom(...encodings), (text, encode) => {
				const shown = redact([text], `(${encode(text)})`);
				assert.match(shown, /^\((?:\{"text":"|text=)?<redacted>(?:"\}|={0,2})\)$/);
			}),
		);
	});

	it('still hides earlier values, and forgets the oldest of very many', () => {
		const redactor = new Redactor();
		redactor.hide(['first value', 'second value']);
		redactor.hide(['first value', ...Array.from({ length: 499 }, (_, index) => `more-${index}-`)]);
		assert.equal(redactor.text('first value, second value, more-498-'), '<redacted>, second value, <redacted>');
	});

	it('hides what a server was given, but not for others', () => {
		const redactor = new Redactor();
		redactor.hideGiven([]);
		assert.deepEqual(redactor.both, [redactor]);
		redactor.hide(['configured']);
		redactor.ofGiven.hide(new Set(['given']));
		assert.equal(redactor.text('configured given'), '<redacted> <redacted>');
		assert.equal(redactor.ofGiven.text('configured given'), '<redacted> <redacted>');
		assert.deepEqual(redactWith(['configured given'], [redactor]), ['<redacted> given']);
	});

	it('looks for the secrets of all redactors before it replaces any', () => {
		const [first, second] = [new Redactor(), new Redactor()];
		first.hide(['postgres', 'user']);
		first.hideGiven(['my-user-passphrase-77']);
		second.hide(['postgres://app:Tr0ub4dor-3@db/prod']);
		const text = 'my-user-passphrase-77 postgres://app:Tr0ub4dor-3@db/prod';
		assert.equal(redactWith(text, [...first.both, second]), '<redacted> <redacted>');
	});

	it('redacts texts, numbers and long keys in data', () => {
		const redactor = new Redactor();
		const data = { a: ['key hunter2', 1, null, undefined, true], b: { pin: 48151623, n: 1e21 }, hunter2: 1 };
		assert.equal(redactor.data(data), data);
		redactor.hide(['hunter2', '48151623', '0123456789abcdef']);
		assert.deepEqual(redactor.data({ ...data, 'key-0123456789abcdef': 1 }), {
			a: ['key <redacted>', 1, null, undefined, true],
			b: { pin: '<redacted>', n: 1e21 },
			hunter2: 1,
			'key-<redacted>': 1,
		});
	});

	it('redacts data that is nested deeper than the stack, and keeps the order and names of members', () => {
		const redactor = new Redactor();
		redactor.hide(['hunter22']);
		let deep: unknown = redactor.data(JSON.parse(`${'{"a":['.repeat(20_000)}"hunter22"${']}'.repeat(20_000)}`));
		for (let depth = 0; depth < 20_000; depth++) {
			deep = (deep as { readonly a: readonly unknown[] }).a[0];
		}
		assert.equal(deep, '<redacted>');
		const data: unknown = JSON.parse('{"b":[1,"hunter22",null,{}],"a":{"__proto__":"hunter22"}}');
		assert.equal(JSON.stringify(redactor.data(data)), '{"b":[1,"<redacted>",null,{}],"a":{"__proto__":"<redacted>"}}');
	});
});
