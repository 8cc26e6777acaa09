/**
 * PURE: reads an `envFile`: `KEY=value` a line, as dotenv has it. Node's own `util.parseEnv` and dotenv pass over what
 * they cannot read, and a server must not start with half an environment: this one says where it stopped. A test
 * compares both on everything else.
 */

export type EnvFileProblem =
	/** It is not there, may not be read, or is no regular file. */
	| { readonly code: 'unreadable' }
	| { readonly code: 'tooLarge'; readonly maxBytes: number }
	/** Counted from 1. What stands there may be a secret, so it is not told. */
	| { readonly code: 'line'; readonly line: number }
	/** It was read only after consent, and sets a variable that changes execution and that nobody has seen. */
	| { readonly code: 'unseen'; readonly variable: string };

/** An `envFile` that cannot be used. */
export class EnvFileError extends Error {
	override readonly name = 'EnvFileError';

	constructor(
		readonly path: string,
		readonly problem: EnvFileProblem,
	) {
		super(`${path}: ${describeProblem(problem)}.`);
	}
}

function describeProblem(problem: EnvFileProblem): string {
	switch (problem.code) {
		case 'unreadable':
			return 'cannot be read';
		case 'tooLarge':
			return `has more than ${problem.maxBytes} bytes`;
		case 'line':
			return `line ${problem.line} cannot be read`;
		case 'unseen':
			return `sets ${problem.variable}, which could not be shown before the start`;
	}
}

const blank = /(?:\s+|#[^\n]*)*/y;
const key = /(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/y;
/** In double quotes a quote may be escaped; in all of them a value may have several lines. */
const quoted = /"((?:\\"|[^"])*)"|'([^']*)'|`([^`]*)`/y;
const rest = /[ \t]*(?:#[^\n]*)?(?=\n|$)/y;
const plain = /(?!["'`])[^#\n]*/y;

/**
 * Gives the variables of a file; of two with the same name the later one.
 * @param path for the error alone
 * @throws EnvFileError for a line that is neither blank, nor a comment, nor a variable
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
