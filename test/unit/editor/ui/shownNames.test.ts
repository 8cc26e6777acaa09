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
	it('is the title that the server gives, or else the name', () => {
		assert.equal(toolTitle({ name: 'sum', title: 'Get "sum"' }), 'Get "sum"');
		assert.equal(toolTitle({ name: 'sum', annotations: { title: 'Sum' } }), 'Sum');
		assert.equal(toolTitle({ name: 's"um' }), 's\\u{0022}um');
		assert.equal(toolTitle({ name: 'sum', title: '$(x) [a](command:b)' }), '$\u200B(x) [a]\u200B(command:b)');
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
