/**
 * Makes the first content of a JSON document from its schema: the required properties, with the values that the schema
 * prescribes. `firstGap` finds where to begin typing. Schemas come from servers, so depth and size are limited.
 */
import type { Node } from 'jsonc-parser';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { parseBoundedTree } from './boundedJson.js';
import { members } from './jsonNodes.js';

/** Nesting depth; deeper values are `null`. */
const maxDepth = 8;
/** Members of all objects together. */
const maxMembers = 200;
/** Schemas that apply to one value. */
const maxParts = 50;
/** UTF-16 units of one value as JSON. */
const maxValue = 2000;

/**
 * An object with every required property, nested ones too. A value that the schema doesn't prescribe is `null` or empty:
 * the editor marks it as a mistake, so that it isn't sent unnoticed.
 */
export function skeletonOf(schema: JsonObject): JsonObject {
	return objectOf(partsOf(schema, schema), { root: schema, left: maxMembers, choices: 0 }, 0);
}

interface Bounds {
	readonly root: JsonObject;
	left: number;
	/** More than 0 inside one of several alternatives, whose values aren't filled in: the person chooses an alternative. */
	choices: number;
}

function valueOf(schema: unknown, bounds: Bounds, depth: number): unknown {
	if (depth > maxDepth) {
		return null;
	}
	const parts = partsOf(schema, bounds.root);
	for (const key of bounds.choices > 0 ? [] : ['const', 'default', 'enum']) {
		for (const part of parts.filter(it => Object.hasOwn(it, key))) {
			const { [key]: value } = part;
			const options = key !== 'enum' ? [value] : Array.isArray(value) ? (value as unknown[]) : [];
			if (options.length === 1 && isSmall(options[0])) {
				return options[0];
			}
		}
	}
	switch (typeOf(parts)) {
		case 'string':
			return '';
		case 'object':
			return objectOf(parts, bounds, depth);
		case 'array':
			return arrayOf(parts, bounds, depth);
		case undefined: {
			const choices = parts.flatMap(it => [it['anyOf'], it['oneOf']]).find(it => Array.isArray(it)) as
				| unknown[]
				| undefined;
			return choices ? alternativeOf(choices, bounds, depth + 1) : null;
		}
		default:
			return null;
	}
}

/** A value for the first alternative that isn't `null`, as an example. */
function alternativeOf(choices: readonly unknown[], bounds: Bounds, depth: number): unknown {
	const own = choices.filter(it => !isObject(it) || it['type'] !== 'null');
	const by = own.length > 1 ? 1 : 0;
	bounds.choices += by;
	const value = valueOf(own[0], bounds, depth);
	bounds.choices -= by;
	return value;
}

function objectOf(parts: readonly JsonObject[], bounds: Bounds, depth: number): JsonObject {
	const names = new Set(
		parts.flatMap(({ required }) =>
			(Array.isArray(required) ? (required as unknown[]) : []).filter(it => typeof it === 'string'),
		),
	);
	const entries: [string, unknown][] = [];
	for (const name of names) {
		if (bounds.left-- <= 0) {
			break;
		}
		const schemas = parts.flatMap(({ properties: it }) => (isObject(it) && Object.hasOwn(it, name) ? [it[name]] : []));
		entries.push([name, valueOf(schemas.length === 1 ? schemas[0] : { allOf: schemas }, bounds, depth + 1)]);
	}
	return Object.fromEntries(entries);
}

/** An array with one element as an example if the schema requires any; empty otherwise. */
function arrayOf(parts: readonly JsonObject[], bounds: Bounds, depth: number): unknown[] {
	const needsSome = parts.some(({ minItems }) => typeof minItems === 'number' && minItems > 0);
	const items = parts.map(it => it['items']).find(isObject);
	return needsSome && items && bounds.left-- > 0 ? [valueOf(items, bounds, depth + 1)] : [];
}

/** A schema, and all schemas that it combines by `$ref` and `allOf`, without repetition. */
function partsOf(schema: unknown, root: JsonObject): JsonObject[] {
	const parts: JsonObject[] = [];
	const found = [schema];
	for (let index = 0; index < found.length && parts.length < maxParts; index++) {
		const part = found[index];
		if (isObject(part) && !parts.includes(part)) {
			const { $ref, allOf } = part;
			parts.push(part);
			found.push(typeof $ref === 'string' ? resolveRef(root, $ref) : undefined);
			found.push(...(Array.isArray(allOf) ? (allOf.slice(0, maxParts) as unknown[]) : []));
		}
	}
	return parts;
}

/** Resolves a `$ref` within the root schema; other references are undefined. */
function resolveRef(root: JsonObject, ref: string): unknown {
	const [begin, ...path] = ref.slice(0, maxValue).split('/');
	if (begin !== '#') {
		return undefined;
	}
	let value: unknown = root;
	for (const key of path.map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'))) {
		value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	}
	return value;
}

/** The type that the schemas prescribe or suggest; `other` for an `enum` of other values than strings. */
function typeOf(parts: readonly JsonObject[]): string | undefined {
	const [type] = parts.flatMap(it => it['type'] ?? []).filter(it => it !== 'null');
	if (typeof type === 'string') {
		return type;
	}
	const options = parts.flatMap(it => (Array.isArray(it['enum']) ? (it['enum'] as unknown[]) : []));
	if (options.length > 0) {
		return options.every(it => typeof it === 'string') ? 'string' : 'other';
	}
	return parts.some(it => isObject(it['properties'])) ? 'object' : undefined;
}

function isSmall(value: unknown): boolean {
	try {
		return (JSON.stringify(value)?.length ?? Infinity) <= maxValue;
	} catch {
		// Nested too deeply.
		return false;
	}
}

/**
 * The place to begin typing in a JSON object: its first empty value, or else the end of its first value. An empty span is
 * a cursor.
 * @returns `undefined` if the text isn't an object
 */
export function firstGap(text: string): { readonly start: number; readonly end: number } | undefined {
	const { root } = parseBoundedTree(text);
	if (root?.type !== 'object') {
		return undefined;
	}
	const leaves = leavesOf(root);
	const gap = leaves.find(it => it.type === 'null' || it.value === '' || it.children);
	if (gap?.type === 'null') {
		return { start: gap.offset, end: gap.offset + gap.length };
	}
	const [first] = leaves;
	const cursor = gap ? gap.offset + 1 : first ? endOf(first) : root.offset + 1;
	return { start: cursor, end: cursor };
}

/** The values without members, except for the value of `$schema`. */
function leavesOf(node: Node): Node[] {
	const children =
		node.type === 'object'
			? members(node).flatMap(([key, value]) => (key.value === '$schema' ? [] : [value]))
			: node.type === 'array'
				? (node.children ?? [])
				: [];
	return children.flatMap(it => (isLeaf(it) ? [it] : leavesOf(it)));
}

function isLeaf({ type, children = [] }: Node): boolean {
	return (type !== 'object' && type !== 'array') || children.length === 0;
}

/** The end of a value; of a string, the end of its content. */
function endOf({ type, offset, length }: Node): number {
	return offset + length - (type === 'string' ? 1 : 0);
}
