/**
 * Chooses the kind of form field for a JSON Schema, in every dialect that servers use. Unknown keywords are ignored. Values
 * that a single input can't hold (nested objects, unions) are of kind `json`.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { FieldKind, Option } from './form.js';
import { localTarget } from './ownPath.js';

/** References that are followed in a row; they may be cyclic. */
const maxReferences = 16;

/**
 * A schema with its local references resolved. Keywords beside a `$ref` take precedence; if the reference can't be
 * resolved, only they remain.
 */
export function resolve(schema: JsonObject, root: JsonObject): JsonObject {
	let resolved = schema;
	for (let hops = 0; hops < maxReferences; hops++) {
		const { $ref, allOf, ...rest } = resolved;
		// Generators wrap a `$ref` in an `allOf` with one item, to add a description.
		const target =
			typeof $ref === 'string'
				? localTarget(root, $ref)
				: Array.isArray(allOf) && allOf.length === 1
					? (allOf[0] as unknown)
					: undefined;
		if (target === undefined) {
			return resolved;
		}
		if (!isObject(target)) {
			return rest;
		}
		resolved = { ...target, ...rest };
	}
	return {};
}

/** Separates `null` from a schema: `["string", "null"]`, `anyOf` with a null, or OpenAPI's `nullable`. */
export function withoutNull(
	schema: JsonObject,
	root: JsonObject,
): { readonly schema: JsonObject; readonly nullable: boolean } {
	const { type } = schema;
	if (Array.isArray(type) && type.includes('null')) {
		const others = type.filter(it => it !== 'null');
		return { schema: { ...schema, type: others.length === 1 ? (others[0] as unknown) : others }, nullable: true };
	}
	for (const keyword of ['anyOf', 'oneOf']) {
		const variants = schema[keyword];
		if (Array.isArray(variants) && variants.length > 1) {
			const others = variants.filter(it => !(isObject(it) && (it['type'] === 'null' || it['const'] === null)));
			if (others.length === variants.length - 1) {
				const { [keyword]: _, ...rest } = schema;
				const [only] = others as readonly unknown[];
				const merged =
					others.length === 1 && isObject(only) ? { ...resolve(only, root), ...rest } : { ...rest, [keyword]: others };
				return { schema: merged, nullable: true };
			}
		}
	}
	return { schema, nullable: schema['nullable'] === true };
}

/** The kind of field for a schema whose references are resolved and that doesn't allow `null`. */
export function fieldKind(schema: JsonObject, root: JsonObject): FieldKind {
	const options = readOptions(schema, root);
	if (options) {
		return { kind: 'choice', options };
	}
	switch (schema['type']) {
		case 'string': {
			const { minLength, maxLength, format } = schema;
			return {
				kind: 'string',
				minLength: number(minLength),
				maxLength: number(maxLength),
				format: text(format),
			};
		}
		case 'integer':
			return { kind: 'integer', ...range(schema) };
		case 'number':
			return { kind: 'number', ...range(schema) };
		case 'boolean':
			return { kind: 'boolean' };
		case 'array': {
			const items = isObject(schema['items']) ? readOptions(resolve(schema['items'], root), root) : undefined;
			if (items) {
				const { minItems, maxItems, uniqueItems } = schema;
				return {
					kind: 'choices',
					options: items,
					minItems: number(minItems),
					maxItems: number(maxItems),
					uniqueItems: uniqueItems === true,
				};
			}
			return { kind: 'json' };
		}
		default:
			return { kind: 'json' };
	}
}

type Range = Omit<Extract<FieldKind, { kind: 'number' | 'integer' }>, 'kind'>;

/** Generators still use the form of draft-04: `minimum: 0, exclusiveMinimum: true`. */
function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): Range {
	return {
		minimum: exclusiveMinimum === true ? undefined : number(minimum),
		maximum: exclusiveMaximum === true ? undefined : number(maximum),
		exclusiveMinimum: number(exclusiveMinimum === true ? minimum : exclusiveMinimum),
		exclusiveMaximum: number(exclusiveMaximum === true ? maximum : exclusiveMaximum),
	};
}

/** `enum` (with the older `enumNames`), `const`, or `oneOf`/`anyOf` of titled constants. */
function readOptions(schema: JsonObject, root: JsonObject): Option[] | undefined {
	const values = schema['enum'];
	if (Array.isArray(values) && values.length > 0) {
		const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
		return values.map((value: unknown, index) => ({ value, title: text(names[index]) ?? plain(value) }));
	}
	if (Object.hasOwn(schema, 'const')) {
		return [{ value: schema['const'], title: plain(schema['const']) }];
	}
	const variants = schema['oneOf'] ?? schema['anyOf'];
	if (!Array.isArray(variants) || variants.length === 0) {
		return undefined;
	}
	const constants = variants.map(it => (isObject(it) ? resolve(it, root) : {}));
	return constants.every(it => Object.hasOwn(it, 'const'))
		? constants.map(it => ({ value: it['const'], title: text(it['title']) ?? plain(it['const']) }))
		: undefined;
}

function plain(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}

export function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
