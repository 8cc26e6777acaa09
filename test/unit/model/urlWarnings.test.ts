import * as assert from 'node:assert/strict';
import { warningsOfUrl } from '../../../src/model/urlWarnings.js';

describe('what is strange about an address', () => {
	const cases: readonly (readonly [string, readonly string[]])[] = [
		['https://example.com/sign-in?x=1', []],
		['http://localhost:8080/', []],
		['http://127.0.0.1/', []],
		['http://[::1]/', []],
		['http://app.localhost/', []],
		['https://github.com@evil.example/', ['userInfo']],
		['https://:secret@evil.example/', ['userInfo']],
		['https://xn--pple-43d.com/', ['punycode']],
		['https://аpple.com/', ['punycode']],
		['https://login.xn--pple-43d.com/', ['punycode']],
		['https://93.184.216.34/', ['address']],
		['https://[2001:db8::1]/', ['address']],
		// A browser reads a number as an address.
		['https://1572395042/', ['address']],
		['http://example.com/', ['notEncrypted']],
		['http://me@xn--pple-43d.com/', ['userInfo', 'punycode', 'notEncrypted']],
	];
	for (const [url, expected] of cases) {
		it(url, () =>
			assert.deepEqual(
				warningsOfUrl(new URL(url)).map(it => it.kind),
				expected,
			),
		);
	}
});
