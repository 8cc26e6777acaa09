/**
 * Limits reports of stdout lines that aren't messages. A server that logs to stdout does so for every request, so only some
 * lines of each kind are reported.
 */
import { kindOfLine } from '../../base/lineKind.js';

/** A line that isn't a message. */
export interface Noise {
	readonly text: string;
	/** Lines of this kind so far; absent for the first. */
	readonly count?: number;
}

/** Kinds that are counted; lines of further kinds are counted together. */
const maxKinds = 20;
const others = '';

export class NoiseFilter {
	private readonly counts = new Map<string, number>();

	/** The report for a line: of each kind the first line, the 10th, the 100th, … */
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
