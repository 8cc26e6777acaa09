import * as assert from 'node:assert/strict';
import { runSuites } from '../../host/runWindow.js';

describe('suites that share a window', () => {
	const suites = ['a', 'b', 'c', 'd'].map(name => ({ name, folder: name }));

	/** @returns what each window was opened for, and what failed */
	async function run(...bad: readonly string[]): Promise<{ windows: string[]; failed: string[] }> {
		const windows: string[] = [];
		const failed = await runSuites(suites, them => {
			windows.push(them.map(it => it.name).join(''));
			const first = them.findIndex(it => bad.includes(it.name));
			return Promise.resolve(first === -1 ? them.length : first);
		});
		return { windows, failed: failed.map(it => it.name) };
	}

	it('need one', async () => {
		assert.deepEqual(await run(), { windows: ['abcd'], failed: [] });
	});

	it('have a new one after each that failed', async () => {
		assert.deepEqual(await run('a', 'c'), { windows: ['abcd', 'bcd', 'd'], failed: ['a', 'c'] });
	});

	it('open none for nothing, where the last one failed', async () => {
		assert.deepEqual(await run('d'), { windows: ['abcd'], failed: ['d'] });
	});
});
