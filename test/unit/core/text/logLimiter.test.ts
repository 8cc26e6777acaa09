import * as assert from 'node:assert/strict';
import { LogLimiter } from '../../../../src/core/text/logLimiter.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { passTime, releaseTime, setTime, stopTime } from '../../../support/stoppedClock.js';

describe('LogLimiter', () => {
	const { own } = leakCheck();
	let lines: string[];
	let limiter: LogLimiter;
	beforeEach(() => {
		stopTime(5000);
		lines = [];
		limiter = own(new LogLimiter((level, text) => lines.push(`${level}: ${text}`)));
	});
	afterEach(() => releaseTime());

	const flood = (count: number, text: (index: number) => string): void => {
		for (let index = 1; index <= count; index++) {
			limiter.add('debug', text(index));
		}
	};

	/** Another kind for each number. */
	const letters = (index: number): string =>
		String(index).replaceAll(/\d/g, it => String.fromCodePoint(103 + Number(it)));

	it('writes a hundred lines of a kind in ten seconds, and then how many more there were', () => {
		flood(412, index => `Ignored a response with id ${index}.`);
		assert.equal(lines.length, 100);
		assert.equal(lines.at(-1), 'debug: Ignored a response with id 100.');
		passTime(9999);
		assert.equal(lines.length, 100);
		passTime(1);
		assert.deepEqual(lines.slice(100), [
			'debug: … and 312 more in 10 s, the last one: Ignored a response with id 412.',
		]);
		limiter.add('debug', 'Ignored a response with id 413.');
		assert.equal(lines.at(-1), 'debug: Ignored a response with id 413.');
		passTime(20_000);
		assert.equal(lines.length, 102);
	});

	it('a flood of one kind hides no other, nor the same at another level', () => {
		flood(200, () => 'tick');
		limiter.add('debug', 'other');
		limiter.add('warn', 'tick');
		assert.deepEqual(lines.slice(100), ['debug: other', 'warn: tick']);
	});

	it('what is new each time is one kind beyond a hundred kinds', () => {
		flood(1100, letters);
		// A server may say much before it says why it ends.
		assert.equal(lines.length, 1100);
		flood(2000, letters);
		passTime(10_000);
		assert.deepEqual(lines.slice(1200), [`debug: … and 1900 more in 10 s, the last one: ${letters(2000)}`]);
	});

	it('a flood of what is new each time at one level hides none at another', () => {
		flood(2000, letters);
		limiter.add('error', 'The server has ended.');
		assert.equal(lines.at(-1), 'error: The server has ended.');
	});

	it('counts also when its timer comes late, and tells before the end what was counted last', () => {
		flood(101, () => 'tick');
		setTime(30_000);
		flood(102, () => 'tick');
		limiter.dispose();
		limiter.dispose();
		const counts = lines.filter(it => it.includes('…'));
		assert.deepEqual(counts, [
			'debug: … and 1 more in 10 s, the last one: tick',
			'debug: … and 2 more in 10 s, the last one: tick',
		]);
		assert.equal(lines.length, 202);
	});
});
