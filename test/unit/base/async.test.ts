import * as assert from 'node:assert/strict';
import { debounce, deferred, onAbort, Sequencer, within } from '../../../src/base/async.js';
import { AbortError, isAbort, toMessage } from '../../../src/base/errors.js';
import { leakCheck } from '../../support/leakCheck.js';
import { settled } from '../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../support/stoppedClock.js';

describe('async', () => {
	const { own } = leakCheck();

	it('onAbort calls once, at once if it is too late, never after it was disposed', () => {
		const lines: string[] = [];
		const controller = new AbortController();
		own(onAbort(controller.signal, () => lines.push('kept')));
		onAbort(controller.signal, () => lines.push('dropped')).dispose();
		controller.abort();
		own(onAbort(controller.signal, () => lines.push('late')));
		assert.deepEqual(lines, ['kept', 'late']);
	});

	it('within gives what comes in time, and undefined otherwise', async () => {
		const failure = new Error('failed');
		assert.equal(await within(Promise.resolve('value'), 1000), 'value');
		assert.equal(await within(new Promise(() => undefined), 1), undefined);
		await assert.rejects(within(Promise.reject(failure), 1000), failure);
	});

	it('debounce calls once after a burst, and again after the next', async () => {
		let called = deferred<void>();
		let calls = 0;
		const it = own(
			debounce(5, () => {
				calls++;
				called.resolve();
			}),
		);
		for (let round = 1; round <= 2; round++) {
			called = deferred<void>();
			for (let i = 0; i < 7; i++) {
				it.schedule();
			}
			await called.promise;
			assert.equal(calls, round);
		}
	});

	it('debounce never calls after it was disposed', async () => {
		let calls = 0;
		stopTime();
		try {
			const it = debounce(1, () => calls++);
			it.schedule();
			it.dispose();
			it.schedule();
			passTime(10);
		} finally {
			releaseTime();
		}
		assert.equal(calls, 0);
	});

	it('Sequencer gives up the wait of who does not want a turn any more, and does not begin the task', async () => {
		const sequencer = new Sequencer();
		const gate = deferred<void>();
		const lines: string[] = [];
		const stop = new AbortController();
		const first = sequencer.run(() => gate.promise);
		const dropped = sequencer.run(async () => lines.push('dropped'), stop.signal);
		const last = sequencer.run(async () => lines.push('last'));
		stop.abort();
		await assert.rejects(dropped, AbortError);
		assert.deepEqual(lines, []);
		gate.resolve();
		await Promise.all([first, last]);
		assert.deepEqual(lines, ['last']);
	});

	it('Sequencer runs one task after another, whatever becomes of the one before', async () => {
		const sequencer = new Sequencer();
		const lines: string[] = [];
		const gate = deferred<void>();
		const task =
			(name: string, fail = false) =>
			async (): Promise<string> => {
				lines.push(`${name} begins`);
				await gate.promise;
				lines.push(`${name} ends`);
				if (fail) {
					throw new Error(name);
				}
				return name;
			};
		const results = Promise.allSettled([sequencer.run(task('a', true)), sequencer.run(task('b'))]);
		await settled();
		assert.deepEqual(lines, ['a begins']);
		gate.resolve();
		assert.deepEqual(
			(await results).map(it => it.status),
			['rejected', 'fulfilled'],
		);
		assert.deepEqual(lines, ['a begins', 'a ends', 'b begins', 'b ends']);
	});
});

describe('errors', () => {
	it('tells aborts from failures', () => {
		const platform = AbortSignal.abort().reason as unknown;
		const timeout = new DOMException('too late', 'TimeoutError');
		assert.deepEqual([new AbortError(), platform, timeout, new Error('x'), 'AbortError', undefined].map(isAbort), [
			true,
			true,
			false,
			false,
			false,
			false,
		]);
	});

	it('finds a text for anything that was thrown', () => {
		assert.deepEqual([new Error('text'), 'plain', 5, null, undefined].map(toMessage), [
			'text',
			'plain',
			'5',
			'null',
			'undefined',
		]);
	});
});
