/** PURE: looking around in JSON whose places matter. */
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

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

/** Where the key at the end of `path` stands, in UTF-16 units. */
export function offsetOfKey(text: string, path: readonly string[]): number | undefined {
	const root = parseTree(text, [], { allowTrailingComma: true });
	return root && findNodeAtLocation(root, [...path])?.parent?.offset;
}

/** The value at `path` in a text, and whether the text is JSON to its end: what is half-typed has half its values. */
export function valueAt(text: string, path: readonly string[]): { readonly value: unknown; readonly isWhole: boolean } {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	const node = root && findNodeAtLocation(root, [...path]);
	return { value: node && (getNodeValue(node) as unknown), isWhole: errors.length === 0 };
}
