import * as assert from 'node:assert/strict';
import { base64Size, tryDecodeBase64 } from '../../../src/base/base64.js';

describe('base64 of servers', () => {
	it('is decoded, whatever its length', () => {
		for (let length = 0; length < 12; length++) {
			const bytes = Uint8Array.from({ length }, (_, index) => 255 - index);
			const text = Buffer.from(bytes).toString('base64');
			assert.deepEqual(tryDecodeBase64(text), bytes);
			assert.equal(base64Size(text), length);
			assert.equal(base64Size(text.replace(/=+$/, '')), length);
		}
		assert.deepEqual(tryDecodeBase64('AAEC\r\nAwQ'), Uint8Array.of(0, 1, 2, 3, 4));
	});

	for (const text of ['not base64!', 'A', 'AA=A', 'A===', 'AAA-', '\u00E4\u00E4\u00E4\u00E4', '====']) {
		it(`is refused where it is none: ${text}`, () => assert.equal(tryDecodeBase64(text), undefined));
	}
});
