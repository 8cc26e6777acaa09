// Zero-width joiners in texts of servers: RFC 5892, appendix A; Unicode UTS 51.
import * as assert from 'node:assert/strict';
import {
	documentText,
	logText,
	modelText,
	notificationText,
	oneLine,
	tooltipText,
} from '../../../../src/editor/ui/plainText.js';

describe('joiners', () => {
	it('stay in names where emoji, Persian and Indic scripts need them', () => {
		for (const name of [
			'\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
			'\u{1F3F3}\uFE0F\u200D\u{1F308}',
			'\u{1F469}\u{1F3FD}\u200D\u{1F52C}',
			'\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
			'\u062E\u0627\u0646\u0647\u064E\u200C\u0647\u0627',
			'\u0936\u094D\u200D\u0930',
			'\u0915\u094D\u200C\u0937',
			'\u0DC1\u0DCA\u200D\u0DBB\u0DD3',
		]) {
			for (const sink of [oneLine, notificationText, tooltipText, logText, documentText]) {
				assert.equal(sink(name), name);
			}
		}
	});

	it('are spelled out for a model between Latin letters, where they hide something', () => {
		assert.equal(modelText('re\u200D\u200Cad'), 're\\u{200d}\\u{200c}ad');
		for (const text of ['PDF\u200C\u0647\u0627', '\u06A9\u0627\u0631\u200C\u0647\u0627']) {
			assert.equal(modelText(text), text);
		}
	});

	it('are removed where they are invisible', () => {
		for (const [before, after] of [
			['a', 'b'],
			['', '\u{1F468}'],
			['\u{1F468}', ''],
			['\u{1F468}', 'a'],
			['\u0627', '\u0628'],
			['\u0628', ''],
			['\u0628', 'a'],
			['\u0915', '\u0937'],
			['\u094D', 'a'],
		]) {
			for (const joiner of ['\u200C', '\u200D']) {
				assert.equal(oneLine(`${before}${joiner}${after}`), `${before}\uFFFD${after}`);
				assert.equal(oneLine(`x${before}${joiner}${joiner}${after}x`), `x${before}\uFFFD\uFFFD${after}x`);
			}
		}
	});
});
