import * as assert from 'node:assert/strict';
import { type Noise, NoiseFilter } from '../../../../src/node/process/noiseFilter.js';

function told(lines: readonly string[]): Noise[] {
	const filter = new NoiseFilter();
	return lines.map(it => filter.accept(it)).filter(it => it !== undefined);
}

describe('NoiseFilter', () => {
	it('tells the first of each kind, whatever the numbers in it are', () => {
		assert.deepEqual(
			told([
				'Listening on port 3000',
				'[2026-01-02T10:20:30.123Z] request 1',
				'[2026-01-02T10:20:31.456Z] request 22',
				'session 0f8fad5b-d9cb-469f-a165-70867728950e opened',
				'session 7c9e6679-7425-40de-944b-e07fc1f90ae7 opened',
				'Listening on port 3001',
				'\tat 0xdeadbeef',
				'  at 0xcafe',
				'{"half":',
			]).map(it => it.text),
			[
				'Listening on port 3000',
				'[2026-01-02T10:20:30.123Z] request 1',
				'session 0f8fad5b-d9cb-469f-a165-70867728950e opened',
				'\tat 0xdeadbeef',
				'{"half":',
			],
		);
	});

	it('tells the others now and then, with their number', () => {
		const lines = Array.from({ length: 12_345 }, (_, at) => `line ${at + 1}`);
		assert.deepEqual(told(lines), [
			{ text: 'line 1' },
			{ text: 'line 10', count: 10 },
			{ text: 'line 100', count: 100 },
			{ text: 'line 1000', count: 1000 },
			{ text: 'line 10000', count: 10_000 },
		]);
	});

	it('remembers few kinds, though every line may be new', () => {
		const letters = (at: number): string => at.toString(26).replaceAll(/\d/g, it => 'qrstuvwxyz'.charAt(Number(it)));
		const lines = Array.from({ length: 10_000 }, (_, at) => `${letters(at)}.`);
		const counts = told(lines).map(it => it.count);
		assert.deepEqual(counts, [...Array.from({ length: 21 }, () => undefined), 10, 100, 1000]);
	});
});
