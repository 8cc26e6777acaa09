/**
 * Patterns of servers, run by an engine whose time grows with the length of the text and never explodes. RE2's syntax
 * and JavaScript's look alike and differ (`\s`, `.`, `\u`, `[^]`), so every pattern is translated, and what has no
 * counterpart is refused rather than run on the engine that backtracks.
 */
import { RE2JS } from 're2js';
import { maxProgramSize, translatePattern } from './translatePattern.js';

const maxPatternLength = 4096;

/** The engine remembers states without end, and its own reset keeps them. After so many units it is made anew. */
const maxSpent = 10_000;

/** A compiled pattern. */
export class LinearPattern {
	private spent = 0;
	private program: RE2JS | undefined;

	private constructor(
		private readonly source: string,
		private readonly create: () => RE2JS,
		/** Instructions. */
		readonly size: number,
	) {}

	/** `undefined` for what cannot run in linear time, is no pattern, or is too large. */
	static compile(source: string, flags = ''): LinearPattern | undefined {
		// JSON Schema asks for Unicode patterns; many in use (`[\w-.]`) are none.
		const isUnicode = source.length <= maxPatternLength && isPattern(source, 'u');
		if (!isUnicode && (source.length > maxPatternLength || !isPattern(source, ''))) {
			return undefined;
		}
		const translated = translatePattern(source, isUnicode);
		if (translated === undefined) {
			return undefined;
		}
		try {
			const create = (): RE2JS => RE2JS.compile(translated, flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
			const size = create().programSize();
			return size <= maxProgramSize ? new LinearPattern(source, create, size) : undefined;
		} catch {
			return undefined;
		}
	}

	test(text: string): boolean {
		this.program ??= this.create();
		const found = this.program.test(text);
		this.spent += this.cost(text);
		if (this.spent > maxSpent + this.size) {
			this.program = undefined;
			this.spent = 0;
		}
		return found;
	}

	/** What `test` costs at worst, in units of the `Meter`. A step takes two nanoseconds, and most need no step each. */
	cost(text: string): number {
		return (text.length * this.size) / 64;
	}

	/** Ajv tells patterns apart by this. */
	toString(): string {
		return `/${this.source}/`;
	}
}

/** Compiling is no matching: it is safe on the engine that backtracks. */
export function isPattern(source: string, flags: '' | 'u'): boolean {
	try {
		return new RegExp(source, flags) instanceof RegExp;
	} catch {
		return false;
	}
}
