import * as assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { DeadlineValidator, type SchemaCheck, type SchemaEngine } from '../../../../src/mcp/schema/validator.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { passTime, releaseTime, stopTime, waitingTimers } from '../../../support/stoppedClock.js';
import { settled } from '../../../support/waiting.js';

describe('DeadlineValidator', () => {
	const { own } = leakCheck();

	const valid: SchemaCheck = { kind: 'valid' };
	const tooSlow: SchemaCheck = { kind: 'unchecked', why: 'tooSlow', detail: '' };
	/** What happens, in order: `start`, `check <value>`, `end`. */
	let steps: string[];
	/** The check that runs. */
	let running: { readonly didStart: () => void; readonly answer: Deferred<SchemaCheck> };
	let validator: DeadlineValidator;

	const start = (): SchemaEngine => {
		steps.push('start');
		return {
			check: (_, value, didStart) => {
				steps.push(`check ${value}`);
				running = { didStart, answer: deferred() };
				return running.answer.promise;
			},
			dispose: () => void steps.push('end'),
		};
	};

	beforeEach(() => {
		stopTime();
		steps = [];
		validator = own(new DeadlineValidator(start));
	});
	afterEach(releaseTime);

	it('checks one value after another in one engine, which ends when idle for a minute', async () => {
		const checks = [validator.check({}, 1), validator.check({}, 2)];
		await settled();
		assert.deepEqual(steps, ['start', 'check 1']);
		running.answer.resolve(valid);
		await checks[0];
		await settled();
		running.answer.resolve({ kind: 'invalid', problems: [], complete: true });
		assert.deepEqual(await Promise.all(checks), [valid, { kind: 'invalid', problems: [], complete: true }]);
		assert.deepEqual(steps.splice(0), ['start', 'check 1', 'check 2']);
		passTime(59_999);
		assert.deepEqual(steps, []);
		passTime(1);
		assert.deepEqual(steps.splice(0), ['end']);
		const again = validator.check({}, 3);
		await settled();
		running.answer.resolve(valid);
		assert.deepEqual([await again, steps], [valid, ['start', 'check 3']]);
	});

	it('is not idle while it checks', async () => {
		for (const wait of [59_999, 1]) {
			const check = validator.check({}, wait);
			await settled();
			passTime(1);
			running.answer.resolve(valid);
			assert.deepEqual(await check, valid);
			passTime(wait);
		}
		assert.deepEqual(steps, ['start', 'check 59999', 'check 1']);
	});

	// covers: schema.bounded
	it('ends a check that takes too long from its own start, and does not try its schema again', async () => {
		const schema = {};
		const checks = [validator.check(schema, 1), validator.check(schema, 2), validator.check({}, 3)];
		await settled();
		// The thread is still starting.
		passTime(10_000);
		running.didStart();
		passTime(499);
		assert.deepEqual(steps, ['start', 'check 1']);
		passTime(1);
		assert.deepEqual(await Promise.all(checks.slice(0, 2)), [tooSlow, tooSlow]);
		await settled();
		assert.deepEqual(steps, ['start', 'check 1', 'end', 'start', 'check 3']);
		running.didStart();
		running.answer.resolve(valid);
		assert.deepEqual([await checks[2], await validator.check(schema, 4)], [valid, tooSlow]);
		assert.deepEqual(waitingTimers(), [60_000], 'no deadline waits any more');
	});

	it('leaves alone what is too large, or no JSON', async () => {
		const cyclic: Record<string, unknown> = {};
		cyclic['a'] = cyclic;
		const whys = [
			await validator.check({ a: 'x'.repeat(500_000) }, 'x'.repeat(500_000)),
			await validator.check({}, cyclic),
		];
		assert.deepEqual(
			whys.map(it => it.kind === 'unchecked' && it.why),
			['tooLarge', 'tooDeep'],
		);
		assert.deepEqual(steps, []);
	});

	it('says so where the engine cannot start or ends by itself, and tries again', async () => {
		const failing = own(
			new DeadlineValidator(() => {
				throw new Error('no thread');
			}),
		);
		assert.deepEqual(await failing.check({}, 1), { kind: 'unchecked', why: 'unavailable', detail: 'Error: no thread' });
		const check = validator.check({}, 1);
		await settled();
		running.answer.reject(new Error('crashed'));
		assert.deepEqual(await check, { kind: 'unchecked', why: 'unavailable', detail: 'Error: crashed' });
		assert.deepEqual(steps.splice(0), ['start', 'check 1', 'end']);
		const again = validator.check({}, 2);
		await settled();
		running.answer.resolve(valid);
		assert.deepEqual([await again, steps], [valid, ['start', 'check 2']]);
	});

	it('starts nothing any more when it is disposed', async () => {
		validator.dispose();
		assert.deepEqual(await validator.check({}, 1), { kind: 'unchecked', why: 'unavailable', detail: 'disposed' });
		assert.deepEqual(steps, []);
	});
});
