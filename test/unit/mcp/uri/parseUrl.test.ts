import * as assert from 'node:assert/strict';
import { textLimits } from '../../../../src/mcp/limits.js';
import { tryParseUrl } from '../../../../src/mcp/uri/parseUrl.js';

describe('tryParseUrl', () => {
	it('parses what the parser parses', () => {
		const long = 'a'.repeat(5000);
		const texts = [
			'https://a/b?c#d',
			`https://a/${long}`,
			`data:text/plain,${long}`,
			`urn:${long}`,
			`urn:a//${long}`,
			' https://a',
			'a',
			'',
		];
		assert.deepEqual(
			texts.map(it => tryParseUrl(it)?.href),
			texts.map(it => (URL.canParse(it) ? new URL(it).href : undefined)),
		);
		assert.equal(tryParseUrl(long, 'https://a/b')?.href, `https://a/${long}`);
		assert.equal(tryParseUrl('//c/d', 'https://a/b')?.href, 'https://c/d');
	});

	it('refuses a host that is longer than any, however its scheme is written', () => {
		const host = 'a'.repeat(2000);
		for (const before of [
			'https://',
			'HTTP:',
			'ws://',
			'file://',
			'\t https:\\\\',
			'ht\ntps://',
			'https:/\t/',
			'//',
			'\\/',
		]) {
			assert.equal(tryParseUrl(`${before}${host}/`, 'https://a'), undefined, JSON.stringify(before));
		}
		assert.equal(tryParseUrl(`https://u${' '.repeat(2000)}@a/`), undefined);
	});

	it('refuses what is longer than the limits, and nothing at them', () => {
		for (const [before, limit, after] of [
			['https://a/', textLimits.uri, ''],
			['https://', 'https://'.length + 1024, '@a/'],
		] as const) {
			const fill = 'b'.repeat(limit - before.length - (after === '' ? 0 : '@a'.length));
			assert.ok(tryParseUrl(before + fill + after), before);
			assert.equal(tryParseUrl(`${before}b${fill}${after}`), undefined, before);
		}
	});
});
