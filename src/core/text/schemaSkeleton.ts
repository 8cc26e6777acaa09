/** Makes the first content of a JSON document from a server's schema: the required properties, with prescribed values. */
import { isObject, type JsonObject, resolveSchema } from '../../mcp/index.js';

/** Nesting depth and members of all objects together, because references can be cyclic. */
const maxDepth = 8;
const maxMembers = 200;

/**
 * An object with every required property, nested ones too. A value that the schema doesn't prescribe is `null` or empty:
 * the editor marks it as a mistake, so that it isn't sent unnoticed.
 */
export function skeletonOf(schema: JsonObject): JsonObject {
	return objectOf(resolveSchema(schema, schema), { root: schema, left: maxMembers }, 0);
}

interface Bounds {
	readonly root: JsonObject;
	left: number;
}

function objectOf({ required, properties }: JsonObject, bounds: Bounds, depth: number): JsonObject {
	const names = new Set<unknown>(Array.isArray(required) && depth <= maxDepth ? required : []);
	const entries: [string, unknown][] = [];
	for (const name of names) {
		if (typeof name === 'string' && bounds.left-- > 0) {
			const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
			entries.push([name, valueOf(property, bounds, depth + 1)]);
		}
	}
	return Object.fromEntries(entries);
}

function valueOf(property: unknown, bounds: Bounds, depth: number): unknown {
	const schema = resolveSchema(isObject(property) ? property : {}, bounds.root);
	const { type, enum: options, properties, items, minItems } = schema;
	for (const key of ['const', 'default']) {
		if (Object.hasOwn(schema, key)) {
			return schema[key];
		}
	}
	if (Array.isArray(options) && options.length === 1) {
		return options[0] as unknown;
	}
	switch (type ?? (isObject(properties) ? 'object' : undefined)) {
		case 'string':
			return '';
		case 'object':
			return objectOf(schema, bounds, depth);
		case 'array':
			// One element as an example, if the schema requires any.
			return Number(minItems) > 0 && depth <= maxDepth && bounds.left-- > 0 ? [valueOf(items, bounds, depth + 1)] : [];
		default:
			return null;
	}
}
