/**
 * Makes a server's schema safe for the editor's JSON support, which would download remote `$ref`s, render Markdown, and
 * run costly patterns. Only harmless keywords are kept. The full schema is checked when the arguments are sent.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

/** Keywords that are kept unchanged. */
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
/** Largest schema, in characters of JSON. */
const maxSize = 1_000_000;

/** @returns a new schema; `{}`, which allows everything, if the schema is too large */
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
		// A default can be nested too deeply.
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
		// Without the patterns, these keywords would reject properties that the patterns allow.
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
