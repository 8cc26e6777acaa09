import * as assert from 'node:assert/strict';
import { runInWindows } from '../../host/runWindow.js';

describe('suites that share a window', () => {
	/** @param bad each letter fails once @returns what each window was opened for, and what failed twice */
	async function run(...bad: string[]): Promise<{ windows: string[]; failed: string[] }> {
		const windows: string[] = [];
		const failed = await runInWindows(['a', 'b', 'c', 'd'], them => {
			windows.push(them.join(''));
			const first = them.findIndex(it => bad.includes(it));
			if (first === -1) {
				return Promise.resolve(them.length);
			}
			bad.splice(bad.indexOf(them[first] ?? ''), 1);
			return Promise.resolve(first);
		});
		return { windows, failed };
	}

	it('need one', async () => {
		assert.deepEqual(await run(), { windows: ['abcd'], failed: [] });
	});

	it('have a new one after each that failed, which is run there once more', async () => {
		assert.deepEqual(await run('a', 'c'), { windows: ['abcd', 'abcd', 'cd'], failed: [] });
	});

	it('have another one without a suite that failed twice', async () => {
		assert.deepEqual(await run('b', 'b', 'c'), { windows: ['abcd', 'bcd', 'cd', 'cd'], failed: ['b'] });
	});

	it('open none for nothing, where the last one failed twice', async () => {
		assert.deepEqual(await run('d', 'd'), { windows: ['abcd', 'd'], failed: ['d'] });
	});
});
