/**
 * Adds, changes and removes servers in the text of `mcp.json`. Comments, indentation and everything else stay as they are;
 * a text that isn't JSON isn't changed.
 */
import {
	applyEdits,
	findNodeAtLocation,
	findNodeAtOffset,
	type FormattingOptions,
	getNodeValue,
	type JSONPath,
	modify,
	type Node,
} from 'jsonc-parser';
import { textLimits } from '../../mcp/index.js';
import { parseBoundedTree } from '../text/boundedJson.js';
import { offsetOfKey } from '../text/jsonNodes.js';
import type { ConfigSource } from './serverDefinition.js';
import type { ServerEntry } from './serverEntry.js';
import { describeInput, toServerInputs, renameInputs, type ServerInput, usedInputs } from './serverInputs.js';
import { findPlaces, membersLikeServers } from './serverPlaces.js';
import { toPlainVariables } from './variables.js';

/** A server to add. */
export interface Addition {
	/** A name that the file doesn't have yet. */
	readonly name: string;
	readonly entry: ServerEntry;
}

/** The longest text after additions, in UTF-16 units. */
const maxEditedLength = 2 * textLimits.configFile;

/** Decides whether an added input may share an identical input of the file, and the value that is kept for it. */
export type MayShare = (input: ServerInput, id: string) => boolean;

export type ConfigEdit =
	| {
			readonly kind: 'edited';
			readonly text: string;
			/** Position of the first new server's name, in UTF-16 units. */
			readonly offset: number;
			/** The new ids of inputs whose ids were taken, by the old ids. */
			readonly renamed: ReadonlyMap<string, string>;
	  }
	| { readonly kind: 'refused'; readonly why: 'syntax' | 'shape'; readonly offset: number }
	| { readonly kind: 'refused'; readonly why: 'taken'; readonly offset: number; readonly name: string };

/**
 * Adds servers, and the inputs that they use. An input whose id the file defines differently gets a new id.
 * @param eol line break of the file
 */
export function addServers(
	text: string,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
	kind: ConfigSource['kind'],
	eol: string,
	mayShare: MayShare = () => true,
): ConfigEdit {
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		return { kind: 'refused', why: 'syntax', offset: excess.offset };
	}
	if (text.trim() !== '' && (error || root?.type !== 'object')) {
		return { kind: 'refused', why: error ? 'syntax' : 'shape', offset: error?.offset ?? 0 };
	}
	const places = findPlaces(root, kind);
	for (const path of [places.servers, places.inputs]) {
		const wrong = root && wrongParent(root, path, path === places.inputs);
		if (wrong) {
			return { kind: 'refused', why: 'shape', offset: wrong.offset };
		}
	}
	const servers = root && find(root, places.servers);
	for (const { name } of additions) {
		const there = servers?.children?.find(it => it.children?.[0]?.value === name);
		if (there) {
			return { kind: 'refused', why: 'taken', offset: there.offset, name };
		}
	}
	const formatting = formattingOf(text, eol);
	const listed = root && find(root, places.inputs);
	const known = toServerInputs(listed && (getNodeValue(listed) as unknown));
	const described = new Set([...inputs, ...known].map(it => it.id));
	const others = additions.flatMap(it => usedInputs(it.entry)).filter(it => !described.has(it));
	const all = [...inputs, ...[...new Set(others)].map(describeInput)];
	const variables = (text + JSON.stringify(additions)).matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)/g);
	const names = kind === 'projectRoot' ? Array.from(variables, it => it[1] ?? '') : undefined;
	const { entries, added, renamed } = withFreeInputs(additions, all, known, names, mayShare);
	let edited = text.trim() === '' ? '' : text;
	for (const input of added) {
		edited = insert(edited, places.inputs, undefined, input, formatting);
	}
	for (const { name, entry } of entries) {
		edited = insert(edited, places.servers, name, entry, formatting);
	}
	const [first] = additions;
	edited += text.trim() === '' ? eol : '';
	const offset = offsetOfKey(edited, [...places.servers, first?.name ?? ''], maxEditedLength) ?? 0;
	return { kind: 'edited', text: edited, offset, renamed };
}

/**
 * Defines an input that a server already uses.
 * @returns `undefined` if the text has mistakes, or another value in place of the list
 */
export function defineInput(text: string, id: string, kind: ConfigSource['kind'], eol: string): string | undefined {
	const { root, error } = parseBoundedTree(text);
	const { inputs } = findPlaces(root, kind);
	return !root || error || wrongParent(root, inputs, true)
		? undefined
		: insert(text, inputs, undefined, describeInput(id), formattingOf(text, eol));
}

/**
 * Corrects a wrong key of servers, which begins at `offset`: renames it, or, if the servers are one level deeper, replaces
 * the member with its own members.
 * @returns `undefined` if no key begins at `offset`
 */
