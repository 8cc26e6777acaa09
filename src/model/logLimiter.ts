/**
 * Between a server and its log: what a server can bring about any number of times is written some times, and then
 * counted. Each kind of line is counted by itself, so that a flood of one hides no other.
 */
import { kindOfLine } from '../base/lineKind.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../base/lifecycle.js';

export type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const windowMs = 10_000;
/** Lines of a kind that are written in each window. */
const maxLines = 100;
/** Beyond these, all kinds of a level are one: a server may write something new each time. */
const maxKinds = 100;
/** Lines of all those that are written in each window: the last of many ordinary ones often say why a server has ended. */
const maxOthers = 1000;
/** Of the line that was left out last. */
const maxShown = 100;

/** What one window has seen of a kind. */
interface Kind {
	lines: number;
	leftOut: number;
	last: string;
	readonly level: LineLevel;
	readonly maxLines: number;
}

export class LogLimiter extends Owner {
	private readonly closing = this.own(new MutableDisposable<Disposable>());
	private windowEnd = -Infinity;
	private kinds = new Map<string, Kind>();

	constructor(private readonly write: (level: LineLevel, text: string) => void) {
		super();
	}

	/** Writes a line, or counts it; what was counted is written at the end of ten seconds. */
	add(level: LineLevel, text: string): void {
		// Not the time of day, which may be set back by an hour.
		const now = performance.now();
		if (now >= this.windowEnd) {
			this.close();
			this.windowEnd = now + windowMs;
		}
		const kind = this.kindOf(level, text);
		kind.lines++;
		if (kind.lines <= kind.maxLines) {
			this.write(level, text);
			return;
		}
		kind.leftOut++;
		kind.last = text.slice(0, maxShown);
		if (!this.closing.value) {
			// Nothing may follow: the count is written all the same.
			const timer = setTimeout(() => this.close(), this.windowEnd - now);
			this.closing.value = toDisposable(() => clearTimeout(timer));
		}
	}

	/** What was counted last is written before the end. */
	override dispose(): void {
		this.close();
		super.dispose();
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

	private close(): void {
		const { kinds } = this;
		this.closing.value = undefined;
		this.kinds = new Map();
		this.windowEnd = -Infinity;
		for (const { level, leftOut, last } of kinds.values()) {
			if (leftOut > 0) {
				this.write(level, `… and ${leftOut} more in ${windowMs / 1000} s, the last one: ${last}`);
			}
		}
	}
}
