/**
 * Translates JavaScript patterns to the syntax of RE2, with the same meaning. The pattern must compile in JavaScript.
 * Groups become non-capturing, because only whether a text matches is needed.
 */

/** The sets of `\s`, `\S` and so on, as they are written inside a character class. */
const whiteSpace =
	'\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const noWhiteSpace =
	'\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
	'\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const everything = '\\x{0}-\\x{10ffff}';
const lineEnds = '\\x{a}\\x{d}\\x{2028}\\x{2029}';

/** RE2 instructions of one pattern, which bound the time to compile and to run it. */
export const maxProgramSize = 10_000;

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Long names of general categories. */
const categories: Readonly<Record<string, string>> = {
	Letter: 'L',
	Uppercase_Letter: 'Lu',
	Lowercase_Letter: 'Ll',
	Titlecase_Letter: 'Lt',
	Modifier_Letter: 'Lm',
	Other_Letter: 'Lo',
	Mark: 'M',
	Number: 'N',
	Decimal_Number: 'Nd',
	Letter_Number: 'Nl',
	Other_Number: 'No',
	Punctuation: 'P',
	Symbol: 'S',
	Separator: 'Z',
	Space_Separator: 'Zs',
	Control: 'Cc',
};

/** A character or escape: a code point, or a set as it is written inside a class. */
type Atom = { readonly point: number } | { readonly set: string };

/** Never leaves `translatePattern`. */
class Unsupported extends Error {}

/**
 * The pattern for RE2; `undefined` if RE2 has no counterpart for lookaround, back references or a Unicode property.
 * @param isUnicode whether the pattern compiles with the flag `u`, which changes the meaning of some escapes
 */
export function translatePattern(source: string, isUnicode: boolean): string | undefined {
	try {
		return new Translation(source, isUnicode).run();
	} catch (error) {
		if (error instanceof Unsupported) {
			return undefined;
		}
		throw error;
	}
}

class Translation {
	private readonly points: readonly string[];
	private at = 0;
	/** Instructions of the open groups, outermost first: `(a{99}){99}` is short, but has ten thousand. */
	private readonly sizes = [0];
	/** Instructions of the last term, which a quantifier repeats. */
	private last = 0;

	constructor(
		source: string,
		private readonly isUnicode: boolean,
	) {
		this.points = Array.from(source);
	}

	run(): string {
		let out = '';
		for (let next = this.points[this.at]; next !== undefined; next = this.points[this.at]) {
			out += this.term(next);
		}
		return out;
	}

	private term(next: string): string {
		switch (next) {
			case ')':
				this.at++;
				this.grow(this.sizes.pop() ?? 0);
				return next;
			case '.':
				this.at++;
				this.grow(1);
				return `[^${lineEnds}]`;
			case '(':
				return this.group();
			case '[':
				return this.characterClass();
			case '{':
				return this.repeat();
			case '\\': {
				const boundary = this.points[this.at + 1];
				if (boundary === 'b' || boundary === 'B') {
					this.at += 2;
					return `\\${boundary}`;
				}
				return this.character();
			}
			default:
				if ('^$|*+?'.includes(next)) {
					this.at++;
					return next;
				}
				return this.character();
		}
	}

	/** A repetition. Without the flag `u`, a brace can also be a plain character. */
	private repeat(): string {
		const match = /^\{\d+(,\d*)?\}/.exec(this.points.slice(this.at, this.at + 24).join(''));
		if (!match) {
			return this.character();
		}
		this.at += match[0].length;
		const [least = 0, most = least] = match[0].slice(1, -1).split(',').map(Number);
		this.grow(this.last * (Math.max(least, most) - 1));
		return match[0];
	}

	private character(): string {
		this.grow(1);
		return outside(this.atom(false));
	}

	private grow(size: number): void {
		const top = this.sizes.length - 1;
		this.sizes[top] = (this.sizes[top] ?? 0) + size;
		this.last = size;
		if ((this.sizes[top] ?? 0) > maxProgramSize) {
			throw new Unsupported();
		}
	}

	private group(): string {
		this.at++;
		this.sizes.push(0);
		if (this.points[this.at] !== '?') {
			return '(?:';
		}
		const kind = this.points[this.at + 1];
		const after = this.points[this.at + 2];
		if (kind === '<' && after !== '=' && after !== '!') {
			this.at = this.points.indexOf('>', this.at) + 1;
			return '(?:';
		}
		if (kind !== ':') {
			throw new Unsupported();
		}
		this.at += 2;
		return '(?:';
	}

