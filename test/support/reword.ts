/**
 * Follows messages that are worded otherwise: in the sources, in the keys of translations, in tests and in documents. In a
 * test a message stands filled in (`Stopped 3 servers.`), or as a part of a longer text, or in a pattern: each keeps what
 * was filled in.
 */

/** English texts as they were, and as they are to be. `{0}` and the like stand for what is filled in. */
export type Rewording = Readonly<Record<string, string>>;

const place = /\{\w+\}/;
/** Literals: quoted, in backquotes, and patterns. */
const literals =
	/(['"])((?:(?!\1)[^\\\n]|\\.)*)\1|`((?:[^`\\]|\\.)*)`|(?<=[(,:=[?|&!]\s*)\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/(?=[dgimsuvy]*\s*[,;.)\]}:])/g;
const titles = /\b(?:it|describe)(?:\.only)?\($/;

/** A source of the product: its messages are whole literals of `t(…)`. */
export function rewordSource(text: string, rewording: Rewording): string {
	return text.replaceAll(
		/(?<=\bt\(\s*(?:\{\s*message: )?)(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g,
		(literal, quote: string, raw: string) => {
			const wanted = rewording[unescape(raw)];
			return wanted === undefined ? literal : quoted(wanted, quote);
		},
	);
}

/** A test: whatever literal is a message, or contains one that is long enough to be no accident. */
export function rewordTest(text: string, rewording: Rewording): string {
	const rules = Object.entries(rewording).map(([before, after]) => toRule(before, after));
	return text.replaceAll(
		literals,
		(
			literal,
			quote,
			raw: string | undefined,
			template: string | undefined,
			pattern: string | undefined,
			at: number,
		) => {
			if (titles.test(text.slice(Math.max(0, at - 20), at))) {
				return literal;
			}
			if (pattern !== undefined) {
				const wanted = apply(rules, pattern, 'pattern');
				return wanted === pattern ? literal : `/${wanted}/`;
			}
			const value = template ?? unescape(raw ?? '');
			const wanted = apply(rules, value, 'text');
			if (wanted === value) {
				return literal;
			}
			return template === undefined ? quoted(wanted, String(quote)) : `\`${wanted}\``;
		},
	);
}

/** A document: names in bold, code and quotes whatever their length; else what is long enough. */
export function rewordDocument(text: string, rewording: Rewording): string {
	const rules = Object.entries(rewording).map(([before, after]) => toRule(before, after));
	const named = text.replaceAll(/(\*\*|`|")((?:(?!\1)[^\n])+?)\1/g, (all, mark: string, name: string) => {
		const wanted = apply(
			rules.map(it => ({ ...it, part: undefined })),
			name,
			'text',
		);
		return wanted === name ? all : mark + wanted + mark;
	});
	return apply(rules, named, 'text');
}

interface Rule {
	readonly whole: Record<Kind, RegExp>;
	/** Finds it inside a longer text; `undefined` if it would find other things as well. */
	readonly part: Record<Kind, RegExp> | undefined;
	readonly order: readonly number[];
	readonly wanted: string;
}

type Kind = 'text' | 'pattern';

function toRule(before: string, after: string): Rule {
	const names = [...before.matchAll(new RegExp(place, 'g'))].map(it => it[0]);
	const order = [...after.matchAll(new RegExp(place, 'g'))].map(it => names.indexOf(it[0]));
	const fixed = before.split(place);
	const make = (kind: Kind, isWhole: boolean): RegExp => {
		const parts = fixed.map(it => escaped(kind === 'pattern' ? escaped(it) : it));
		const body = parts.join(isWhole ? '([^]*?)' : '([^\\n]{0,200}?)');
		return isWhole ? new RegExp(`^(\\^?)${body}(\\$?)$`) : new RegExp(`(?<![A-Za-z])()${body}()(?![A-Za-z])`, 'g');
	};
	// A place at an end has nothing behind it that says where it ends.
	const isClosed = fixed[0] !== '' && fixed.at(-1) !== '';
	const isLong = /^(?=.{9})\S+\s+\S/.test(fixed.join(' ').trim());
	return {
		whole: { text: make('text', true), pattern: make('pattern', true) },
		part: isClosed && isLong ? { text: make('text', false), pattern: make('pattern', false) } : undefined,
		order,
		wanted: after,
	};
}

function apply(rules: readonly Rule[], text: string, kind: Kind): string {
	for (const { whole, order, wanted } of rules) {
		const found = whole[kind].exec(text);
		if (found) {
			return fill(found, wanted, order, kind);
		}
	}
	return rules.reduce((sum, { part, wanted, order }) => {
		return part
			? sum.replaceAll(part[kind], (...found) =>
					fill(found.filter(it => typeof it === 'string').slice(0, order.length + 3), wanted, order, kind),
				)
			: sum;
	}, text);
}

/** @param found the match, its beginning, what was filled in, its end */
function fill(found: readonly string[], wanted: string, order: readonly number[], kind: Kind): string {
	const fixed = wanted.split(place).map(it => (kind === 'pattern' ? escaped(it) : it));
	const values = found.slice(2, -1);
	const filled = fixed
		.map((it, index) => it + (index < order.length ? (values[order[index] ?? 0] ?? '') : ''))
		.join('');
	return `${found[1] ?? ''}${filled}${found.at(-1) ?? ''}`;
}

function escaped(text: string): string {
	return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function unescape(raw: string): string {
	return raw.replaceAll(/\\(['"`])/g, '$1');
}

function quoted(text: string, quote: string): string {
	return quote + text.replaceAll(quote, `\\${quote}`) + quote;
}
