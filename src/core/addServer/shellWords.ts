/**
 * Splits a command line from a README into words, and quotes words for a command line. Variables become the editor's
 * (`$KEY` and `%KEY%` are `${env:KEY}`), and syntax that needs a shell is reported.
 *
 * No library is used, because pasted text is from three shells, and no small library handles all of them: `shlex` throws
 * at an open quote and removes the backslashes of `C:\Users`, `shell-quote` replaces variables and reads `<YOUR_KEY>` as a
 * redirection, `string-argv` supports neither escapes nor line continuations.
 */

/** A command line with one command. */
export interface CommandLine {
	readonly words: readonly string[];
	/** Variables that are set before the command by `export A=b` or `$env:A = "b"`. */
	readonly env: Readonly<Record<string, string>>;
	/** The folder of a `cd` before the command. */
	readonly cwd: string | undefined;
}

export type CommandLineProblem =
	| { readonly code: 'unclosedQuote' }
	/** The line needs a shell for a pipe, a redirection, or a second command. */
	| { readonly code: 'shell'; readonly operator: string };

/** Splits a text into words. Never throws. There are no words if the text has no command. */
export function parseCommandLine(text: string): CommandLine | { readonly problem: CommandLineProblem } {
	const scanner = new Scanner(text);
	const problem = scanner.scan();
	if (problem) {
		return { problem };
	}
	const env: [string, string][] = [];
	let cwd: string | undefined;
	const commands: (readonly string[])[] = [];
	for (const words of scanner.statements) {
		const assigned = assignments(words);
		if (assigned && commands.length === 0) {
			env.push(...assigned);
		} else if (words[0] === 'cd' && words.length === 2 && commands.length === 0) {
			cwd = words[1];
		} else {
			commands.push(words);
		}
	}
	if (commands.length > 1) {
		return { problem: { code: 'shell', operator: scanner.separator ?? ';' } };
	}
	return { words: commands[0] ?? [], env: Object.fromEntries(env), cwd };
}

/** The variables that a statement sets, if it does nothing else. */
function assignments([first = '', ...rest]: readonly string[]): [string, string][] | undefined {
	if (/^\$\{env:\w+\}$/.test(first) && rest[0] === '=' && rest.length === 2) {
		return [[first.slice('${env:'.length, -1), rest[1] ?? '']];
	}
	const powerShell = /^\$\{env:(\w+)\}=(.*)/s.exec(first);
	if (powerShell && rest.length === 0) {
		return [[powerShell[1] ?? '', powerShell[2] ?? '']];
	}
	const isKeyword = /^(export|set|SET)$/.test(first);
	const pairs = (isKeyword ? rest : [first, ...rest]).map(splitAssignment);
	return pairs.length > 0 && pairs.every(it => it !== undefined) ? pairs : undefined;
}

/** Splits `NAME=value`; `undefined` for other words. */
export function splitAssignment(word: string): [name: string, value: string] | undefined {
	const match = /^([A-Za-z_]\w*)=(.*)/s.exec(word);
	return match ? [match[1] ?? '', match[2] ?? ''] : undefined;
}

/** The variables of the three shells, and `pwd`, the only command whose result is known. */
const variable =
	/^(?:\$\(pwd\)|`pwd`|\$\{PWD\}|\$PWD\b|%cd%|\$\{(?<braced>[A-Z_][A-Z0-9_]*)\}|\$env:(?<powershell>\w+)|\$(?<bare>[A-Za-z_]\w*)|%(?<percent>[A-Z_][A-Z0-9_]{2,})%)/;

/** A word, quoted for the Windows command prompt or for a POSIX shell. For the latter, invisible characters are escaped. */
export function quoteWord(word: string, isWindows: boolean): string {
	if (isWindows) {
		return /^[\w@+=:./\\-]+$/.test(word) ? word : `"${word.replace(/\\+|"/g, escapeOnWindows)}"`;
	}
	if (/^[\w@%+=:,./-]+$/.test(word)) {
		return word;
	}
	return /\p{C}|[^\S ]/u.test(word)
		? `$'${word.replace(/[\\']|\p{C}|[^\S ]/gu, escapeUnseen)}'`
		: `'${word.replaceAll("'", "'\\''")}'`;
}

/** Backslashes are escapes only before a quotation mark, which also follows the word. */
function escapeOnWindows(part: string, offset: number, word: string): string {
	const next = word[offset + part.length];
	return part === '"' ? '\\"' : next === '"' || next === undefined ? part + part : part;
}

