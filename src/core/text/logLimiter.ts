/**
 * Limits how often lines of one kind are written to a server's log; further lines are counted. Each kind has its own
 * limit, so that a flood of one kind hides no other.
 */
import { kindOfLine } from '../../base/lineKind.js';
import { Owner } from '../../base/lifecycle.js';
import { Period } from '../../base/period.js';
import { shorten } from '../../base/trim.js';

export type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const periodMs = 10_000;
/** Lines of one kind that are written in each period. */
const maxLines = 100;
/** Further kinds of a level share one limit, because a server can write a new kind of line each time. */
const maxKinds = 100;
/** Lines of further kinds that are written in each period. The last of many different lines often say why a server ended. */
const maxOthers = 1000;
/** Characters that are written of the last line that was left out. */
const maxLastLength = 100;

/** The lines of one kind in the current period. */
interface Kind {
	lines: number;
	leftOut: number;
	last: string;
	readonly level: LineLevel;
	readonly maxLines: number;
}

export class LogLimiter extends Owner {
	private readonly period = this.own(new Period(periodMs, () => this.writeCounts()));
	private kinds = new Map<string, Kind>();

	constructor(private readonly write: (level: LineLevel, text: string) => void) {
		super();
	}

	/** Writes a line, or counts it. Writes the counts at the end of the period. */
	add(level: LineLevel, text: string): void {
		this.period.enter();
		const kind = this.kindOf(level, text);
		kind.lines++;
		if (kind.lines <= kind.maxLines) {
			this.write(level, text);
			return;
		}
		kind.leftOut++;
		kind.last = shorten(text, maxLastLength);
		this.period.schedule();
	}

	private kindOf(level: LineLevel, text: string): Kind {
		const own = `${level} ${kindOfLine(text)}`;
		const key = this.kinds.has(own) || this.kinds.size < maxKinds ? own : level;
		const kind = this.kinds.get(key) ?? {
			lines: 0,
			leftOut: 0,
			last: '',
			level,
			maxLines: key === own ? maxLines : maxOthers,
		};
		this.kinds.set(key, kind);
		return kind;
	}

	private writeCounts(): void {
		const { kinds } = this;
		this.kinds = new Map();
		for (const { level, leftOut, last } of kinds.values()) {
			if (leftOut > 0) {
				this.write(level, `… and ${leftOut} more in ${periodMs / 1000} s, the last one: ${last}`);
			}
		}
	}
}
