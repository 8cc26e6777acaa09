/** Finds out whether the cost of a function grows faster than its text. */
import { setTimeout as delay } from 'node:timers/promises';

/** Lengths, at first in small steps: what grows exponentially must be seen before it never returns. */
const lengths = [16, 22, 28, 34, 40, 46, 52, 60, 70, 80, 100, 150, 400, 6000] as const;
/** Milliseconds below which nothing is concluded. A quadratic cost at the last length is several times that. */
const floor = 5;
/** Texts are compared with others of a sixteenth of their length: a linear cost grows 16-fold, a quadratic one 256-fold. */
const step = 16;
const tolerated = 64;

export interface Growth {
	readonly length: number;
	/** How much more it costs than a sixteenth of the text. */
	readonly factor: number;
}

/** How the cost grows, if it grows faster than linearly; `undefined` for what is linear or costs nothing. */
export async function findGrowth(
	run: (text: string) => unknown,
	textOf: (length: number) => string,
): Promise<Growth | undefined> {
	for (const length of lengths) {
		const text = textOf(length);
		const shorter = textOf(Math.ceil(length / step));
		// Most are found harmless at once; the others are looked at closely.
		let factor = await factorOf(run, shorter, text, 1);
		for (let looks = 0; looks < 5 && factor > tolerated / 2; looks++) {
			// A garbage collection on other threads of this process counts, and may take as long.
			await delay(looks * 25);
			factor = Math.min(factor, await factorOf(run, shorter, text, 3));
		}
		if (factor > tolerated) {
			return { length, factor: Math.round(factor) };
		}
	}
	return undefined;
}

/** The least of several of both: other work of this machine only ever adds to it. */
async function factorOf(run: (text: string) => unknown, shorter: string, text: string, times: number): Promise<number> {
	let before = Infinity;
	let cost = Infinity;
	for (let count = 0; count < times; count++) {
		cost = Math.min(cost, await costOf(run, text));
		if (cost <= floor) {
			return 0;
		}
		before = Math.min(before, await costOf(run, shorter), await costOf(run, shorter));
	}
	return cost / Math.max(before, 0.001);
}

/** Milliseconds of this process, so that others on this machine cost nothing. */
async function costOf(run: (text: string) => unknown, text: string): Promise<number> {
	const start = process.cpuUsage();
	const result = run(text);
	if (result instanceof Promise) {
		await result;
	}
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
}