function escapeUnseen(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (character === '\\' || character === "'") {
		return `\\${character}`;
	}
	return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

class Scanner {
	readonly statements: (readonly string[])[] = [];
	/** The separator before the last statement. */
	separator: string | undefined;
	private readonly isWindows: boolean;
	/** The end of the text without trailing white space. */
	private readonly end: number;
	private position = 0;
	private words: string[] = [];
	private word: string | undefined;

	constructor(private readonly text: string) {
		this.end = text.trimEnd().length;
		this.isWindows = /(?:^|[\s"'=])(?:[a-z]:\\|\\\\\w)/i.test(text);
	}

	scan(): CommandLineProblem | undefined {
		while (this.position < this.text.length) {
			const problem = this.step();
			if (problem) {
				return problem;
			}
		}
		this.endStatement('');
		return undefined;
	}

	private step(): CommandLineProblem | undefined {
		const rest = this.text.slice(this.position, this.position + 200);
		const isAtStart = this.word === undefined;
		// `\`, `^` or a backtick at the end of a line. An input box replaces the line break by a space.
		const continuation = isAtStart ? /^[\\^`](?:\s+|$)/.exec(rest) : /^[\\^`][ \t]*(?:\r?\n|$)/.exec(rest);
		const blank = continuation ?? /^[^\S\r\n]+/.exec(rest);
		if (blank) {
			this.endWord();
			this.position += blank[0].length;
			return undefined;
		}
		const comment = isAtStart ? /^#[^\r\n]*/.exec(this.text.slice(this.position)) : null;
		if (comment) {
			this.position += comment[0].length;
			return undefined;
		}
		const separator = /^(?:&&|[\r\n]+|;(?=\s|$))/.exec(rest);
		if (separator) {
			this.endStatement(separator[0].trim() || '⏎');
			this.position += separator[0].length;
			return undefined;
		}
		const operator =
			/^(?:\|\|?|\$\((?!pwd\))|&(?=\s|$))/.exec(rest) ?? (isAtStart ? /^\d?(?:>|<(?![^<>\r\n]+>))/.exec(rest) : null);
		if (operator) {
			return { code: 'shell', operator: operator[0] };
		}
		return this.chunk(rest);
	}

	/** Reads a part of a word. */
	private chunk(rest: string): CommandLineProblem | undefined {
		const [first = ''] = rest;
		if (first === '"' || first === "'") {
			return this.quoted(first);
		}
		// `<YOUR KEY>` isn't a redirection.
		const placeholder = /^<[^<>\r\n]+>/.exec(rest);
		if (placeholder) {
			this.take(placeholder[0], placeholder[0]);
		} else if (!this.variable(rest)) {
			const isEscape = (this.isWindows ? /^\\["']/ : /^\\[\s"'\\$`&|;<>()#*?!~]/).test(rest);
			const isHome = this.word === undefined && /^~(?=[\\/]|\s|$)/.test(rest);
			this.take(isEscape ? rest.slice(0, 2) : first, isEscape ? rest.slice(1, 2) : isHome ? '${userHome}' : first);
		}
		return undefined;
	}

	private quoted(quote: string): CommandLineProblem | undefined {
		this.take(quote, '');
		for (;;) {
			const rest = this.text.slice(this.position, this.position + 200);
			const [first] = rest;
			if (first === undefined) {
				return { code: 'unclosedQuote' };
			}
			if (first === quote) {
				this.take(quote, '');
				return undefined;
			}
			if (quote === "'") {
				this.take(first, first);
				continue;
			}
			// On Windows, `"C:\My Folder\"` ends at the last quote.
			const isEscape = (this.isWindows ? /^\\"(?!\s|$)/ : /^\\["\\$`]/).test(rest);
			if (isEscape) {
				this.take(rest.slice(0, 2), rest.slice(1, 2));
			} else if (!this.variable(rest)) {
				this.take(first, first);
			}
		}
	}

	private variable(rest: string): boolean {
		const match = variable.exec(rest);
		if (!match) {
			return false;
		}
		const { braced, powershell, bare, percent } = match.groups ?? {};
		const name = braced ?? powershell ?? bare ?? percent;
		this.take(match[0], name === undefined ? '${workspaceFolder}' : `\${env:${name}}`);
		return true;
	}

	private take(source: string, value: string): void {
		this.position += source.length;
		this.word = (this.word ?? '') + value;
	}

	private endWord(): void {
		if (this.word !== undefined) {
			this.words.push(this.word);
			this.word = undefined;
		}
	}

	private endStatement(separator: string): void {
		this.endWord();
		if (this.words.length > 0) {
			this.statements.push(this.words);
			this.words = [];
		}
		if (this.position < this.end) {
			this.separator = separator;
		}
	}
}
