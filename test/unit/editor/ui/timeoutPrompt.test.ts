import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { TimeoutPrompt } from '../../../../src/editor/ui/progress.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { window } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('TimeoutPrompt', () => {
	const { own } = leakCheck();
	/** `asked: …` for each message, `stopped`. */
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

	it('has one message open, also after progress and as much silence again', async () => {
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
});
