/** Describes JSON values for a tree, one page of one level at a time, so that large values are no problem. */
import { escapeStep } from '../../base/jsonPointer.js';
import type { TreeEntry } from '../../webviews/page/result/protocol.js';
import { webviewText } from '../ui/plainText.js';

/** Members in one page. */
export const valuePageSize = 100;

/** Limits in characters. */
const maxKey = 200;
const maxText = 1000;
/** For the members that are shown beside an array. */
const maxPreview = 60;
/** For a text that looks like base64. */
const maxBytesText = 40;
const base64 = /^[A-Za-z0-9+/_-]{200}/;

/** Descriptions of problems by JSON pointer. */
export type Problems = ReadonlyMap<string, string>;

/** The entry of a value. @param pointer JSON pointer to the value, for its problem */
export function treeEntry(key: string, value: unknown, pointer: string, problems: Problems): TreeEntry {
	return { key: webviewText(key, maxKey), problem: problems.get(pointer), ...describe(value) };
}

/** A page of members of the value at `path`, beginning with member `from`. Empty if there is no such value. */
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
		pointer = `${pointer}/${escapeStep(member[0])}`;
		[, value] = member;
	}
	const members = membersOf(value, from, from + valuePageSize);
	return {
		entries: members.map(([key, it]) => treeEntry(key, it, `${pointer}/${escapeStep(key)}`, problems)),
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
		// As JSON, so that empty texts and line breaks are visible.
		const max = base64.test(value) ? maxBytesText : maxText;
		return { kind: 'text', value: webviewText(JSON.stringify(value.slice(0, max + 1)), max), count };
	}
	const kind = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'null';
	return { kind, value: String(value), count };
}

/** For example "[4, 1]", with as many members as fit. */
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
