// What decoders, code pages and URL parsers make of a text.
import * as assert from 'node:assert/strict';
import {
	dropUnseen,
	isEncoded,
	isUnambiguous,
	readingsOf,
	withoutEnds,
} from '../../../../src/core/approvals/pathReadings.js';
import { isUnderstood, locatePath } from '../../../../src/core/approvals/pathText.js';

/** Each leads out of its folder in some reading. */
const outside = [
	// URL parsers drop line breaks and tabs.
	'src/%2\ne%2\ne/%2\ne%2\ne/x',
	'src/%2\re%2\te/x',
	'src/%\n2e%\n2\ne/%\n2e%\n2\ne/x',
	'%252\ne%252\ne/x',
	'fi\nle:x',
	'f\ni\rl\te\n:x',
	' f\nile:x',
	// UTF-8, encoded.
	'%ef%bc%8fetc',
	'..%ef%bc%8fx',
	'.%ef%bc%8e/x',
	'%25ef%25bc%258fetc',
	'.%e2%80%8b./x',
	'src/.%c2%ad./x',
	'..%e2%88%95x',
	'%e2%80%a5/x',
	'.%f3%a0%80%a0./x',
	'%c2%a0../x',
	// Longer than it needs to be.
	'%c0%ae%c0%ae/x',
	'%c1%9cetc',
	'%e0%80%afetc',
	'%e0%81%9cetc',
	'%f0%80%80%afetc',
	'%f8%80%80%80%afetc',
	'..%c0%afx',
	// Escapes of source code.
	'.%u002e/x',
	'%u002e%u002E/x',
	'%uff0e%uff0e/x',
	'%25u002e./x',
	'src/\\x2e\\x2e/x',
	'src/\\u002e\\u002E/x',
	'a =\\x2fx',
	'[\n"a b", "\\u002fetc"\n]',
	// Code pages.
	'..\u00a5x',
	'..\u20a9x',
	'\u00a5etc',
	'..\u00a52\u00a5x',
	'a\u00a5..\u00a55/..',
	'\uffe5etc',
	'\u203e/x',
	'\u203eroot/x',
	'\u203e',
];

const inside = [
	'a %\n\t\tbad = 1',
	'100 %\nab',
	'file\nx',
	'a/%ef%bd%81',
	'a%f4%90%80%80b',
	'a%ef%bc%8',
	'a/%c3%a9',
	'a%u00e9',
	'a %u b',
	'\u00a5500 a month',
	'a \u20a9500/b',
	'(\u00a5500)',
	'a\u203eb',
	'\ufdfa \ufdfb',
	'a\n\tb',
];

describe('what servers may read', () => {
	for (const text of outside) {
		it(`${JSON.stringify(text)} may lead outside`, () => {
			assert.deepEqual([locatePath(text).kind, isUnderstood(text)], ['unclear', false]);
		});
	}

	for (const text of inside) {
		it(`${JSON.stringify(text)} leads nowhere`, () => {
			assert.equal(locatePath(text).kind, 'none');
		});
	}

	it('is decoded, and simplified, each level once', () => {
		assert.deepEqual([...readingsOf('a')], ['a']);
		assert.deepEqual([...readingsOf(' "a"\t')], [' "a"\t', 'a']);
		assert.deepEqual([...readingsOf('%2561')], ['%2561', '%61', 'a']);
		assert.deepEqual([...readingsOf('%c3%a9')], ['%c3%a9', '\u00c3\u00a9', '\u00e9']);
		assert.deepEqual([...readingsOf('%f0%9f%98%80')].at(-1), '\u{1f600}');
		assert.deepEqual([...readingsOf('a\u00a5%u0041')], ['a\u00a5%u0041', 'a/A']);
		assert.deepEqual([...readingsOf('%2\n9')], ['%2\n9', '%29', ')']);
		for (const text of ['%\n2e', '%\n\r2e', '%\n2\ne', '%\n2\n\te', '%2\n\ne', '%2\te\n']) {
			assert.equal([...readingsOf(`a${text}b\nc`)].at(-1), 'a.bc', text);
		}
		for (const text of ['a%\nzz', 'xf\nile:a', 'f\nil\ne', '%\n']) {
			assert.equal([...readingsOf(`${text}\nb`)].length, 1, text);
		}
		for (const code of ['ef%bc%8f', 'c0%af', 'e0%80%af', 'f0%80%80%af', 'f8%80%80%80%af', 'e2%88%95']) {
			assert.ok([...readingsOf(`a%${code}b`)].includes('a/b'), code);
		}
		for (const code of ['c1%9c', 'e0%81%9c', 'f0%80%81%9c']) {
			assert.ok([...readingsOf(`a%${code}b`)].includes('a\\b'), code);
		}
		assert.deepEqual([...readingsOf('\ufdfa')], ['\ufdfa', 'x']);
		assert.deepEqual([...readingsOf(`%${'25'.repeat(5)}61`)].at(-1), '/');
	});

	it('is unambiguous', () => {
		for (const text of ['', 'a', 'a b', '\u00e9', 'e\u0301', '\u96e8', '~', '\\x61', '%20']) {
			assert.equal(isUnambiguous(text), true, text);
		}
		for (const text of [' a', 'a"', 'a\nb', 'a\u200bb', 'a\u2044b', 'a\u00a51', 'a\u20a9', '\u203e', '\uff0e', '\0']) {
			assert.equal(isUnambiguous(text), false, text);
		}
	});

	it('is encoded', () => {
		assert.deepEqual(['%2e', '%u002e', '\\x2e', '\\u005C', '\\x2F'].map(isEncoded), [true, true, true, true, true]);
		assert.deepEqual(['%2', '%u00', '\\x2a', '\\u102e', '%'].map(isEncoded), [false, false, false, false, false]);
	});

	it('is without blanks, fillers, and quotes at its ends', () => {
		assert.equal(dropUnseen(' a\u200b b\n\u3164'), 'ab');
		assert.equal(withoutEnds(' "a b\u201d\n'), 'a b');
		assert.equal(withoutEnds(' "'), '');
	});
});
