import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LinearPattern } from '../../../../src/mcp/schema/linearPattern.js';

const texts = [
	'',
	'a',
	'A',
	'b',
	'ab',
	'aab',
	'a\n',
	'\n',
	'\r',
	'\u2028',
	' ',
	'\t',
	'\v',
	'\u00a0',
	'\ufeff',
	'\u3000',
	'0',
	'7',
	'42',
	'_',
	'-',
	'.',
	'[',
	']',
	'{',
	'}',
	'\\',
	'/',
	'é',
	'ß',
	'😀',
	'\ud800',
	'\0',
	'\b',
	'a-b',
	'x{2',
	'Ω',
	'я',
	'b\na\nc',
	'foo-bar.baz',
	'2024-02-30',
	'a@b.c',
	'{a}',
];

describe('LinearPattern', () => {
	it('means what it means in JavaScript', () => {
		const patterns = [
			'^a$',
			'^.$',
			'.',
			'^\\s$',
			'^\\S$',
			'^[\\s]$',
			'^[^\\s]$',
			'^[\\S]$',
			'^\\d+$',
			'^\\w$',
			'\\ba',
			'a\\B',
			'^[^]$',
			'[]',
			'\\u00e9',
			'\\u{1F600}',
			'\\uD83D\\uDE00',
			'^[\\u{1F600}-\\u{1F64F}]$',
			'\\x41',
			'\\cJ',
			'\\0',
			'[\\b]',
			'\\/',
			'\\.',
			'^\\p{L}$',
			'^\\p{Letter}$',
			'^\\P{L}$',
			'^[\\p{Lu}\\d]$',
			'\\p{Script=Greek}',
			'\\p{sc=Cyrillic}',
			'\\p{ASCII}',
			'^\\p{Any}$',
			'(a)(b)',
			'(?:a|b)+',
			'(?<n>a)b',
			'a{2}',
			'a{1,}',
			'^a{0,1}b*?$',
			'[a-c]',
			'[^a-c]',
			'[a\\-b]',
			'[.-]',
			'[-.]',
			'[[]',
			'[{}]',
			'^\\d{4}-\\d{2}-\\d{2}$',
			'^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{1,}$',
			'^$',
			'\\^\\$',
			'a|',
			'()',
			// Not Unicode patterns, and in use.
			'^[\\w-.]+$',
			'\\-',
			'\\_',
			'x{2',
			'{a}',
			']',
			'[\\d-x]',
			'^[\\w--\\_]$',
			'^[a-\\d]$',
		];
		for (const pattern of patterns) {
			const linear = LinearPattern.compile(pattern);
			assert.ok(linear, pattern);
			const native = compileNative(pattern);
			assert.deepEqual(
				texts.filter(it => linear.test(it)),
				texts.filter(it => native.test(it)),
				pattern,
			);
		}
	});

	it('refuses what it cannot do', () => {
		const patterns = [
			'(?=a)b',
			'(?!a)b',
			'(?<=a)b',
			'(?<!a)b',
			'(a)\\1',
			'(?<n>a)\\k<n>',
			'^.{0,2000}$',
			'\\p{Emoji}',
			'\\p{L}\\1',
			'(',
			'[',
			'a**',
			'\\',
			'(?i)a',
			'a'.repeat(5000),
			'(((a{99}){99}){99}){99}',
			'\\p{Nonsense}',
			'[[:alpha:]',
			'(?',
			'(?:a{1000}|b)'.repeat(300),
			// Not Unicode patterns: they mean halves of characters.
			'\\-😀?',
			'[\\_😀]',
			'\\-\\uD83D\\uDE00',
			'\\-\\uD83D',
			'\\-\ud83d',
			'\\c',
			'\\c1',
			'[\\c_]',
		];
		assert.deepEqual(
			patterns.map(it => LinearPattern.compile(it)?.toString()),
			patterns.map(it => (it === '[[:alpha:]' ? '/[[:alpha:]/' : undefined)),
		);
	});

	it('never throws, and agrees with JavaScript wherever it gives an answer', () => {
		const piece = fc.constantFrom(
			'a',
			'b',
			'.',
			'\\s',
			'\\d',
			'\\w',
			'[a-b]',
			'[^a]',
			'(',
			')',
			'|',
			'*',
			'+',
			'?',
			'{2}',
			'{1,3}',
			'^',
			'$',
			'\\b',
			'\\',
			'[',
			']',
			'-',
			'\\u0061',
			'\\x62',
			'(?:',
			'(?<n>',
			'\\p{L}',
			'\\n',
			' ',
			'\\-',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), fc.string({ maxLength: 6 }), (pieces, text) => {
				const pattern = pieces.join('');
				const linear = LinearPattern.compile(pattern);
				if (linear) {
					const native = compileNative(pattern);
					for (const it of [text, 'ab', 'a b', '-a', '']) {
						assert.equal(linear.test(it), native.test(it), `${pattern} on ${JSON.stringify(it)}`);
					}
				}
			}),
			{ numRuns: 2000 },
		);
		fc.assert(
			fc.property(
				fc.string({ unit: 'binary' }),
				fc.string(),
				(pattern, text) => void LinearPattern.compile(pattern)?.test(text),
			),
		);
	});

	it('takes linear time for patterns that explode elsewhere', () => {
		const text = `${'a'.repeat(50_000)}!`;
		for (const pattern of ['(a+)+$', '^(a|a)*$', '^(a*)*b', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
			assert.equal(LinearPattern.compile(pattern)?.test(text), false, pattern);
		}
	});

	it('keeps nothing of long texts', () => {
		const linear = LinearPattern.compile('^.*a.{30}b.{20,40}[a-m]{3,20}$');
		assert.ok(linear);
		const programs = new Set<unknown>();
		for (const text of ['a', 'b', 'a'.repeat(20_000), 'a']) {
			linear.test(text);
			programs.add((linear as unknown as { program: unknown }).program);
		}
		// The one of the short texts, none after the long one, another one.
		assert.equal(programs.size, 3);
		assert.ok(programs.has(undefined));
	});
});

function compileNative(pattern: string): RegExp {
	try {
		return new RegExp(pattern, 'u');
	} catch {
		return new RegExp(pattern);
	}
}
