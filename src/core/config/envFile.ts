/**
 * Parses an `envFile`: lines of `KEY=value` in the format of dotenv. Node's `util.parseEnv` and dotenv ignore invalid lines.
 * A server must not start with a part of its environment, so this parser reports them. A test compares it with both.
 */

export type EnvFileProblem =
	/** The file doesn't exist, isn't a regular file, or can't be read. */
	| { readonly code: 'unreadable' }
	| { readonly code: 'tooLarge'; readonly maxBytes: number }
	/** An invalid line, counted from 1. Its text may be a secret, so the problem doesn't have it. */
	| { readonly code: 'line'; readonly line: number };

/** An `envFile` can't be used. */
export class EnvFileError extends Error {
	override readonly name = 'EnvFileError';

	constructor(
		readonly path: string,
		readonly problem: EnvFileProblem,
	) {
		super(`${path}: ${problem.code}.`);
	}
}

const blank = /(?:\s+|#[^\n]*)*/y;
const key = /(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/y;
/** A value in quotes. It may have several lines; in double quotes, quotes may be escaped. */
const quoted = /"((?:\\"|[^"])*)"|'([^']*)'|`([^`]*)`/y;
const rest = /[ \t]*(?:#[^\n]*)?(?=\n|$)/y;
const plain = /(?!["'`])[^#\n]*/y;

/**
 * The variables of a file. If a name occurs twice, the later value is used.
 * @param path for the error only
 * @throws EnvFileError for a line that isn't empty, a comment, or a variable
 */
export function parseEnvFile(content: string, path: string): Record<string, string> {
	const text = content.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
	const found = new Map<string, string>();
	let at = 0;
	const read = (pattern: RegExp): RegExpExecArray | undefined => {
		pattern.lastIndex = at;
		const match = pattern.exec(text) ?? undefined;
		at += match?.[0].length ?? 0;
		return match;
	};
	for (read(blank); at < text.length; read(blank)) {
		const start = at;
		const name = read(key)?.[1];
		const inQuotes = read(quoted);
		const value = inQuotes
			? (inQuotes[1]?.replaceAll('\\n', '\n').replaceAll('\\"', '"') ?? inQuotes[2] ?? inQuotes[3])
			: read(plain)?.[0].trim();
		if (name === undefined || value === undefined || !read(rest)) {
			throw new EnvFileError(path, { code: 'line', line: text.slice(0, start).split('\n').length });
		}
		found.set(name, value);
	}
	return Object.fromEntries(found);
}
