/** Finds nodes of a parsed JSON text, for callers that need the positions of keys and values. */
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { parseBoundedTree } from './boundedJson.js';

/** A range of a text in UTF-16 units. */
export interface TextRange {
	readonly offset: number;
	readonly length: number;
}

/** The range of a node, without its other properties. */
export function rangeOf({ offset, length }: TextRange): TextRange {
	return { offset, length };
}

/** Key and value of each member. Members without a value, which are being typed, are skipped. */
export function members(node: Node | undefined): [key: Node, value: Node][] {
	const result: [Node, Node][] = [];
	for (const property of node?.children ?? []) {
		const [key, value] = property.children ?? [];
		if (key && value) {
			result.push([key, value]);
		}
	}
	return result;
}

/** The value of a member of an object. */
export function child(node: Node, key: string): Node | undefined {
	return findNodeAtLocation(node, [key]);
}

/** The value of a member if it is a text; `undefined` for a value of another type. */
export function textOf(parent: Node, key: string): string | undefined {
	const value: unknown = child(parent, key)?.value;
	return typeof value === 'string' ? value : undefined;
}

/** In UTF-16 units. The person's settings may be larger than a configuration file. */
const maxSettingsLength = 16 * 1024 * 1024;

/** The offset of the key at the end of `path`, in UTF-16 units. */
export function offsetOfKey(text: string, path: readonly string[], maxLength = maxSettingsLength): number | undefined {
	const { root } = parseBoundedTree(text, maxLength);
	return root && findNodeAtLocation(root, [...path])?.parent?.offset;
}

/** The value at `path` in a text, and whether the whole text is JSON. If it isn't, values may be incomplete or missing. */
export function valueAt(text: string, path: readonly string[]): { readonly value: unknown; readonly isWhole: boolean } {
	const { root, error } = parseBoundedTree(text, maxSettingsLength);
	const node = root && findNodeAtLocation(root, [...path]);
	return { value: node && (getNodeValue(node) as unknown), isWhole: error === undefined };
}
