// Escapes and what they stand for, and which part of a text each character came from.
import * as assert from 'node:assert/strict';
import { decodedForms, decodedLayers } from '../../../../src/core/text/encodedText.js';

/** A text without its outermost escapes; `undefined` if it has none. */
function decoded(text: string): string | undefined {
	return Array.from(decodedLayers(text), it => it.text)[1];
}

/** A character that was percent-encoded more than once. */
function encoded(hex: string, times: number): string {
	return `%${'25'.repeat(times - 1)}${hex}`;
}

describe('escapes of a text', () => {
	const table: Readonly<Record<string, readonly (readonly [escaped: string, text: string])[]>> = {
		'in string literals': [
			['\\u0041b', 'Ab'],
			['\\u00e4', 'ä'],
			['\\u00Ff', 'ÿ'],
			['\\u{41}b', 'Ab'],
			['\\u{10ffff}', '\u{10ffff}'],
			['\\U0001f600', '😀'],
			['\\x41b', 'Ab'],
			['\\b\\f\\n\\r\\t\\v\\0', '\b\f\n\r\t\v\0'],
			['\\/\\"\\\\\\é', '/"\\é'],
		],
		'in URLs': [
			['%41b', 'Ab'],
			['%u0041b', 'Ab'],
			['%7e%7E', '~~'],
			['%c3%a4%C3%A4%d0%B0', 'ääа'],
			['%e2%82%ac%E2%82%AC', '€€'],
			['%f0%9f%98%80%F0%9F%98%80', '😀😀'],
			['%80%9F%a0%e4%FF', '\u0080\u009f\u00a0äÿ'],
			['%f8%80%80%80', 'ø\u0080\u0080\u0080'],
		],
		'in HTML': [
			['&#65;b&#65b', 'AbAb'],
			['&#x41;&#X41;g&#x41g', 'AAgAg'],
			['&#128512;', '😀'],
			['&amp;&apos;&Hat;&quest;&lowbar;&hyphen;&semi;', "&'^?_-;"],
			['&nbsp;&frac12;&middot;&Egrave;&Eacute;&Uacute;&Ucirc;&eacute;&icirc;&yuml;', '\u00a0½·ÈÉÚÛéîÿ'],
			['&Tab;&NewLine;', '\t\n'],
		],
		'where a line of a header goes on': [
			['a\r\n b', 'a b'],
			['a\n\tb', 'a b'],
			['a\n \t b', 'a b'],
		],
	};
	for (const [where, rows] of Object.entries(table)) {
		for (const [escaped, text] of rows) {
			it(`${where}: ${JSON.stringify(escaped)}`, () => assert.equal(decoded(escaped), text));
		}
	}

	const none = [
		'',
		'Ab',
		'\\u004',
		'\\u{110000}',
		'\\u{}',
		'\\U0000004',
		'\\x4',
		'\\1',
		'\\q',
		'\\ ',
		'\\',
		'%4',
		'%g1',
		'100% of',
		'%c1%81',
		'%ed%a0%80',
		'&#x110000;',
		'&#1114112;',
		'&#;',
		'&amp',
		'&nothing;',
		'a\nb',
		'a\r\nb',
	];
	for (const text of none) {
		it(`are none in ${JSON.stringify(text)}`, () => assert.equal(decoded(text), undefined));
	}

	it('are undone in four layers, and no more', () => {
		const last = (text: string): string | undefined => Array.from(decodedLayers(text), it => it.text).at(-1);
		assert.equal(last(encoded('41', 4)), 'A');
		assert.equal(last(encoded('41', 5)), '%41');
	});

	it('of one kind are undone alone where there are several kinds', () => {
		const texts = Array.from(decodedLayers('\\u0026#37;41'), it => it.text);
		assert.deepEqual(texts, ['\\u0026#37;41', '&#37;41', '%41', 'A']);
		assert.deepEqual(
			Array.from(decodedLayers('%41\\x42&#67;'), it => it.text).toSorted(),
			['%41\\x42&#67;', 'ABC', '%41B&#67;', 'A\\x42&#67;', '%41\\x42C', 'AB&#67;', '%41BC', 'A\\x42C'].toSorted(),
		);
		// Some of each kind are left to the end.
		assert.deepEqual(
			Array.from(decodedLayers('%41\\x42 % &'), it => it.text),
			['%41\\x42 % &', 'AB % &', '%41B % &', 'A\\x42 % &'],
		);
	});

	for (const text of ['%41\n b', '\\x41\n b', '&#65;\n b']) {
		it(`of one kind are undone together with the lines of a header: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(
				Array.from(decodedLayers(text), it => it.text),
				[text, 'A b'],
			);
		});
	}

	it('of one kind are undone alone three times', () => {
		const texts = Array.from(decodedLayers(`${encoded('41', 4)}\\x42`), it => it.text);
		assert.deepEqual(
			texts.filter(it => it.endsWith('\\x42')),
			[`${encoded('41', 4)}\\x42`, `${encoded('41', 3)}\\x42`, `${encoded('41', 2)}\\x42`, '%41\\x42'],
		);
	});

	it('of one kind are undone alone in texts that are not too long', () => {
		const texts = (length: number): string[] =>
			Array.from(decodedLayers('%41\\x42'.padEnd(length, '.')), it => it.text.replace(/\.+$/, ''));
		assert.deepEqual(texts(20_000), ['%41\\x42', 'AB', '%41B', 'A\\x42']);
		assert.deepEqual(texts(20_001), ['%41\\x42', 'AB']);
	});

	it('leave a bounded number of forms', () => {
		const nested = encoded('5c', 4) + encoded('26', 4) + '\\u005cu0026amp;#37;' + '&amp;amp;#x5c;u0025'.repeat(3);
		const forms = Array.from(decodedForms(nested));
		assert.equal(forms.length, 40);
		assert.deepEqual(Array.from(decodedForms('a')), ['a']);
	});
});

describe('the part of a text that decoded text was made from', () => {
	const table: readonly (readonly [text: string, layer: number, start: number, end: number, original: string])[] = [
		['x%41y', 0, 1, 4, '%41'],
		['x%41y', 1, 0, 1, 'x'],
		['x%41y', 1, 1, 2, '%41'],
		['x%41y', 1, 2, 3, 'y'],
		['x%41y', 1, 0, 3, 'x%41y'],
		['x%41yy\\u0042z', 1, 3, 4, 'y'],
		['x%41yy\\u0042z', 1, 2, 5, 'yy\\u0042'],
		['x%41yy\\u0042z', 1, 5, 6, 'z'],
		['%f0%9f%98%80z', 1, 0, 1, '%f0%9f%98%80'],
		['%f0%9f%98%80z', 1, 1, 2, '%f0%9f%98%80'],
		['%f0%9f%98%80z', 1, 2, 3, 'z'],
		['x%252541y', 3, 1, 2, '%252541'],
		['x%252541y', 3, 2, 3, 'y'],
	];
	for (const [text, layer, start, end, original] of table) {
		it(`${start} to ${end} of layer ${layer} of ${text}`, () => {
			const span = Array.from(decodedLayers(text))[layer]?.original(start, end);
			assert.equal(text.slice(span?.start, span?.end), original);
		});
	}
});
