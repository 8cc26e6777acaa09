import * as assert from 'node:assert/strict';
import { retryAfterMs } from '../../../../src/mcp/transport/httpBody.js';

describe('retryAfterMs', () => {
	const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
	const table: readonly (readonly [status: number, value: string | undefined, ms: number | undefined])[] = [
		[429, '0', 0],
		[503, ' 120 ', 120_000],
		[429, 'Wed, 21 Oct 2026 07:28:05 GMT', 5000],
		[503, 'Wednesday, 21-Oct-26 07:29:00 GMT', 60_000],
		[503, 'Wed, 21 Oct 2020 07:28:00 GMT', 0],
		[429, undefined, undefined],
		[429, '', undefined],
		[429, 'soon', undefined],
		[429, '9'.repeat(400), undefined],
		[500, '120', undefined],
		[200, '120', undefined],
	];
	for (const [status, value, ms] of table) {
		it(`${status} ${value?.slice(0, 40)}`, () => {
			const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value };
			const response = { status, headers, read: () => Promise.resolve(), discard: () => undefined };
			assert.equal(retryAfterMs(response, now), ms);
		});
	}
});
