/**
 * Adds, changes and removes servers in the text of `mcp.json`. Comments, indentation and everything else stay as they are;
 * a text that isn't JSON isn't changed.
 */
import {
	createScanner,
	findNodeAtOffset,
	type FormattingOptions,
	getNodeValue,
	type JSONScanner,
	type Node,
} from 'jsonc-parser';
import { configBounds, parseBoundedTree } from '../text/boundedJson.js';
import { setValue } from './jsonEdit.js';
import type { ServerEntry } from './serverEntry.js';
import { describeInput, readInputs, renameInputs, type ServerInput, usedInputs } from './serverInputs.js';

/** What is to be added. */
export interface Addition {
	/** Must not be there yet. */
	readonly name: string;
	readonly entry: ServerEntry;
}

/** Where a file keeps its servers and their inputs. */
export interface ConfigPlaces {
	readonly servers: readonly string[];
	/** Missing where the file has no place for them. */
	readonly inputs: readonly string[] | undefined;
}

/** A text within its limits may grow past them by what is added. */
const editedBounds = { maxLength: 2 * configBounds.maxLength, maxDepth: 2 * configBounds.maxDepth };

export const mcpJsonPlaces: ConfigPlaces = { servers: ['servers'], inputs: ['inputs'] };

export type ConfigEdit =
	| {
			readonly kind: 'edited';
			readonly text: string;
			/** Of the first new server's name. */
			readonly offset: number;
			/** New ids of those inputs whose own was taken. */
			readonly renamed: ReadonlyMap<string, string>;
	  }
	| { readonly kind: 'refused'; readonly why: 'syntax' | 'shape'; readonly offset: number }
	| { readonly kind: 'refused'; readonly why: 'taken'; readonly offset: number; readonly name: string };

/**
 * Adds servers, and those inputs that they use. An input whose id means something else in the file gets a new one.
 * @param eol line break of the file
 */
export function addServers(
	text: string,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
	places: ConfigPlaces,
	eol: string,
): ConfigEdit {
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		return { kind: 'refused', why: 'syntax', offset: excess.offset };
	}
	if (text.trim() !== '' && (error || root?.type !== 'object')) {
		return { kind: 'refused', why: error ? 'syntax' : 'shape', offset: error?.offset ?? 0 };
	}
	for (const path of [places.servers, places.inputs ?? []]) {
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
	const known = readInputs(places.inputs && root ? valueAt(root, places.inputs) : undefined);
	const described = new Set([...inputs, ...known].map(it => it.id));
	const others = additions.flatMap(it => usedInputs(it.entry)).filter(it => !described.has(it));
	const all = [...inputs, ...[...new Set(others)].map(describeInput)];
	const { entries, added, renamed } = withFreeInputs(additions, all, known);
	let edited = text.trim() === '' ? '' : text;
	if (places.inputs) {
		for (const input of added) {
			edited = insert(edited, places.inputs, undefined, input, formatting);
		}
	}
	for (const { name, entry } of entries) {
		edited = insert(edited, places.servers, name, entry, formatting);
	}
	const [first] = additions;
	edited += text.trim() === '' ? eol : '';
	const offset = offsetOf(edited, [...places.servers, first?.name ?? '']);
	return { kind: 'edited', text: edited, offset, renamed };
}

/**
 * Defines an input that a server names already.
 * @param path of the list of inputs
 * @returns `undefined` if the text has mistakes, or something else where the list belongs
 */
export function defineInput(text: string, id: string, path: readonly string[], eol: string): string | undefined {
	const { root, error } = parseBoundedTree(text);
	return !root || error || wrongParent(root, path, true)
		? undefined
		: insert(text, path, undefined, describeInput(id), formattingOf(text, eol));
}

/** One value of a server to set; `path` from the server on. */
export interface ValueChange {
	readonly path: readonly string[];
	readonly value: string;
}

/** Sets values of a server that is there; `undefined` if the text has mistakes, or no such server any more. */
export function changeServer(
	text: string,
	name: string,
	changes: readonly ValueChange[],
	places: ConfigPlaces,
	eol: string,
): string | undefined {
	const { root, error } = parseBoundedTree(text);
	if (!root || error || find(root, [...places.servers, name])?.type !== 'object') {
		return undefined;
	}
	const formattingOptions = formattingOf(text, eol);
	return changes.reduce(
		(before, { path, value }) => setValue(before, [...places.servers, name, ...path], value, formattingOptions),
		text,
	);
}

/**
 * Removes the member whose key begins at `offset`, with its comma and the comment at the end of its line. `jsonc-parser`
 * would also remove the comments above the next member.
 * @returns `undefined` if the text has mistakes, or no key at `offset`
 */
