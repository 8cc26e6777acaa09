/**
 * PURE: prompts as slash commands. `/server.prompt city="Paris" country=F` is read into what to look for and what is
 * given, and the commands that fit are found: `/ev co` means `everything.completable-prompt`.
 */

/** What somebody has typed. */
export interface SlashText {
	/** What the command is looked for by; for one that is named in full, everything else is a value. */
	readonly words: readonly string[];
	/** `name=value`, in the order typed; the last of a name counts. */
	readonly named: ReadonlyMap<string, string>;
}

/** What of a command is looked at. */
export interface SlashTexts {
	/** `server.prompt`, as it is shown. */
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
}

/** No more is read: nobody types it. */
const maxTyped = 20_000;
const maxDescription = 1000;

/** Reads what stands after the slash, if there is one. An unfinished quotation ends with the text. */
export function parseSlash(text: string): SlashText {
	const words: string[] = [];
	const named = new Map<string, string>();
	for (const { name, value } of tokensOf(text.slice(0, maxTyped).replace(/^\s*\/?/, ''))) {
		if (name !== undefined) {
			named.set(name, value);
		} else if (value !== '') {
			words.push(value);
		}
	}
	return { words, named };
}

/**
 * The values that were typed for a command: those with a name that it knows, and, where its own name was typed in full,
 * the words behind that for the arguments that are left, in their order.
 */
export function typedArguments(
	{ words, named }: SlashText,
	name: string,
	argumentNames: readonly string[],
): Record<string, string> {
	const values = new Map(Array.from(named).filter(([it]) => argumentNames.includes(it)));
	const rest = isNamed(words, name) ? words.slice(wordsIn(name)) : [];
	const open = argumentNames.filter(it => !values.has(it));
	for (const [index, value] of rest.entries()) {
		const argument = open[index];
		if (argument !== undefined) {
			values.set(argument, value);
		}
	}
	return Object.fromEntries(values);
}

/** A command as it is typed, with values for its arguments; read back, it is the same. */
export function slashText(name: string, values: Readonly<Record<string, string>>): string {
	const given = Object.entries(values).map(([key, value]) => ` ${key}="${value.replace(/["\\]/g, String.raw`\$&`)}"`);
	return `/${name}${given.join('')}`;
}

/** The commands that have every word, best first; a command that is named in full is alone. */
export function findCommands<T>(entries: readonly T[], { words }: SlashText, textsOf: (entry: T) => SlashTexts): T[] {
	const exact = entries.filter(it => isNamed(words, textsOf(it).name));
	if (exact.length > 0 && words.length > wordsIn(textsOf(exact[0] as T).name)) {
		return exact;
	}
	return entries
		.flatMap(entry => {
			const weight = weightOf(textsOf(entry), words);
			return weight === undefined ? [] : [{ entry, weight }];
		})
		.toSorted((a, b) => b.weight - a.weight)
		.map(({ entry }) => entry);
}

function isNamed(words: readonly string[], name: string): boolean {
	const count = wordsIn(name);
	return count > 0 && words.slice(0, count).join(' ').toLowerCase() === partsOf(name).join(' ').toLowerCase();
}

/** A server's name can have blanks in it. */
function wordsIn(name: string): number {
	return partsOf(name).length;
}

function partsOf(name: string): string[] {
	return name.split(/\s+/).filter(it => it !== '');
}

function weightOf({ name, title = '', description = '' }: SlashTexts, words: readonly string[]): number | undefined {
	const lower = name.toLowerCase();
	const whole = words.join(' ').toLowerCase();
	let sum = lower === whole ? 1000 : 0;
	for (const word of words.map(it => it.toLowerCase())) {
		const weight = Math.max(
			inName(lower, word),
			title.toLowerCase().includes(word) ? 20 : 0,
			description.slice(0, maxDescription).toLowerCase().includes(word) ? 5 : 0,
		);
		if (weight === 0) {
			return undefined;
		}
		sum += weight;
	}
	return sum;
}

/** Where a part of the name begins with the word counts most, then where it is inside, then letters in their order. */
function inName(name: string, word: string): number {
	if (name.startsWith(word)) {
		return 100;
	}
	const parts = name.split(/[^\p{L}\p{N}]+/u);
	if (parts.some(it => it.startsWith(word)) || new RegExp(`[^\\p{L}\\p{N}]${escaped(word)}`, 'u').test(name)) {
		return 80;
	}
	if (name.includes(word)) {
		return 40;
	}
	return word.length > 1 && hasInOrder(name, word) ? 10 : 0;
}

function hasInOrder(text: string, letters: string): boolean {
	let at = -1;
	for (const letter of letters) {
		at = text.indexOf(letter, at + 1);
		if (at < 0) {
			return false;
		}
	}
	return true;
}

/** For a Unicode pattern, which takes no `\-`. */
function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

interface Token {
	readonly name?: string;
	readonly value: string;
}

/** Blanks stand between tokens; quotes of either kind hold what is between them together. */
function* tokensOf(text: string): Generator<Token> {
	const token = /\s*(?:([^\s="']+)=)?((?:"(?:[^"\\]|\\[^])*(?:"|$)|'[^']*(?:'|$)|[^\s"'])*)/y;
	while (token.lastIndex < text.length) {
		const { lastIndex } = token;
		const [all = '', name, value = ''] = token.exec(text) ?? [];
		if (all === '' || token.lastIndex === lastIndex) {
			return;
		}
		const plain = unquoted(value);
		if (name !== undefined) {
			yield { name, value: plain };
		} else if (value !== '') {
			yield { value: plain };
		}
	}
}

function unquoted(value: string): string {
	return value.replace(
		/"((?:[^"\\]|\\[^])*)(?:"|$)|'([^']*)(?:'|$)/g,
		(_, double: string | undefined, single: string | undefined) => single ?? (double ?? '').replace(/\\([^])/g, '$1'),
	);
}
