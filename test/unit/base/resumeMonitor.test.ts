import * as assert from 'node:assert/strict';
import { clock } from '../../../src/base/clock.js';
import { createResumeMonitor } from '../../../src/base/resumeMonitor.js';
import { leakCheck } from '../../support/leakCheck.js';
import { passTime, releaseTime, stopTime } from '../../support/stoppedClock.js';

describe('createResumeMonitor', () => {
	const { own } = leakCheck();
	/** The lead of the wall clock over the clock of the timers. */
	let ahead = 0;
	const now = (): number => clock.now() + ahead;
	const happened: string[] = [];

	beforeEach(() => {
		stopTime();
		ahead = 0;
		happened.length = 0;
	});
	afterEach(() => releaseTime());

	/** In steps of a second, because the mocked clock shows the end of a step while its timers run. */
	function pass(ms: number): void {
		for (let passed = 0; passed < ms; passed += 1000) {
			passTime(1000);
		}
	}

	function listen(network = () => '') {
		return own(createResumeMonitor(network, now)(() => happened.push('woke')));
	}

	it('notices within a second that the wall clock continued without the timers', () => {
		listen();
		pass(20_000);
		assert.deepEqual(happened, []);
		ahead += 3_600_000;
		pass(1000);
		assert.deepEqual(happened, ['woke']);
		pass(60_000);
		assert.deepEqual(happened, ['woke']);
	});

	it('ignores a busy machine, and a clock that is set back', () => {
		listen();
		ahead += 9000;
		pass(1000);
		ahead -= 86_400_000;
		pass(60_000);
		assert.deepEqual(happened, []);
	});

	it('notices a change of the network within seconds', () => {
		let network = 'a';
		listen(() => network);
		pass(30_000);
		assert.deepEqual(happened, []);
		network = 'b';
		pass(5000);
		assert.deepEqual(happened, ['woke']);
		// Every change of the network fires the event.
		network = '';
		pass(5000);
		network = 'b';
		pass(5000);
		assert.equal(happened.length, 3);
	});

	it('checks only while there is a listener', () => {
		let looks = 0;
		const network = (): string => {
			looks++;
			return 'a';
		};
		const onDidWake = createResumeMonitor(network, now);
		pass(60_000);
		assert.equal(looks, 0);
		const first = onDidWake(() => happened.push('first'));
		const second = onDidWake(() => happened.push('second'));
		pass(10_000);
		assert.equal(looks, 6);
		first.dispose();
		ahead += 60_000;
		pass(1000);
		assert.deepEqual(happened, ['second']);
		second.dispose();
		const before = looks;
		ahead += 60_000;
		pass(60_000);
		assert.deepEqual([happened, looks], [['second'], before]);
		// A jump without listeners is not reported later.
		own(onDidWake(() => happened.push('third')));
		pass(10_000);
		assert.deepEqual(happened, ['second']);
	});
});
