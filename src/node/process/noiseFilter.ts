/**
 * What a server writes to stdout beside messages is told once a kind: one that logs there does it with every
 * request, and the first line says all there is to know. PURE but for what it remembers.
 */

import { kindOfLine } from '../../base/lineKind.js';

/** A line that is no message. */
export interface Noise {
	readonly text: string;
	/** How many lines of this kind there were by now; absent at the first. */
	readonly count?: number;
}

/** Beyond these, all kinds are one: a server may write something new each time. */
const maxKinds = 20;
const others = '';

export class NoiseFilter {
	private readonly counts = new Map<string, number>();

	/** What to tell of this line: the first of its kind, then the 10th, the 100th, … */
	accept(text: string): Noise | undefined {
		const own = kindOfLine(text);
		const kind = this.counts.has(own) || this.counts.size < maxKinds ? own : others;
		const count = (this.counts.get(kind) ?? 0) + 1;
		this.counts.set(kind, count);
		if (count === 1) {
			return { text };
		}
		return Number.isInteger(Math.log10(count)) ? { text, count } : undefined;
	}
}
