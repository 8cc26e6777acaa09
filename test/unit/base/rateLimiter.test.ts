import * as assert from 'node:assert/strict';
import { RateLimiter } from '../../../src/base/rateLimiter.js';
import { leakCheck } from '../../support/leakCheck.js';
import { passTime, releaseTime, setTime, stopTime } from '../../support/stoppedClock.js';

describe('RateLimiter', () => {
	const { own } = leakCheck();
	beforeEach(() => stopTime(5000));
	afterEach(() => releaseTime());

	function gate(perSecond: number): { pass: (times: number) => number; told: number[]; dispose: () => void } {
		const told: number[] = [];
		const it = own(new RateLimiter({ max: perSecond, periodMs: 1000 }, count => told.push(count)));
		const pass = (times: number): number => Array.from({ length: times }, () => it.pass()).filter(Boolean).length;
		return { pass, told, dispose: () => it.dispose() };
	}

	it('lets a limited number through in each second, and reports the number of the others', () => {
		const { pass, told } = gate(3);
		assert.deepEqual([pass(2), pass(5), told], [2, 1, []]);
		passTime(999);
		assert.deepEqual([pass(1), told], [0, []]);
		passTime(1);
		assert.deepEqual([pass(4), told], [3, [5]]);
		passTime(1000);
		assert.deepEqual(told, [5, 1], 'though nothing follows');
		passTime(10_000);
		assert.deepEqual([pass(3), told], [3, [5, 1]]);
	});

	it('counts what was dropped also when its timer comes late', () => {
		const { pass, told } = gate(1);
		pass(3);
		setTime(6000);
		assert.deepEqual([pass(1), told], [1, [2]]);
	});

	it('counts each kind on its own, and an event by its cost', () => {
		const told: unknown[] = [];
		const limiter = own(
			new RateLimiter<'a' | 'b'>({ max: 2, periodMs: 1000 }, (count, kind) => told.push([kind, count])),
		);
		const passed = (['a', 'a', 'a', 'b'] as const).map(it => limiter.pass(it));
		assert.deepEqual([passed, limiter.pass('b', 3), limiter.pass('b')], [[true, true, false, true], true, false]);
		passTime(1000);
		assert.deepEqual(told, [
			['a', 1],
			['b', 1],
		]);
	});

	it('0 lets everything through; the end tells what was dropped last', () => {
		assert.equal(gate(0).pass(10_000), 10_000);
		const { pass, told, dispose } = gate(1);
		pass(2);
		dispose();
		dispose();
		passTime(5000);
		assert.deepEqual(told, [1]);
	});
});
