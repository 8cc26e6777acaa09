/** PURE: the words of `claude mcp add` and its like, told apart. */
import { isWebUrl } from '../config/serverEntry.js';
import { splitAssignment } from './shellWords.js';

export interface AddOptions {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	readonly transport: string | undefined;
	/** What stands behind `--`. */
	readonly rest: readonly string[] | undefined;
}

/** The options of `claude mcp add` and its like, in any place before `--`. */
export function readAddOptions(args: readonly string[]): AddOptions {
	const end = args.indexOf('--');
	const before = end < 0 ? args : args.slice(0, end);
	const words: string[] = [];
	const env: Record<string, string> = {};
	const headers: Record<string, string> = {};
	let transport: string | undefined;
	for (let index = 0; index < before.length; index++) {
		const word = before[index] ?? '';
		const [, option = word, inline] = /^(--[\w-]+)=(.*)/s.exec(word) ?? [];
		// Without `--`, the options behind the command are its own.
		const isOption = word.startsWith('-') && (end >= 0 || words.length < 2 || isWebUrl(words[1] ?? ''));
		if (!isOption) {
			words.push(word);
			continue;
		}
		const value = inline ?? before[index + 1] ?? '';
		const takesValue = /^(-e|--env|-H|--header|-t|--transport|-s|--scope|--url|--timeout|--bearer-token-env-var)$/.test(
			option,
		);
		index += takesValue && inline === undefined ? 1 : 0;
		const assignment = splitAssignment(value);
		const header = /^([^:\s]+)\s*:\s*(.*)/s.exec(value);
		if (/^(-e|--env)$/.test(option) && assignment) {
			define(env, ...assignment);
			// One `-e` may be followed by several.
			for (let next = splitAssignment(before[index + 1] ?? ''); next; next = splitAssignment(before[index + 1] ?? '')) {
				define(env, ...next);
				index++;
			}
		} else if (/^(-H|--header)$/.test(option) && header) {
			define(headers, header[1] ?? '', header[2] ?? '');
		} else if (/^(-t|--transport)$/.test(option)) {
			transport = value;
		} else if (option === '--url') {
			words.push(value);
		} else if (option === '--bearer-token-env-var') {
			define(headers, 'Authorization', `Bearer \${env:${value}}`);
		}
	}
	return { words, env, headers, transport, rest: end < 0 ? undefined : args.slice(end + 1) };
}

/** An own property, whatever its name. */
export function define(record: Record<string, string>, name: string, value: string): void {
	Object.defineProperty(record, name, { value, enumerable: true, writable: true });
}
