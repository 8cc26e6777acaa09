import * as assert from 'node:assert/strict';
import { Throttler } from '../../../../src/editor/tree/tree.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Throttler', () => {
	const { own } = leakCheck();
	const [a, b] = [{ name: 'a' }, { name: 'b' }];
	let passed: string[];
	let throttler: Throttler<{ name: string }>;
	beforeEach(() => {
		stopTime();
		passed = [];
		throttler = own(new Throttler(1000, things => passed.push(things.map(it => it.name).join())));
	});
	afterEach(() => releaseTime());

	it('passes on at once, and what comes soon after once in a while, the last of it too', () => {
		throttler.ask([a, b]);
		assert.deepEqual(passed, ['a,b']);
		for (let time = 0; time < 25; time++) {
			passTime(100);
			throttler.ask([a]);
		}
		assert.deepEqual(passed, ['a,b', 'a', 'a']);
		passTime(10_000);
		assert.deepEqual(passed, ['a,b', 'a', 'a', 'a']);
		throttler.ask([b]);
		assert.deepEqual(passed.at(-1), 'b');
	});

	it('passes on nothing that was dropped, or after its end', () => {
		throttler.ask([a, b]);
		throttler.ask([a, b]);
		throttler.drop(it => it === a);
		passTime(1000);
		assert.deepEqual(passed, ['a,b', 'b']);
		throttler.ask([b]);
		throttler.dispose();
		throttler.ask([a, b]);
		passTime(1000);
		assert.deepEqual(passed, ['a,b', 'b']);
	});
});
