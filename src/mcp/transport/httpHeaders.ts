/**
 * The HTTP headers with which the modern era repeats parts of the body. Spec 2026-07-28, basic/transports/
 * streamable-http, "Request Metadata", "Custom Headers from Tool Parameters".
 */
import { encodeBase64 } from '../../base/base64.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';

/** A tool argument that is also sent in a header. */
export interface ParamHeader {
	/** The complete header name in lower case: `mcp-param-region`. */
	readonly name: string;
	/** Names of properties, from the outermost to the innermost. */
	readonly path: readonly string[];
}

const annotation = 'x-mcp-header';
const prefix = 'mcp-param-';
const primitives: ReadonlySet<unknown> = new Set(['integer', 'string', 'boolean']);
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Schemas nested more deeply are hostile; annotations in them are ignored. */
const maxDepth = 100;

/** Keywords that hold schemas by name. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);
/** Keywords that hold data. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples', 'example']);

const sentinel = /^=\?base64\?.*\?=$/s;
const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

/**
 * Encodes a value for a header. Spec, "Value Encoding": values that are not plain ASCII, have white space at an end,
 * or look encoded already are encoded in base64.
 */
export function encodeHeaderValue(value: string): string {
	if (plain.test(value) && !sentinel.test(value)) {
		return value;
	}
	return `=?base64?${encodeBase64(new TextEncoder().encode(value))}?=`;
}

/**
 * Reads the annotations of a tool's input schema. A tool with problems is invalid. Spec: clients on HTTP "MUST exclude the
 * invalid tool". A problem is a text for logs: the place in the schema, and what is wrong there.
 */
export function readParamHeaders(inputSchema: unknown): { headers: ParamHeader[]; problems: string[] } {
	const headers: ParamHeader[] = [];
	const problems: string[] = [];
	const names = new Set<string>();
	visitSchema(inputSchema, '', [], (schema, at, path) => {
		const value = schema[annotation];
		const why = checkAnnotation(value, schema, path, names);
		if (why) {
			problems.push(`${at} ${why}`);
		} else if (typeof value === 'string' && path) {
			names.add(value.toLowerCase());
			headers.push({ name: prefix + value.toLowerCase(), path });
		}
	});
	return { headers, problems };
}

/**
 * The headers for one call. Spec: an argument that is absent or `null` has no header. Values other than strings,
 * numbers and booleans have no header either; the server refuses them by its schema.
 */
export function paramHeaders(headers: readonly ParamHeader[], args: JsonObject): Record<string, string> {
	const result: Record<string, string> = {};
	for (const { name, path } of headers) {
		let value: unknown = args;
		for (const key of path) {
			value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
		}
		if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
			result[name] = encodeHeaderValue(String(value));
		}
	}
	return result;
}

function checkAnnotation(
	value: unknown,
	schema: JsonObject,
	path: readonly string[] | undefined,
	names: ReadonlySet<string>,
): string | undefined {
	if (typeof value !== 'string') {
		return 'notString';
	}
	if (value === '') {
		return 'empty';
	}
	// RFC 9110, `tchar`.
	if (!token.test(value)) {
		return 'notToken';
	}
	if (!isPrimitive(schema['type'])) {
		return 'notPrimitive';
	}
	// The path to the schema has other keywords than `properties`, so it isn't certain which argument is meant.
	if (!path || path.length === 0) {
		return 'unreachable';
	}
	return names.has(value.toLowerCase()) ? 'duplicate' : undefined;
}

/** `["string", "null"]` counts too: in the spec, arguments may be `null`, and have no header then. */
function isPrimitive(type: unknown): boolean {
	if (!Array.isArray(type)) {
		return primitives.has(type);
	}
	const others = type.filter(it => it !== 'null');
	return others.length === 1 && primitives.has(others[0]);
}

/**
 * Visits every schema with an annotation. `path` is `undefined` if the schema may not belong to one certain argument.
 */
function visitSchema(
	schema: unknown,
	at: string,
	path: readonly string[] | undefined,
	visit: (schema: JsonObject, at: string, path: readonly string[] | undefined) => void,
	depth = 0,
): void {
	if (!isObject(schema) || depth > maxDepth) {
		return;
	}
	if (Object.hasOwn(schema, annotation)) {
		visit(schema, at, path);
	}
	for (const [key, value] of Object.entries(schema)) {
		const here = `${at}/${key}`;
		if (maps.has(key) && isObject(value)) {
			for (const [name, inner] of Object.entries(value)) {
				const innerPath = key === 'properties' && path ? [...path, name] : undefined;
				visitSchema(inner, `${here}/${name}`, innerPath, visit, depth + 1);
			}
		} else if (Array.isArray(value) && !dataKeywords.has(key)) {
			value.forEach((inner, index) => visitSchema(inner, `${here}/${index}`, undefined, visit, depth + 1));
		} else if (!dataKeywords.has(key)) {
			visitSchema(value, here, undefined, visit, depth + 1);
		}
	}
}
