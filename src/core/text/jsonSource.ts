/**
 * JSON as it was written. Parsing and writing a value again changes numbers, such as 1.0, 1e3, or 9007199254740993, and
 * drops members that occur twice.
 */
import { visit } from 'jsonc-parser';

/** The tokens of valid JSON; the space between them isn't matched. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The source of the member `result` of a JSON-RPC message; `undefined` if there is no such object. */
export function resultSource(message: string): string | undefined {
	let depth = 0;
	let isNext = false;
	let start: number | undefined;
	let end: number | undefined;
	visit(message, {
		onObjectProperty: name => void (isNext = depth === 1 && name === 'result'),
		onObjectBegin: offset => {
			if (isNext) {
				[start, end, isNext] = [offset, undefined, false];
			}
			depth++;
		},
		onArrayBegin: () => void (isNext = false),
		onObjectEnd: (offset, length) => {
			depth--;
			if (depth === 1 && start !== undefined) {
				end ??= offset + length;
			}
		},
	});
	return end === undefined ? undefined : message.slice(start, end);
}

/** Levels that are indented. With all levels, a server could make the text grow by the square of its length. */
const maxIndented = 200;

/** Valid JSON, indented by two spaces like `JSON.stringify` does, with every token as it is. */
export function indentSource(json: string): string {
	let depth = 0;
	let before = '';
	let text = '';
	const line = (): string => `\n${'  '.repeat(Math.min(depth, maxIndented))}`;
	for (const [token] of json.matchAll(tokens)) {
		if (token === '}' || token === ']') {
			depth--;
			text += before === '{' || before === '[' ? token : line() + token;
		} else {
			const begins = before === '{' || before === '[' || before === ',';
			text += (begins ? line() : '') + (token === ':' ? ': ' : token);
			depth += token === '{' || token === '[' ? 1 : 0;
		}
		before = token;
	}
	return text;
}

/** Whether a number of valid JSON would be written otherwise after it was parsed. */
export function hasOtherNumbers(json: string): boolean {
	return Array.from(json.matchAll(tokens)).some(([it]) => /^[-\d]/.test(it) && String(Number(it)) !== it);
}