export function correctServersKey(text: string, offset: number, kind: ConfigSource['kind']): string | undefined {
	const { root } = parseBoundedTree(text);
	const key = root && findNodeAtOffset(root, offset);
	const [, value] = key?.parent?.children ?? [];
	const [first] = value?.children ?? [];
	const last = value?.children?.at(-1);
	if (!key?.parent || !first || !last) {
		return undefined;
	}
	const isDirect = membersLikeServers(value).length > 0;
	const { offset: start, length } = isDirect ? key : key.parent;
	const corrected = isDirect
		? JSON.stringify(findPlaces(undefined, kind).key)
		: text.slice(first.offset, last.offset + last.length);
	return text.slice(0, start) + corrected + text.slice(start + length);
}

/** A value of a server to set. `path` is relative to the server. */
export interface ValueChange {
	readonly path: readonly string[];
	readonly value: string;
}

/** Sets values of an existing server. Returns `undefined` if the text has mistakes, or no longer has the server. */
export function changeServer(
	text: string,
	name: string,
	changes: readonly ValueChange[],
	kind: ConfigSource['kind'],
	eol: string,
): string | undefined {
	const { root, error } = parseBoundedTree(text);
	const { servers } = findPlaces(root, kind);
	if (!root || error || find(root, [...servers, name])?.type !== 'object') {
		return undefined;
	}
	const formattingOptions = formattingOf(text, eol);
	const plain = (value: string): string => (kind === 'projectRoot' ? toPlainVariables(value) : value);
	return changes.reduce(
		(before, { path, value }) => setValue(before, [...servers, name, ...path], plain(value), formattingOptions),
		text,
	);
}

/**
 * Removes the member whose key begins at `offset`, or the list element that begins there, with its comma and the comment at
 * the end of its line. `jsonc-parser` would also remove the comments above the next member.
 * @returns `undefined` if the text has mistakes, or no key at `offset`
 */
export function removeMember(text: string, offset: number): string | undefined {
	const { root, error } = parseBoundedTree(text);
	const first = root && !error ? findNodeAtOffset(root, offset) : undefined;
	const member = first?.parent?.type === 'array' ? first : first?.parent;
	const isKey = member === first || (member?.type === 'property' && member.children?.[0] === first);
	if (!member || first?.offset !== offset || !isKey) {
		return undefined;
	}
	const siblings = member.parent?.children ?? [];
	const previous = siblings[siblings.indexOf(member) - 1];
	const end = member.offset + member.length;
	const comma = commaAfter(text, end);
	const own = wholeLines(text, member.offset, comma === undefined ? end : comma + 1);
	const danglingComma =
		comma === undefined && previous ? commaAfter(text, previous.offset + previous.length) : undefined;
	if (danglingComma === undefined) {
		return text.slice(0, own.start) + text.slice(own.end);
	}
	const between = text.slice(danglingComma + 1, own.start);
	return text.slice(0, danglingComma) + (/^[ \t]*$/.test(between) ? '' : between) + text.slice(own.end);
}

/** Matches white space and comments up to a comma. */
const untilComma = /(?:\s|\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*,/y;

/** The offset of the comma after a member, if there is one. */
function commaAfter(text: string, end: number): number | undefined {
	untilComma.lastIndex = end;
	return untilComma.test(text) ? untilComma.lastIndex - 1 : undefined;
}

/** Extends a range to whole lines, if they contain nothing else but a comment after it. */
function wholeLines(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
	const [indent = ''] = /[ \t]*$/.exec(text.slice(Math.max(0, start - 1000), start)) ?? [];
	const [rest = ''] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n*]*\*\/[ \t]*)?(?:\r\n|\r|\n)/.exec(text.slice(end)) ?? [];
	const isAlone = rest !== '' && /[\r\n]/.test(text[start - indent.length - 1] ?? '');
	return isAlone ? { start: start - indent.length, end: end + rest.length } : { start, end };
}

/** The node on a path that has the wrong type, so that nothing can be added at the path. */
function wrongParent(root: Node, path: readonly string[], isList: boolean): Node | undefined {
	for (let length = 1; length <= path.length; length++) {
		const node = find(root, path.slice(0, length));
		const expected = isList && length === path.length ? 'array' : 'object';
		if (node && node.type !== expected) {
			return node;
		}
	}
	return undefined;
}

function find(root: Node, path: readonly string[]): Node | undefined {
	return findNodeAtLocation(root, [...path]);
}

/**
 * Renames inputs whose ids are taken. Returns the additions with the new ids, and the inputs to add.
 * @param names names of environment variables that no input may have, in a file whose inputs are named like these
 */