export function removeMember(text: string, offset: number): string | undefined {
	const { root, error } = parseBoundedTree(text);
	const key = root && !error ? findNodeAtOffset(root, offset) : undefined;
	const member = key?.parent;
	if (key?.offset !== offset || member?.type !== 'property' || member.children?.[0] !== key) {
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

/** The offset of the comma after a member, if there is one. */
function commaAfter(text: string, end: number): number | undefined {
	const scanner = createScanner(text);
	scanner.setPosition(end);
	return nextToken(scanner, text) === ',' ? scanner.getTokenOffset() : undefined;
}

/** Extends a range to whole lines, if they contain nothing else but a comment after it. */
function wholeLines(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
	const [indent = ''] = /[ \t]*$/.exec(text.slice(Math.max(0, start - 1000), start)) ?? [];
	const [rest = ''] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n*]*\*\/[ \t]*)?(?:\r\n|\r|\n)/.exec(text.slice(end)) ?? [];
	const isAlone = rest !== '' && /[\r\n]/.test(text[start - indent.length - 1] ?? '');
	return isAlone ? { start: start - indent.length, end: end + rest.length } : { start, end };
}

/** Something on the way to a place that cannot hold it. */
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
	let node: Node | undefined = root;
	for (const key of path) {
		node =
			node?.type === 'object' ? node.children?.find(it => it.children?.[0]?.value === key)?.children?.[1] : undefined;
	}
	return node;
}

function valueAt(root: Node, path: readonly string[]): unknown {
	const node = find(root, path);
	return node && (getNodeValue(node) as unknown);
}

function withFreeInputs(
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
	known: readonly ServerInput[],
): { entries: readonly Addition[]; added: readonly ServerInput[]; renamed: ReadonlyMap<string, string> } {
	const used = new Set(additions.flatMap(it => usedInputs(it.entry)));
	const taken = new Map(known.map(it => [it.id, JSON.stringify(it)]));
	const names = new Map<string, string>();
	const added: ServerInput[] = [];
	for (const input of inputs.filter(it => used.has(it.id))) {
		let { id } = input;
		// The same input, or a free id.
		for (let number = 2; taken.has(id) && taken.get(id) !== JSON.stringify({ ...input, id }); number++) {
			id = `${input.id}-${number}`;
		}
		if (!taken.has(id)) {
			added.push({ ...input, id });
			taken.set(id, JSON.stringify({ ...input, id }));
		}
		if (id !== input.id) {
			names.set(input.id, id);
		}
	}
	const entries = additions.map(({ name, entry }) => ({ name, entry: renameInputs(entry, names) }));
	return { entries, added, renamed: names };
}

/** Puts a member (or, without a key, an element) behind the last one. */
function insert(
	text: string,
	path: readonly string[],
	key: string | undefined,
	value: unknown,
	formatting: FormattingOptions,
): string {
	const { root } = parseBoundedTree(text, editedBounds);
	const parent = root && find(root, path);
	if (root && !parent) {
		const content = key === undefined ? [value] : { [key]: value };
		return insert(text, path.slice(0, -1), path.at(-1), content, formatting);
	}
	const last = parent?.children?.at(-1);
	const place = parent && last && ownLine(text, parent, last);
	if (!last || !place) {
		// jsonc-parser puts it into an empty place, or into a line with others.
		return setValue(text, [...path, key ?? -1], value, formatting, key === undefined);
	}
	// By hand, because jsonc-parser would put it between the last member and the comment behind it.
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

/** Where the line of the last member ends, if it begins one and nothing else follows there. */
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
	const scanner = createScanner(text);
	scanner.setPosition(end);
	let hasComma = false;
	// Blanks, a comma and comments up to the end of the line.
	for (let piece = nextPiece(scanner, text); !/^[\r\n]/.test(piece); piece = nextPiece(scanner, text)) {
		if (piece === ',') {
			hasComma = true;
		} else if (!isTrivia(piece) || /[\r\n]/.test(piece)) {
			return undefined;
		}
	}
	const offset = end + text.slice(end, scanner.getTokenOffset()).trimEnd().length;
	// A comma in a line of its own is left to jsonc-parser.
	return !hasComma && nextToken(scanner, text) === ',' ? undefined : { offset, indent, hasComma };
}

/** A token, or blanks, a line break or a comment; empty at the end. */
function nextPiece(scanner: JSONScanner, text: string): string {
	scanner.scan();
	return text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
}

function nextToken(scanner: JSONScanner, text: string): string {
	let piece = nextPiece(scanner, text);
	while (isTrivia(piece)) {
		piece = nextPiece(scanner, text);
	}
	return piece;
}

function isTrivia(piece: string): boolean {
	return /^(?:\s|\/[/*])/.test(piece);
}

/** The indentation that the text has; tabs where it has none. */
function formattingOf(text: string, eol: string): FormattingOptions {
	const [, indent = '\t'] = /[\r\n]([ \t]+)\S/.exec(text) ?? [];
	return indent.startsWith('\t')
		? { insertSpaces: false, tabSize: 4, eol }
		: { insertSpaces: true, tabSize: indent.length, eol };
}

/** Where a member stands; 0 if there is none. */
function offsetOf(text: string, path: readonly string[]): number {
	const { root } = parseBoundedTree(text, editedBounds);
	const parent = root && find(root, path.slice(0, -1));
	return parent?.children?.find(it => it.children?.[0]?.value === path.at(-1))?.offset ?? 0;
}
