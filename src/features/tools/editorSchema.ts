/**
 * Makes a server's schema safe for the editor's JSON support, which would download remote `$ref`s, render Markdown, and
 * run costly patterns. Only harmless keywords are kept. The full schema is checked when the arguments are sent.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

/** Keywords that are kept unchanged. */
const plain = [
	/^(?:type|enum|const|default|examples|required|dependentRequired|format|multipleOf|uniqueItems)$/,
	/^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|(?:min|max)(?:Length|Items|Contains|Properties))$/,
];
/** Keywords with a schema or a list of schemas, and those with schemas by name. */
const schemas =
	/^(?:(?:prefixI|additionalI|unevaluatedI|i)tems|contains|(?:additional|unevaluated)Properties|propertyNames|allOf|anyOf|oneOf|not|if|then|else)$/;
const maps = /^(?:properties|\$defs|definitions|dependentSchemas)$/;
const dialects = /^https?:\/\/json-schema\.org\/(draft-07\/schema#?|draft\/2020-12\/schema)$/;

const maxDepth = 60;
/** Largest schema, in characters of JSON. */
const maxSize = 1_000_000;

/** @returns a new schema; `{}`, which allows everything, if the schema is too large */
export function editorSchema(schema: JsonObject): JsonObject {
	const { $schema } = schema;
	const clean = cleanSchema(schema, 0) as JsonObject;
	const result = typeof $schema === 'string' && dialects.test($schema) ? { $schema, ...clean } : clean;
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
	if (plain.some(it => it.test(key))) {
		return value;
	}
	if (key === 'title' || key === 'description') {
		return typeof value === 'string' ? value : undefined;
	}
	if (key === '$ref') {
		return typeof value === 'string' && /^#(\/|$)/.test(value) ? value : undefined;
	}
	if (schemas.test(key)) {
		return Array.isArray(value) ? value.map(it => cleanSchema(it, depth)) : cleanSchema(value, depth);
	}
	return maps.test(key) && isObject(value)
		? Object.fromEntries(Object.entries(value).map(([name, it]) => [name, cleanSchema(it, depth)]))
		: undefined;
}
