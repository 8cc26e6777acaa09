import * as assert from 'node:assert/strict';
import { escapeMixedScripts } from '../../../../src/core/text/spelledOut.js';

describe('escapeMixedScripts', () => {
	for (const [what, text, shown] of [
		['Cyrillic in Latin', 'gіthub раypal', 'g\\u{0456}thub \\u{0440}\\u{0430}ypal'],
		['Greek in Latin', 'οne κΩ', '\\u{03bf}ne κΩ'],
		['Armenian and Cherokee in Latin', 'hօst Ꭺpple', 'h\\u{0585}st \\u{13aa}pple'],
		['Cyrillic in Greek', 'λоγος', 'λ\\u{043e}γος'],
		['one word of a name', 'read_fіle', 'read_f\\u{0456}le'],
	] as const) {
		it(`escapes ${what}`, () => assert.equal(escapeMixedScripts(text), shown));
	}

	it('leaves words of one script, and those that Chinese, Japanese and Korean mix', () => {
		for (const text of [
			'naïve cafe\u0301 ﬁle',
			'Привет, README и сору',
			'Ελλάδα x1 α_b',
			'日本語テキストをコピー',
			'Web検索 Wi-Fi설정 漢字한글 ㄅ注音',
			'שלום مرحبا हिन्दी',
			'x👍\u200By \uD800',
		]) {
			assert.equal(escapeMixedScripts(text), text);
		}
	});
});