	private characterClass(): string {
		this.at++;
		this.grow(1);
		const negated = this.points[this.at] === '^';
		if (negated) {
			this.at++;
		}
		let inside = '';
		while (this.points[this.at] !== ']') {
			const from = this.atom(true);
			inside += insideClass(from);
			if (this.points[this.at] === '-' && this.points[this.at + 1] !== ']') {
				this.at++;
				const to = this.atom(true);
				// `[\w-.]` is not a range: the hyphen is a character.
				inside += ('point' in from && 'point' in to ? '-' : hex(0x2d)) + insideClass(to);
			}
		}
		this.at++;
		if (inside === '') {
			return negated ? `[${everything}]` : `[^${everything}]`;
		}
		return `[${negated ? '^' : ''}${inside}]`;
	}

	private atom(inClass: boolean): Atom {
		const next = this.points[this.at++];
		if (next === undefined) {
			throw new Unsupported();
		}
		const atom = next === '\\' ? this.escape(inClass) : { point: next.codePointAt(0) ?? 0 };
		// Without the flag `u`, JavaScript matches halves of surrogate pairs.
		return !this.isUnicode && 'point' in atom && isSurrogateOrAbove(atom.point) ? unsupported() : atom;
	}

	private escape(inClass: boolean): Atom {
		const letter = this.points[this.at++] ?? '';
		const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined;
		if (control !== undefined) {
			return { point: control };
		}
		switch (letter) {
			case 'd':
			case 'D':
			case 'w':
			case 'W':
				return { set: `\\${letter}` };
			case 's':
				return { set: whiteSpace };
			case 'S':
				return { set: noWhiteSpace };
			case 'b':
				// Outside a class, `term` has handled the boundary.
				return inClass ? { point: 8 } : unsupported();
			case 'c':
				return { point: (/[A-Za-z]/.exec(this.points[this.at++] ?? '')?.[0].codePointAt(0) ?? unsupported()) % 32 };
			case 'x':
				return { point: this.digits(2) };
			case 'u':
				return { point: this.unicode() };
			case 'p':
			case 'P':
				return !this.isUnicode ? unsupported() : { set: this.property(letter) };
			case '0':
				return /\d/.test(this.points[this.at] ?? '') ? unsupported() : { point: 0 };
			default:
				// Back references, `\k<name>`, and letters without a meaning.
				return /[A-Za-z0-9]/.test(letter) ? unsupported() : { point: letter.codePointAt(0) ?? unsupported() };
		}
	}

	private unicode(): number {
		if (this.points[this.at] === '{' && this.isUnicode) {
			const end = this.points.indexOf('}', this.at);
			const digits = this.points.slice(this.at + 1, end).join('');
			this.at = end + 1;
			return /^[\da-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : unsupported();
		}
		const high = this.digits(4);
		if (high >= 0xd800 && high < 0xdc00 && this.points[this.at] === '\\' && this.points[this.at + 1] === 'u') {
			const before = this.at;
			this.at += 2;
			const low = this.digits(4);
			if (low >= 0xdc00 && low < 0xe000) {
				return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
			}
			this.at = before;
		}
		return high;
	}

	private digits(count: number): number {
		const digits = this.points.slice(this.at, this.at + count).join('');
		this.at += count;
		return digits.length === count && /^[\da-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : unsupported();
	}

	private property(letter: string): string {
		const end = this.points.indexOf('}', this.at);
		const name = this.points[this.at] === '{' && end > 0 ? this.points.slice(this.at + 1, end).join('') : unsupported();
		this.at = end + 1;
		if (name === 'Any') {
			return letter === 'p' ? everything : unsupported();
		}
		if (name === 'ASCII') {
			return letter === 'p' ? '\\x{0}-\\x{7f}' : '\\x{80}-\\x{10ffff}';
		}
		const [, key, value = ''] = /^(?:(\w+)=)?(\w+)$/.exec(name) ?? unsupported();
		switch (key) {
			case 'Script':
			case 'sc':
				return `\\${letter}{${value}}`;
			case 'General_Category':
			case 'gc':
			case undefined: {
				const category = Object.hasOwn(categories, value) ? categories[value] : value;
				// Only general categories have the same members in both engines; other properties differ.
				return category !== undefined && /^[A-Z][a-z]?$/.test(category) ? `\\${letter}{${category}}` : unsupported();
			}
			default:
				return unsupported();
		}
	}
}

function isSurrogateOrAbove(point: number): boolean {
	return point > 0xffff || (point >= 0xd800 && point <= 0xdfff);
}

function insideClass(atom: Atom): string {
	return 'point' in atom ? hex(atom.point) : atom.set;
}

function outside(atom: Atom): string {
	if ('set' in atom) {
		return `[${atom.set}]`;
	}
	const text = String.fromCodePoint(atom.point);
	return /[A-Za-z0-9]/.test(text) ? text : hex(atom.point);
}

function hex(point: number): string {
	return `\\x{${point.toString(16)}}`;
}

function unsupported(): never {
	throw new Unsupported();
}
