/** PURE: looking around in JSON whose places matter. */
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { type JsonBounds, maxJsonDepth, parseBoundedTree } from './boundedJson.js';

/** Key and value of each member; half-typed members without a value are passed over. */
export function members(node: Node): [key: Node, value: Node][] {
	const result: [Node, Node][] = [];
	for (const property of node.children ?? []) {
		const [key, value] = property.children ?? [];
		if (key && value) {
			result.push([key, value]);
		}
	}
	return result;
}

export function child(node: Node, key: string): Node | undefined {
	return members(node).find(([it]) => it.value === key)?.[1];
}

/** The value of a member if it is a text; it may be anything else without being a mistake. */
export function textOf(parent: Node, key: string): string | undefined {
	const value: unknown = child(parent, key)?.value;
	return typeof value === 'string' ? value : undefined;
}

/** A member that may be called one thing or another: the first that is there. */
export function firstChild(node: Node | undefined, ...names: string[]): NamedNode | undefined {
	for (const name of names) {
		const value = node && child(node, name);
		if (value) {
			return { name, value };
		}
	}
	return undefined;
}

export interface NamedNode {
	readonly name: string;
	readonly value: Node;
}

/** The person's settings may hold more than a file of servers does. */
const settingsBounds: JsonBounds = { maxLength: 16 * 1024 * 1024, maxDepth: maxJsonDepth };

/** Where the key at the end of `path` stands, in UTF-16 units. */
export function offsetOfKey(text: string, path: readonly string[]): number | undefined {
	const { root } = parseBoundedTree(text, settingsBounds);
	return root && findNodeAtLocation(root, [...path])?.parent?.offset;
}

/** The value at `path` in a text, and whether the text is JSON to its end: what is half-typed has half its values. */
export function valueAt(text: string, path: readonly string[]): { readonly value: unknown; readonly isWhole: boolean } {
	const { root, error } = parseBoundedTree(text, settingsBounds);
	const node = root && findNodeAtLocation(root, [...path]);
	return { value: node && (getNodeValue(node) as unknown), isWhole: error === undefined };
}
