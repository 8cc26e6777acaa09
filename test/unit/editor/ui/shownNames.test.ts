// Names and addresses that a person decides about, also those that are made to look like something else.
import * as assert from 'node:assert/strict';
import { shownAddress, shownHost, toolName, toolTitle } from '../../../../src/editor/ui/shownNames.js';
import { notificationText, quickInputText, quickPickText } from '../../../../src/editor/ui/plainText.js';

const sinks = [quickInputText, notificationText, quickPickText];

describe('the name of a tool', () => {
	it('is shown unchanged if all of its characters are safe', () => {
		for (const name of [
			'read_file',
			'get-sum',
			'a/b.c',
			'читать',
			'読む',
			'\u{1F469}\u200D\u{1F52C}',
			'x'.repeat(128),
			'Работа с файлами',
			'Ελλάδα α_b',
			'Web検索 ファイル・一覧',
			'文件（只读）：全部',
			'हिन्दी',
			'Łódź, Tiếng Việt',
			'Search — the user’s docs ✅',
			'\u2139\uFE0F info',
		]) {
			assert.equal(toolName(name), name);
		}
	});

	for (const [name, shown] of [
		['read" on "docs', 'read\\u{0022} on \\u{0022}docs'],
		['read” on “docs', 'read\\u{201d} on \\u{201c}docs'],
		['$(check)$(x', '\\u{0024}(check)\\u{0024}(x'],
		['[x](command:y)', '[x\\u{005d}(command:y)'],
		['reаd', 're\\u{0430}d'],
		[' read\n', '\\u{0020}read\\u{000a}'],
		['a  b', 'a⟨␣×2⟩b'],
		['safe\u202Egpj.exe', 'safe\\u{202e}gpj.exe'],
		['a\uFE0F\u3164', 'a\\u{fe0f}\\u{3164}'],
		['re\u200Dad', 're\\u{200d}ad'],
		['', '\uFFFD'],
		// Letters that look like Latin ones, all of a word, and other forms of the same letters.
		['сору', '\\u{0441}\\u{043e}\\u{0440}\\u{0443}'],
		['delete сору', 'delete \\u{0441}\\u{043e}\\u{0440}\\u{0443}'],
		['οο', '\\u{03bf}\\u{03bf}'],
		['ꓖꓲꓔ', '\\u{a4d6}\\u{a4f2}\\u{a4d4}'],
		['ɡit ɪ ǃ', '\\u{0261}it \\u{026a} \\u{01c3}'],
		['ｇｉｔ 𝗀 ﬁ', '\\u{ff47}\\u{ff49}\\u{ff54} \\u{1d5c0} \\u{fb01}'],
		['cafe\u0301 \u212B', 'cafe\\u{0301} \\u{212b}'],
		['\u1100\u1161', '\\u{1100}\\u{1161}'],
		['v৪ v١ ²', 'v\\u{09ea} v\\u{0661} \\u{00b2}'],
		// Punctuation that looks like ASCII's, our quotation marks, our separator, or our mark for a cut text.
		['a＿b\u2010c\u2212d–e․f꞉g∕h', 'a\\u{ff3f}b\\u{2010}c\\u{2212}d\\u{2013}e\\u{2024}f\\u{a789}g\\u{2215}h'],
		["x'' on ''y", "x'\\u{0027} on '\\u{0027}y"],
		['x″ ʺ ״ ❞ ’’', 'x\\u{2033} \\u{02ba} \\u{05f4} \\u{275e} \\u{2019}\\u{2019}'],
		['a ⋅ b • c ・ d \u0387 e', 'a \\u{22c5} b \\u{2022} c \\u{30fb} d \\u{0387} e'],
		['read…', 'read\\u{2026}'],
		['read （allowed）', 'read \\u{ff08}allowed\\u{ff09}'],
		['read （（allowed））', 'read \\u{ff08}\\u{ff08}allowed\\u{ff09}\\u{ff09}'],
	] as const) {
		it(`is spelled out where a character could look like another: ${JSON.stringify(name)}`, () => {
			assert.equal(toolName(name), shown);
			for (const sink of sinks) {
				assert.equal(sink(shown), shown);
			}
		});
	}

	it('is cut between characters', () => {
		assert.equal(toolName('x'.repeat(200)), `${'x'.repeat(127)}…`);
		assert.equal(toolName('x'.repeat(5_000_000), 60).length, 60);
		assert.equal(toolName(`x${'😀'.repeat(100)}`, 61).length, 60);
	});
});

describe('the title of a tool', () => {
	it('is what the server says, with the name beside it, else the name', () => {
		assert.deepEqual(toolTitle({ name: 'sum', title: 'Get sum' }), ['Get sum', 'sum']);
		assert.deepEqual(toolTitle({ name: 'sum', annotations: { title: 'Sum' } }), ['Sum', 'sum']);
		assert.deepEqual(toolTitle({ name: 's"um' }), ['s\\u{0022}um']);
	});

	it('is spelled out as a name is', () => {
		for (const title of ['reаd', 'Get "sum"', '$(x) [a](command:b)', 'сору', 'a\u200Db']) {
			assert.deepEqual(toolTitle({ name: 'sum', title }), [toolName(title), 'sum']);
		}
	});
});

describe('an address that a person decides about', () => {
	for (const [url, shown] of [
		['https://\u0430ccounts.g\u043E\u043Egle.com/x?y#z', 'https://xn--ccounts-1fg.xn--ggle-55da.com/x?y#z'],
		['https://ACCOUNTS.example', 'https://accounts.example/'],
		['https://accounts.example\\@evil.example/', 'https://accounts.example/@evil.example/'],
		['https://a.example/$(check)[x](command:y)', 'https://a.example/\\u{0024}(check)[x\\u{005d}(command:y)'],
		['https://a.example/\u202Egpj', 'https://a.example/%E2%80%AEgpj'],
		['unix:///run/a.sock', 'unix:///run/a.sock'],
		['not an  \u202Eaddress', 'not an⟨␣×2⟩\\u{202e}address'],
	] as const) {
		it(`shows ${JSON.stringify(url)} as ${shown}`, () => {
			assert.equal(shownAddress(url), shown);
			assert.ok(!URL.canParse(url) || shownAddress(new URL(url)) === shown);
		});
	}

	it('is never cut', () => {
		const url = `https://accounts.google.com.${'long.'.repeat(40)}evil.example/`;
		assert.equal(shownAddress(url), url);
		assert.equal(shownHost(new URL(`${url}x?y`)), new URL(url).host);
	});
});
