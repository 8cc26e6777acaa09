// Points in time, as every view shows them.
import * as assert from 'node:assert/strict';
import { describeClock, describeDateTime, describeTime } from '../../../../src/editor/l10n/timeText.js';

describe('words for a point in time', () => {
	const time = new Date(2026, 10, 28, 14, 5, 9, 120).getTime();

	it('have 24 hours, with the date only on other days', () => {
		const words = [describeTime(time, time), describeClock(time), describeDateTime(time), describeTime(time, 0)];
		assert.deepEqual(words, ['14:05:09', '14:05:09.120', 'Nov 28, 2026, 14:05', 'Nov 28, 2026, 14:05']);
	});
});
