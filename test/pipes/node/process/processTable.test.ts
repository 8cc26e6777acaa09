// What the system is asked once for many servers: within one turn of the event loop, and never across a signal.
import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
	listProcesses,
	type ProcessSource,
	signalProcess,
	TurnCache,
} from '../../../../src/node/process/processTable.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { skip } from '../../../support/skip.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('a list of processes', () => {
	const cleanup = leakCheck();
	beforeEach(() => stopTime());
	afterEach(releaseTime);

	it('is asked for once in a turn of the event loop, and again in the next, when told and after a while', async () => {
		const asked: string[] = [];
		const source: ProcessSource = {
			platform: 'linux',
			readText: path => `${asked.push(path)}`,
			readFolder: path => [`${asked.push(path)}`],
			run: command => `${asked.push(command)}`,
		};
		const cache = new TurnCache(source);
		const askAll = (): unknown[] => [
			cache.readFolder('/a'),
			cache.readText('/a'),
			cache.run('a', ['b']),
			cache.platform,
		];
		const first = [['1'], '2', '3', 'linux'];
		assert.deepEqual([askAll(), askAll()], [first, first]);
		await nextTurn();
		assert.deepEqual(askAll(), [['4'], '5', '6', 'linux']);
		cache.forget();
		assert.deepEqual(askAll(), [['7'], '8', '9', 'linux']);
		passTime(101);
		assert.deepEqual(askAll(), [['10'], '11', '12', 'linux']);
		await nextTurn();
	});

	it('keeps no failure', () => {
		const texts: string[] = [];
		const fail = (): never => {
			throw new Error('ENOENT');
		};
		const cache = new TurnCache({ platform: 'linux', readText: () => texts[0] ?? fail(), readFolder: fail, run: fail });
		assert.throws(() => cache.readText('/proc/2/stat'));
		texts.push('a');
		assert.equal(cache.readText('/proc/2/stat'), 'a');
	});

	it('is another after a signal, and in the next turn', async function () {
		if (process.platform !== 'linux') {
			skip(this, 'processes are listed by other means');
		}
		const start = (): number => {
			const child = spawn('sleep', ['60'], { stdio: 'ignore' });
			cleanup.later(async () => child.kill('SIGKILL'));
			return child.pid ?? 0;
		};
		await nextTurn();
		const [one, isListed] = [start(), (pid: number): boolean => listProcesses().some(it => it.pid === pid)];
		assert.equal(isListed(one), true);
		const two = start();
		assert.equal(isListed(two), false);
		assert.equal(signalProcess(one, 'SIGKILL'), true);
		assert.equal(isListed(two), true);
		const three = start();
		assert.equal(isListed(three), false);
		await nextTurn();
		assert.equal(isListed(three), true);
	});
});
