/**
 * PURE: a schema of a server as the editor's own JSON support may have it. That would fetch what a `$ref` leads to, render
 * the Markdown of its own keywords, and run patterns that never end: only what is harmless is handed on. Our own
 * checker looks at the whole schema before anything is sent.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

/** Kept as they are. */
const plain = new Set([
	'type',
	'enum',
	'const',
	'default',
	'examples',
	'required',
	'dependentRequired',
	'format',
	'multipleOf',
	'minimum',
	'maximum',
	'exclusiveMinimum',
	'exclusiveMaximum',
	'minLength',
	'maxLength',
	'minItems',
	'maxItems',
	'uniqueItems',
	'minContains',
	'maxContains',
	'minProperties',
	'maxProperties',
]);
const texts = new Set(['title', 'description']);
const schemas = new Set([
	'items',
	'additionalItems',
	'additionalProperties',
	'unevaluatedItems',
	'unevaluatedProperties',
	'contains',
	'propertyNames',
	'not',
	'if',
	'then',
	'else',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const dialects = /^https?:\/\/json-schema\.org\/(draft-07\/schema#?|draft\/2020-12\/schema)$/;

const maxDepth = 60;
const maxText = 2000;
/** Characters; past it, the editor gets no schema at all. */
const maxSize = 1_000_000;

/** @returns a schema of its own; `{}`, which allows everything, for what is too large */
export function editorSchema(schema: JsonObject): JsonObject {
	const clean = cleanSchema(schema, 0);
	const { $schema } = schema;
	const root = isObject(clean) ? clean : {};
	const dialect = typeof $schema === 'string' && dialects.test($schema) ? { $schema } : {};
	const result = { ...dialect, ...root };
	return isSmall(result) ? result : {};
}

function isSmall(schema: JsonObject): boolean {
	try {
		return JSON.stringify(schema).length <= maxSize;
	} catch {
		// A default can be nested without end, too.
		return false;
	}
}

function cleanSchema(schema: unknown, depth: number): unknown {
	if (!isObject(schema) || depth > maxDepth) {
		return typeof schema === 'boolean' ? schema : {};
	}
	const kept = Object.entries(schema).flatMap(([key, value]) => {
		const clean = cleanKeyword(key, value, depth + 1);
		return clean === undefined ? [] : [[key, clean] as const];
	});
	const clean = Object.fromEntries(kept);
	if ('patternProperties' in schema) {
		// Without them, it would call wrong what they allow.
		delete clean['additionalProperties'];
		delete clean['unevaluatedProperties'];
	}
	return clean;
}

function cleanKeyword(key: string, value: unknown, depth: number): unknown {
	if (plain.has(key)) {
		return value;
	}
	if (texts.has(key)) {
		return typeof value === 'string' ? value.slice(0, maxText) : undefined;
	}
	if (key === '$ref') {
		return typeof value === 'string' && /^#(\/|$)/.test(value) ? value : undefined;
	}
	if (lists.has(key) || (key === 'items' && Array.isArray(value))) {
		return Array.isArray(value) ? value.map(it => cleanSchema(it, depth)) : undefined;
	}
	if (schemas.has(key)) {
		return isObject(value) || typeof value === 'boolean' ? cleanSchema(value, depth) : undefined;
	}
	if (maps.has(key)) {
		return isObject(value)
			? Object.fromEntries(Object.entries(value).map(([name, it]) => [name, cleanSchema(it, depth)]))
			: undefined;
	}
	return undefined;
}
