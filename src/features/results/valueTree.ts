/** PURE: JSON as lines of a tree, a page of one level at a time, so that its size does not matter. */
import type { TreeEntry } from '../../webviews/result/protocol.js';
import { webviewText } from '../../editor/ui/plainText.js';

/** Members that are told at once. */
export const pageSize = 100;

const maxKey = 200;
const maxText = 1000;
/** Characters of the members beside an array. */
const maxPreview = 60;
/** Of what looks like base64: nobody reads it, and the document has all of it. */
const maxBytesText = 40;
const base64 = /^[A-Za-z0-9+/_-]{200}/;

/** What is wrong at a JSON pointer, in words. */
export type Problems = ReadonlyMap<string, string>;

/** The line of a value. @param pointer to it, for its problem */
export function treeEntry(key: string, value: unknown, pointer: string, problems: Problems): TreeEntry {
	return { key: webviewText(key, maxKey), problem: problems.get(pointer), ...describe(value) };
}

/** The members of the value at the end of `path`, from the given one on; of what is not there, none. */
export function treeChildren(
	root: unknown,
	path: readonly number[],
	from: number,
	problems: Problems,
): { readonly entries: TreeEntry[]; readonly left: number } {
	let value = root;
	let pointer = '';
	for (const index of path) {
		const [member] = membersOf(value, index, index + 1);
		if (!member) {
			return { entries: [], left: 0 };
		}
		pointer = `${pointer}/${escaped(member[0])}`;
		[, value] = member;
	}
	const members = membersOf(value, from, from + pageSize);
	return {
		entries: members.map(([key, it]) => treeEntry(key, it, `${pointer}/${escaped(key)}`, problems)),
		left: Math.max(0, countOf(value) - from - members.length),
	};
}

function describe(value: unknown): Pick<TreeEntry, 'kind' | 'value' | 'count'> {
	const count = countOf(value);
	if (Array.isArray(value)) {
		return { kind: 'array', value: `(${count}) ${preview(value)}`, count };
	}
	if (typeof value === 'object' && value !== null) {
		return { kind: 'object', value: `{${count}}`, count };
	}
	if (typeof value === 'string') {
		// As JSON: an empty text is something, and a line break can be seen.
		const max = base64.test(value) ? maxBytesText : maxText;
		return { kind: 'text', value: webviewText(JSON.stringify(value.slice(0, max + 1)), max), count };
	}
	const kind = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'null';
	return { kind, value: String(value), count };
}

/** "[4, 1]": as many members as fit, each on one line. */
function preview(values: readonly unknown[]): string {
	let text = '';
	for (const [index, it] of values.entries()) {
		const next = index === 0 ? shorten(it) : `${text}, ${shorten(it)}`;
		if (next.length > maxPreview) {
			return index === 0 ? '[…]' : `[${text}, …]`;
		}
		text = next;
	}
	return `[${text}]`;
}

function shorten(value: unknown): string {
	if (typeof value === 'object' && value !== null) {
		return Array.isArray(value) ? `(${value.length})` : `{${Object.keys(value).length}}`;
	}
	return typeof value === 'string'
		? webviewText(JSON.stringify(value.slice(0, maxPreview)), maxPreview)
		: String(value);
}

function countOf(value: unknown): number {
	if (Array.isArray(value)) {
		return value.length;
	}
	return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function membersOf(value: unknown, from: number, to: number): [key: string, value: unknown][] {
	if (Array.isArray(value)) {
		return value.slice(from, to).map((it: unknown, index) => [String(from + index), it]);
	}
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	const members = value as Readonly<Record<string, unknown>>;
	return Object.keys(members)
		.slice(from, to)
		.map(key => [key, members[key]]);
}

/** RFC 6901. */
function escaped(key: string): string {
	return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
