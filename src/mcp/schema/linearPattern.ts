/**
 * Patterns of servers, run by RE2 in linear time. The syntax of RE2 differs from JavaScript's (`\s`, `.`, `\u`, `[^]`), so
 * every pattern is translated. Patterns without a counterpart are refused; they never run on JavaScript's backtracking
 * engine.
 */
import { RE2JS } from 're2js';
import { maxProgramSize, translatePattern } from './translatePattern.js';

const maxPatternLength = 4096;

/** Cost of runs after which a program is replaced, because RE2JS keeps every state it has seen, even after a reset. */
const maxSpent = 10_000;

/** A compiled pattern. */
export class LinearPattern {
	private spent = 0;
	private program: RE2JS | undefined;

	private constructor(
		private readonly source: string,
		private readonly create: () => RE2JS,
		/** RE2 instructions. */
		readonly size: number,
	) {}

	/** `undefined` if the pattern is invalid, too large, or can't run in linear time. */
	static compile(source: string, flags = ''): LinearPattern | undefined {
		// JSON Schema requires Unicode patterns, but many in use aren't valid as such: `[\w-.]`.
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

	/** The most that `test` costs, in units of the `Meter`. A step takes two nanoseconds. */
	cost(text: string): number {
		return (text.length * this.size) / 64;
	}

	/** Ajv distinguishes patterns by this text. */
	toString(): string {
		return `/${this.source}/`;
	}
}

/** Whether JavaScript accepts a pattern. Compiling is safe; only matching can backtrack. */
export function isPattern(source: string, flags: '' | 'u'): boolean {
	try {
		return new RegExp(source, flags) instanceof RegExp;
	} catch {
		return false;
	}
}
