/**
 * PURE: arguments of a prompt, or variables of a template, as one JSON object that a person edits: every one of them is
 * there, and an empty text is none.
 */
import { getLocation, parse } from 'jsonc-parser';
import { isObject } from '../../mcp/index.js';
import { findJsonExcess, parseBoundedJson } from './boundedJson.js';

/** Values may be whole files; these documents are flat. */
const documentBounds = { maxLength: 16 * 1024 * 1024, maxDepth: 50 };

/** The document to begin with. */
export function argumentsText(names: readonly string[], values: ReadonlyMap<string, string>): string {
	return `${JSON.stringify(Object.fromEntries(names.map(it => [it, values.get(it) ?? ''])), undefined, '\t')}\n`;
}

/** The values of the document, those of unknown names left out; `undefined` if it is no object of texts yet. */
export function readArguments(text: string, names: readonly string[]): Map<string, string> | undefined {
	const read = parseBoundedJson(text, documentBounds);
	const value = 'value' in read ? read.value : undefined;
	if (!isObject(value)) {
		return undefined;
	}
	const values = new Map<string, string>();
	for (const [name, it] of Object.entries(value)) {
		if (typeof it !== 'string' && typeof it !== 'number' && typeof it !== 'boolean') {
			return undefined;
		}
		if (names.includes(name) && it !== '') {
			values.set(name, String(it));
		}
	}
	return values;
}

/** Where somebody types a value. */
export interface ArgumentPlace {
	readonly argument: string;
	/** What stands before the cursor. */
	readonly value: string;
	/** The whole text with its quotes, as offsets: what a chosen value replaces. */
	readonly start: number;
	readonly end: number;
	/** The values of the others, as far as the document can be read. */
	readonly others: Readonly<Record<string, string>>;
}

/** The value at the cursor; `undefined` anywhere but inside of one. The document may be in any state. */
export function argumentAt(text: string, offset: number): ArgumentPlace | undefined {
	if (findJsonExcess(text, documentBounds)) {
		return undefined;
	}
	const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
	const [argument] = path;
	if (typeof argument !== 'string' || path.length !== 1 || isAtPropertyKey || previousNode?.type !== 'string') {
		return undefined;
	}
	const start = previousNode.offset;
	const end = start + previousNode.length;
	if (offset <= start || offset > end) {
		return undefined;
	}
	const typed: unknown = parse(`${text.slice(start, offset)}"`);
	const members: unknown = parse(text);
	const others = Object.entries(isObject(members) ? members : {}).filter(
		(it): it is [string, string] => it[0] !== argument && typeof it[1] === 'string' && it[1] !== '',
	);
	return {
		argument,
		value: typeof typed === 'string' ? typed : '',
		start,
		end,
		others: Object.fromEntries(others),
	};
}
