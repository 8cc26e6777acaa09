// What of a text stays although secrets are taken out of it, and how far it is looked for them.
import * as assert from 'node:assert/strict';
import { redact as redactWith, Redactor } from '../../../../src/core/text/redactor.js';

function redact(secrets: readonly string[], text: string): string {
	const redactor = new Redactor();
	redactor.hide(secrets);
	return redactor.text(text);
}

describe('Redactor, of what is given', () => {
	it('hides what an authorization server gives, in what is about its server alone', () => {
		const redactor = new Redactor();
		redactor.ofGiven.hide(new Set(['token-of-one', 'token-of-two']));
		assert.equal(redactor.ofGiven.text('token-of-one token-of-two'), '<redacted> <redacted>');
		assert.equal(redactor.text('token-of-one'), '<redacted>');
		assert.equal(redactWith('token-of-one', [redactor]), 'token-of-one');
	});

	it('looks for nothing more where nothing was given', () => {
		const redactor = new Redactor();
		redactor.hideGiven([]);
		assert.deepEqual(redactor.both, [redactor]);
	});

	it('blanks no text because of what was given, but where a secret of it may be', () => {
		const redactor = new Redactor();
		redactor.hideGiven(Array.from({ length: 60 }, (_, index) => `${'a'.repeat(4 + index)}b`));
		const rest = ' A server cannot choose what else is shown.'.repeat(10);
		const shown = redactor.text(`First. ${'a'.repeat(20_000)}${rest}`);
		assert.ok(shown.startsWith('First. <redacted>'));
		assert.ok(shown.length < rest.length && rest.endsWith(shown.slice('First. <redacted>'.length)));
		assert.equal(redactor.text(`aaaab, ${rest}`), `<redacted>, ${rest}`);
	});

	it('hides each place of a text where a secret may be, if there are too many to look at', () => {
		const redactor = new Redactor();
		redactor.hide(['0123456789', ...Array.from({ length: 60 }, (_, index) => `${'a'.repeat(4 + index)}b`)]);
		const gap = '.'.repeat(100);
		const shown = redactor.text(`0123456789${gap}${'a'.repeat(20_000)}${gap}012345…${gap}0123`);
		assert.equal(shown.replaceAll('.', ''), '<redacted><redacted><redacted><redacted>');
		assert.ok(shown.includes('.'.repeat(20)));
		assert.equal(
			redactor.text(`${'a'.repeat(20_000)}${gap}${'a'.repeat(20)}x012`).replaceAll('.', ''),
			'<redacted><redacted>',
		);
	});
});

describe('Redactor, of how far it looks', () => {
	// Each place where a form may begin is one look for each length of forms whose middle is there, too, and a text has
	// 50,000 more looks than places.
	it('looks at a text as often as it has characters, and 50,000 times more', () => {
		const secrets = ['aaaaac', 'aaaab'];
		assert.equal(redact(secrets, `${'a'.repeat(50_007)}b`), `${'a'.repeat(50_003)}<redacted>`);
		assert.equal(redact(secrets, `${'a'.repeat(50_008)}b`), '<redacted>');
		assert.equal(redact(secrets, `${'a'.repeat(50_008)}x`), '<redacted>');
	});

	it('hides nothing of long tables because keys begin with hyphens as their rows do', () => {
		const body = Array.from({ length: 20 }, (_, line) => `line${line}`.repeat(10).slice(0, 64)).join('\n');
		const keys = ['RSA ', 'EC ', 'OPENSSH ', ''].map(
			kind => `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----\n`,
		);
		const table = `name value\n${'-'.repeat(100)}\n`.repeat(1000);
		assert.equal(redact(keys, table), table);
		assert.equal(redact(keys, `${table}-----BEGIN EC PRIVATE KEY-----`), `${table}<redacted>`);
	});

	it('looks as often for the beginnings of what was cut', () => {
		const text = 'aaaab…'.repeat(500);
		const forms = (count: number): string[] =>
			Array.from(
				{ length: count },
				(_, index) => `aaaac${String.fromCharCode(48 + Math.trunc(index / 40), 48 + (index % 40))}`,
			);
		assert.equal(redact(forms(105), text), text);
		assert.equal(redact(forms(106), text), '<redacted>');
	});

	it('hides 77 characters where a secret may begin: of a part, of half a character, and of half an escape', () => {
		const many = ['0123456789', ...Array.from({ length: 60 }, (_, index) => `${'a'.repeat(4 + index)}b`)];
		const gap = '.'.repeat(100);
		const text = (end: string): string => `${'a'.repeat(20_000)}${gap}${end}`;
		assert.equal(redact(many, text(`0123${gap}`)), `<redacted>${'.'.repeat(27)}`.repeat(2));
		// Too little is left for a secret.
		assert.ok(redact([...many, 'x\0\0\0abcd'], text('x')).endsWith('.x'));
	});

	it('has nothing to look for where all is too short', () => {
		const redactor = new Redactor();
		redactor.hide(['1', 'yes', '', 'x%41']);
		assert.equal(redactor.isEmpty, false, 'escaped, it is long enough');
		const other = new Redactor();
		other.hide(['1', 'yes', '']);
		assert.equal(other.isEmpty, true);
	});

	it('looks at long secrets as a whole, and in parts', () => {
		const words = Array.from({ length: 4000 }, (_, index) => `w${index}`).join('.');
		const hex = (text: string): string => Buffer.from(text).toString('hex');
		const [begin, end] = [words.slice(0, 1000), words.slice(-1000)];
		for (const part of [words, begin, end, hex(begin)]) {
			assert.match(redact([words], part), /^[^<]{0,64}<redacted>[^<]{0,64}$/);
		}
		// Encoded, what is behind the first 16,384 characters is not known.
		assert.equal(redact([words], hex(end)), hex(end));
		const short = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
		assert.equal(redact([short], short.slice(52)), '<redacted>');
	});
});

