// Whether something that is done again and again makes this process grow.
import * as assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settled } from '../waiting.js';

/** Megabytes: what the engine keeps of code and of its own, and no more. */
const maxGrowth = 4;

/** Does it so many times; the first few are what it takes to get going. */
export async function assertNoGrowth(rounds: number, round: () => Promise<void>): Promise<void> {
	const collect = garbageCollector();
	const warmUp = Math.max(1, Math.floor(rounds / 5));
	for (let count = 0; count < warmUp; count++) {
		await round();
	}
	const before = await usedMb(collect);
	for (let count = warmUp; count < rounds; count++) {
		await round();
	}
	const grown = (await usedMb(collect)) - before;
	assert.ok(grown < maxGrowth, `${grown.toFixed(1)} MB more after ${rounds} rounds than after ${warmUp}`);
}

async function usedMb(collect: () => void): Promise<number> {
	for (let turn = 0; turn < 3; turn++) {
		await settled();
		collect();
	}
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 2 ** 20;
}

/** Makes the collector callable; its callers decide when memory is collected. */
export function garbageCollector(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc') as () => void;
}