function withFreeInputs(
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
	known: readonly ServerInput[],
	names: readonly string[] | undefined,
	mayShare: MayShare,
): { entries: readonly Addition[]; added: readonly ServerInput[]; renamed: ReadonlyMap<string, string> } {
	const used = new Set(additions.flatMap(it => usedInputs(it.entry)));
	const others = (names ?? []).map((it): [string, string] => [it, '']);
	const taken = new Map([...others, ...known.map((it): [string, string] => [it.id, JSON.stringify(it)])]);
	const renamed = new Map<string, string>();
	const added: ServerInput[] = [];
	for (const input of inputs.filter(it => used.has(it.id))) {
		const base = names
			? input.id
					.toUpperCase()
					.replaceAll(/\W+/g, '_')
					.replace(/^(?=\d)/, '_')
			: input.id;
		let id = base;
		const isFree = (): boolean =>
			!taken.has(id) || (taken.get(id) === JSON.stringify({ ...input, id }) && mayShare(input, id));
		// Ends at an identical input, or at a free id.
		for (let number = 2; !isFree(); number++) {
			id = `${base}${names ? '_' : '-'}${number}`;
		}
		if (!taken.has(id)) {
			added.push({ ...input, id });
			taken.set(id, JSON.stringify({ ...input, id }));
		}
		if (id !== input.id) {
			renamed.set(input.id, id);
		}
	}
	const ids = new Set([...known, ...added].map(it => it.id));
	const entries = additions.map(({ name, entry }) => {
		const other = renameInputs(entry, renamed);
		return { name, entry: names ? (JSON.parse(toPlainVariables(JSON.stringify(other), ids)) as ServerEntry) : other };
	});
	return { entries, added, renamed };
}

/** Inserts a member (or an element, if `key` is undefined) after the last one. */
function insert(
	text: string,
	path: readonly string[],
	key: string | undefined,
	value: unknown,
	formatting: FormattingOptions,
): string {
	const { root } = parseBoundedTree(text, maxEditedLength);
	const parent = root && find(root, path);
	if (root && !parent) {
		const content = key === undefined ? [value] : { [key]: value };
		return insert(text, path.slice(0, -1), path.at(-1), content, formatting);
	}
	const last = parent?.children?.at(-1);
	const place = parent && last && ownLine(text, parent, last);
	if (!last || !place) {
		// jsonc-parser inserts into an empty parent, or into a line with other members.
		return setValue(text, [...path, key ?? -1], value, formatting, key === undefined);
	}
	// jsonc-parser would insert between the last member and the comment after it.
	const { eol = '\n' } = formatting;
	const unit = formatting.insertSpaces === true ? ' '.repeat(formatting.tabSize ?? 4) : '\t';
	const json = JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${place.indent}`);
	const member = key === undefined ? json : `${JSON.stringify(key)}: ${json}`;
	const comma = place.hasComma ? '' : ',';
	const end = last.offset + last.length;
	return [
		text.slice(0, end),
		comma,
		text.slice(end, place.offset),
		`${eol}${place.indent}${member}${place.hasComma ? ',' : ''}`,
		text.slice(place.offset),
	].join('');
}

/** Matches white space, commas and comments up to the end of the line. */
const untilLineEnd = /(?:[ \t,]|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/)*(?:\/\/[^\r\n]*)?(?=[\r\n])/y;

/** The end of the last member's line, if the line has nothing else but a comma and comments. */
function ownLine(
	text: string,
	parent: Node,
	last: Node,
): { offset: number; indent: string; hasComma: boolean } | undefined {
	const lineStart = Math.max(text.lastIndexOf('\n', last.offset), text.lastIndexOf('\r', last.offset)) + 1;
	const indent = text.slice(lineStart, last.offset);
	if (lineStart <= parent.offset || /\S/.test(indent)) {
		return undefined;
	}
	const end = last.offset + last.length;
	untilLineEnd.lastIndex = end;
	const rest = untilLineEnd.exec(text)?.[0];
	const comma = commaAfter(text, end);
	// If the comma is in another line, jsonc-parser inserts the member.
	return rest === undefined || (comma !== undefined && comma >= end + rest.length)
		? undefined
		: { offset: end + rest.trimEnd().length, indent, hasComma: comma !== undefined };
}

/** The indentation of the text; tabs if no line is indented. */
function formattingOf(text: string, eol: string): FormattingOptions {
	const [, indent = '\t'] = /[\r\n]([ \t]+)\S/.exec(text) ?? [];
	return indent.startsWith('\t')
		? { insertSpaces: false, tabSize: 4, eol }
		: { insertSpaces: true, tabSize: indent.length, eol };
}

/**
 * UTF-16 units. `jsonc-parser` formats the whole line that it changes, which takes quadratic time, so nothing is formatted
 * in a text with a longer line.
 */
const maxLine = 1000;

/** The text with a new value at a path, or with a new element of a list there. */
function setValue(text: string, path: JSONPath, value: unknown, formatting: FormattingOptions, isNew = false): string {
	const formattingOptions = text.split(/[\r\n]/).some(it => it.length > maxLine) ? undefined : formatting;
	const options = { ...(formattingOptions && { formattingOptions }), isArrayInsertion: isNew };
	return applyEdits(text, modify(text, path, value, options));
}