describe('Redactor, of what it finds', () => {
	const hidden: readonly (readonly [name: string, secret: string, text: string, expected: string])[] = [
		['without the line end behind it, in digits', 'hunter22\n', '68756e7465723232', '<redacted>'],
		['without the blanks around it, in base64', ' hunter22\n', btoa('hunter22'), '<redacted>I='],
		['with a tab, in digits', 'hunter\t22', '68756e746572093232', '<redacted>'],
		[
			'that ends with a backslash, in a long text',
			'aaa&aaa\\',
			`"aaa&amp;aaa\\"${' '.repeat(20_000)}`,
			`"<redacted>\\"${' '.repeat(20_000)}`,
		],
		['cut where half an escape is its own', 'ab&cdefgh', 'ab&c…', '<redacted>…'],
		['with an ellipsis in it, cut', 'abcd…efghij', 'abcd…ef…', '<redacted>…'],
	];
	for (const [name, secret, text, expected] of hidden) {
		it(`is a secret ${name}`, () => assert.equal(redact([secret], text), expected));
	}

	const kept: readonly (readonly [name: string, secret: string, text: string])[] = [
		['what only begins like a secret', 'abcdefgh', 'abcdX…'],
		['what only begins like a secret, in a text with an accent', 'abcdefgh', '\u00e4 abcdX…'],
		['what only begins like a secret, behind an escape', 'abcdefgh', '%41 abcdXY…'],
		['what a short secret becomes without its escapes', 'x%41', 'xA'],
		['three letters before an ellipsis', 'abcdefgh', 'abc…'],
	];
	for (const [name, secret, text] of kept) {
		it(`is not ${name}`, () => assert.equal(redact([secret], text), text));
	}

	it('is not half an escape behind a secret that is whole', () => {
		assert.equal(redact(['hunter22'], 'hunter22%2…'), '<redacted>%2…');
	});

	it('is not the name of a member that only begins like a secret', () => {
		const redactor = new Redactor();
		redactor.hide(['username-of-mine-long']);
		const data = { 'username…': 'username…', 'username-of-mine…': 1 };
		assert.deepEqual(redactor.data(data), { 'username…': '<redacted>…', '<redacted>…': 1 });
	});

	it('is no value but texts and numbers', () => {
		const redactor = new Redactor();
		redactor.hide(['true', 'null', '1234', 'undefined']);
		const data: Record<string, unknown> = { a: true, b: null, c: [], d: {}, e: undefined, f: 1234, g: [1234, 'true'] };
		const copy = redactor.data(data);
		assert.deepEqual({ ...copy }, { ...data, f: '<redacted>', g: ['<redacted>', '<redacted>'] });
		// It is data as any other.
		copy['a'] = false;
		delete copy['b'];
		assert.deepEqual(Object.keys(copy), ['a', 'c', 'd', 'e', 'f', 'g']);
		assert.equal(copy['a'], false);
	});
});
