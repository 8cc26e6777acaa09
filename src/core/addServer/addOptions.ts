/** Parses the arguments of `claude mcp add` and similar commands of other clients. */
import { isWebUrl } from '../config/serverEntry.js';
import { splitAssignment } from './shellWords.js';

export interface AddArguments {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	readonly transport: string | undefined;
	/** The arguments after `--`; `undefined` without `--`. */
	readonly rest: readonly string[] | undefined;
}

const valued =
	/^(?:-[eHts]|--(?:env|header|transport|scope|url|timeout|bearer-token-env-var|description|(?:in|ex)clude-tools|client-id|callback-port))$/;

/** Reads the arguments. Options can be anywhere before `--`. */
export function readAddOptions(args: readonly string[]): AddArguments {
	const end = args.indexOf('--');
	const before = end < 0 ? args : args.slice(0, end);
	const words: string[] = [];
	const env: Record<string, string> = {};
	const headers: Record<string, string> = {};
	let transport: string | undefined;
	for (let index = 0; index < before.length; index++) {
		const word = before[index] ?? '';
		const [, option = word, inline] = /^(--[\w-]+)=(.*)/s.exec(word) ?? [];
		// Without `--`, options after the command are arguments of the command, except what only the client understands.
		const isOption =
			word.startsWith('-') &&
			(end >= 0 ||
				words.length < 2 ||
				isWebUrl(words[1] ?? '') ||
				isOfClient(option, inline ?? before[index + 1] ?? ''));
		if (!isOption) {
			words.push(word);
			continue;
		}
		const value = inline ?? before[index + 1] ?? '';
		const takesValue = valued.test(option);
		index += takesValue && inline === undefined ? 1 : 0;
		const assignment = splitAssignment(value);
		const header = /^([^:\s]+)\s*:\s*(.*)/s.exec(value);
		if (/^(-e|--env)$/.test(option) && assignment) {
			define(env, ...assignment);
			// Several variables may follow one `-e`.
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

/** Whether an option after the command is the client's, as in `claude mcp add name npx package --env KEY=value`. */
function isOfClient(option: string, value: string): boolean {
	return option === '--env'
		? splitAssignment(value) !== undefined
		: /^(?:-s|--scope) (?:user|project|local)$/.test(`${option} ${value}`);
}

/** Sets an own property of any name. An assignment to `__proto__` would change the prototype. */
export function define(record: Record<string, string>, name: string, value: string): void {
	Object.defineProperty(record, name, { value, enumerable: true, writable: true });
}
