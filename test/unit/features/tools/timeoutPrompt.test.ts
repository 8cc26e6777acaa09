import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { TimeoutPrompt } from '../../../../src/features/tools/timeoutPrompt.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { window } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('TimeoutPrompt', () => {
	const { own } = leakCheck();
	/** `asked: …` for each message with buttons, `told: …` for each without, `stopped`. */
	let happened: string[];
	let answers: ((choice: string | undefined) => void)[];
	let isHeld: boolean;
	let prompt: TimeoutPrompt;
	beforeEach(() => {
		stopTime();
		happened = [];
		answers = [];
		isHeld = false;
		mock.method(window, 'showWarningMessage', (message: string) => {
			happened.push(`asked: ${message}`);
			return new Promise<string | undefined>(resolve => answers.push(resolve));
		});
		mock.method(window, 'showInformationMessage', (message: string) => {
			happened.push(`told: ${message}`);
			return Promise.resolve(undefined);
		});
		prompt = own(
			new TimeoutPrompt(
				'garden: water',
				5000,
				() => isHeld,
				() => happened.push('stopped'),
			),
		);
	});
	afterEach(() => releaseTime());

	async function pass(ms: number): Promise<void> {
		passTime(ms);
		await settled();
	}

	async function answer(turn: number, choice: string | undefined): Promise<void> {
		answers[turn]?.(choice);
		await settled();
	}

	const after = (silence: string): string => `asked: garden: water hasn't responded for ${silence}.`;
	const responded =
		'told: garden: water has responded since you were asked and is still running. To stop it, select Cancel in its progress notification.';

	it('asks after silence, and stops when the person says so', async () => {
		await pass(4999);
		prompt.heard();
		await pass(4999);
		assert.deepEqual(happened, []);
		await pass(1);
		await answer(0, 'Cancel Request');
		assert.deepEqual(happened, [after('5 s'), 'stopped']);
	});

	it('asks again once the person has waited longer, or closed the message', async () => {
		await pass(5000);
		await answer(0, 'Wait');
		await pass(59_999);
		assert.equal(happened.length, 1);
		await pass(1);
		await answer(1, undefined);
		await pass(60_000);
		assert.deepEqual(happened, [after('5 s'), after('60 s'), after('60 s')]);
	});

	it('has one message open, however often there is progress and silence', async () => {
		for (let turn = 0; turn < 3; turn++) {
			await pass(5000);
			prompt.heard();
		}
		assert.deepEqual(happened, [after('5 s')]);
		await answer(0, 'Wait');
		await pass(4999);
		assert.equal(happened.length, 1);
		await pass(1);
		assert.deepEqual(happened, [after('5 s'), after('5 s')]);
	});

	it('takes no Cancel Request that progress has overtaken, and says so', async () => {
		await pass(5000);
		prompt.heard();
		await answer(0, 'Cancel Request');
		assert.deepEqual(happened, [after('5 s'), responded]);
		await pass(5000);
		await answer(1, 'Cancel Request');
		assert.deepEqual(happened.slice(2), [after('5 s'), 'stopped']);
	});

	it('takes a Cancel Request after progress and as much silence again', async () => {
		await pass(5000);
		prompt.heard();
		await pass(5000);
		await answer(0, 'Cancel Request');
		assert.deepEqual(happened, [after('5 s'), 'stopped']);
	});

	it('asks nothing while the person is asked something else', async () => {
		isHeld = true;
		await pass(50_000);
		isHeld = false;
		assert.deepEqual(happened, []);
		await pass(5000);
		assert.deepEqual(happened, [after('5 s')]);
	});

	it('says that it is over to those who answer too late', async () => {
		await pass(5000);
		prompt.dispose();
		await answer(0, 'Cancel Request');
		assert.deepEqual(happened, [after('5 s'), 'told: garden: water has already ended.']);
		await pass(100_000);
		assert.equal(happened.length, 2);
	});
});
