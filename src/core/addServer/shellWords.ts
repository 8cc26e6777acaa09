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
	const statements = splitStatements(text);
	if ('problem' in statements) {
		return statements;
	}
	const env: [string, string][] = [];
	let cwd: string | undefined;
	const commands: Statement[] = [];
	for (const statement of statements) {
		const { words } = statement;
		const assigned = assignments(words);
		if (assigned && commands.length === 0) {
			env.push(...assigned);
		} else if (words[0] === 'cd' && words.length === 2 && commands.length === 0) {
			cwd = words[1];
		} else {
			commands.push(statement);
		}
	}
	return commands.length > 1
		? { problem: { code: 'shell', operator: commands.at(-1)?.separator ?? ';' } }
		: { words: commands[0]?.words ?? [], env: Object.fromEntries(env), cwd };
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
const variable = '\\$\\(pwd\\)|`pwd`|\\$\\{[A-Z_][A-Z0-9_]*\\}|\\$env:\\w+|\\$[A-Za-z_]\\w*|%cd%|%[A-Z_][A-Z0-9_]{2,}%';

/** The pieces of a command line. The first that matches counts; any other character is a part of a word. */
const pieces = (doubleQuoted: string, escaped: string): RegExp =>
	new RegExp(
		[
			// `\`, `^` or a backtick at the end of a line. An input box replaces the line break by a space.
			'(?<blank>(?<!\\S)[\\\\^`](?:\\s+|$)|[\\\\^`][ \\t]*(?:\\r?\\n|$)|[^\\S\\r\\n]+|(?<!\\S)#[^\\r\\n]*)',
			'(?<separator>&&|[\\r\\n]+|;(?=\\s|$))',
			// `<YOUR KEY>` isn't a redirection.
			'(?<operator>\\|\\|?|\\$\\((?!pwd\\))|&(?=\\s|$)|(?<!\\S)\\d?(?:>|<(?![^<>\\r\\n]+>)))',
			`"(?<double>${doubleQuoted})"`,
			"'(?<single>[^']*)'",
			'(?<open>["\'])',
			`(?<variable>${variable})`,
			'(?<home>(?<!\\S)~(?=[\\\\/]|\\s|$))',
			`\\\\(?<escaped>${escaped})`,
			'<[^<>\\r\\n]+>|[^]',
		].join('|'),
		'g',
	);
const posixPieces = pieces('(?:\\\\[^]|[^"\\\\])*', '[\\s"\'\\\\$`&|;<>()#*?!~]');
/** `"C:\My Folder\"` ends at its last quotation mark. */
const windowsPieces = pieces('(?:\\\\"(?!\\s|$)|[^"])*', '["\']');
const inDoubleQuotes = new RegExp(`\\\\(["\\\\$\`])|(?:${variable})`, 'g');
const inDoubleQuotesOnWindows = new RegExp(`\\\\(")|(?:${variable})`, 'g');

interface Statement {
	readonly words: string[];
	/** The separator between this statement and the previous one. */
	readonly separator: string | undefined;
}

function splitStatements(text: string): Statement[] | { readonly problem: CommandLineProblem } {
	const isWindows = /(?:^|[\s"'=])(?:[a-z]:\\|\\\\\w)/i.test(text);
	const statements: Statement[] = [{ words: [], separator: undefined }];
	let word: string | undefined;
	const endWord = (): void => {
		if (word !== undefined) {
			statements.at(-1)?.words.push(word);
			word = undefined;
		}
	};
	for (const { 0: piece, groups = {} } of text.trim().matchAll(isWindows ? windowsPieces : posixPieces)) {
		if (groups['operator'] !== undefined) {
			return { problem: { code: 'shell', operator: piece } };
		}
		if (groups['open'] !== undefined) {
			return { problem: { code: 'unclosedQuote' } };
		}
		if (groups['blank'] !== undefined) {
			endWord();
		} else if (groups['separator'] !== undefined) {
			endWord();
			statements.push({ words: [], separator: piece.trim() || '⏎' });
		} else {
			word = (word ?? '') + valueOf(piece, groups, isWindows);
		}
	}
	endWord();
	return statements.filter(it => it.words.length > 0);
}

/** The text that a piece of a word stands for. */
function valueOf(piece: string, groups: Readonly<Record<string, string | undefined>>, isWindows: boolean): string {
	const { double, single, variable: name, home, escaped } = groups;
	if (double !== undefined) {
		return double.replace(
			isWindows ? inDoubleQuotesOnWindows : inDoubleQuotes,
			(part, character?: string) => character ?? editorVariable(part),
		);
	}
	if (name !== undefined) {
		return editorVariable(name);
	}
	return home === undefined ? (single ?? escaped ?? piece) : '${userHome}';
}

function editorVariable(text: string): string {
	const name = text.replace(/^\$env:|\W/g, '');
	return /^(?:pwd|PWD|cd)$/.test(name) ? '${workspaceFolder}' : `\${env:${name}}`;
}

/** Quotes a word for the Windows command prompt or for a POSIX shell, if it needs quotes. */
export function quoteWord(word: string, isWindows: boolean): string {
	if (isWindows) {
		return /^[\w@+=:./\\-]+$/.test(word) ? word : `"${word.replace(/\\+|"/g, escapeOnWindows)}"`;
	}
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Backslashes are escapes only before a quotation mark, which also follows the word. */
function escapeOnWindows(part: string, offset: number, word: string): string {
	const next = word[offset + part.length];
	return part === '"' ? '\\"' : next === '"' || next === undefined ? part + part : part;
}
