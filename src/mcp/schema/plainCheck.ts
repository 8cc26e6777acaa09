/**
 * Checks values against plain schemas without the engine, which takes 40 ms to load and compile. Most schemas are plain,
 * and most results of tools are valid.
 *
 * The only verdict is "valid", and the engine must agree with it or find the check too costly. All other values are left to
 * the engine: invalid ones, unusual ones, and those that take too long.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import {
	asPlainSchema,
	definitionReference,
	hasPlainFormat,
	isScalar,
	numberFormats,
	type PlainSchema,
} from './plainSchema.js';

/** Subschemas, members and items that one check may visit. */
const maxSteps = 100_000;
const maxDepth = 200;

/** Ends a check that can't decide. Never leaves this file. */
class UndecidedError extends Error {}

/** Caches by identity which schemas are plain. */
export class PlainCheck {
	private readonly known = new WeakMap<JsonObject, { readonly plain: PlainSchema | undefined }>();

	/** True if the value is valid; false if it is invalid or only the engine can tell. Never throws. */
	fits(schema: JsonObject, value: unknown): boolean {
		try {
			const plain = this.plain(schema);
			return plain !== undefined && new Check(plain).fits(plain, value);
		} catch {
			return false;
		}
	}

	private plain(schema: JsonObject): PlainSchema | undefined {
		const known = this.known.get(schema) ?? { plain: asPlainSchema(schema) };
		this.known.set(schema, known);
		return known.plain;
	}
}

/** One check of one value. As in the engine, all keywords are evaluated even if one fails. */
class Check {
	private steps = 0;
	private depth = 0;

	constructor(private readonly root: PlainSchema) {}

	/** Whether the value is valid. @throws UndecidedError */
	readonly fits = (schema: PlainSchema | boolean, value: unknown): boolean => {
		if (typeof schema === 'boolean') {
			return schema;
		}
		this.spend(1);
		if (++this.depth > maxDepth) {
			throw new UndecidedError();
		}
		const fitsAll = this.fitsKeywords(schema, value);
		this.depth--;
		return fitsAll;
	};

	private fitsKeywords(schema: PlainSchema, value: unknown): boolean {
		const { $ref, type, allOf = [], anyOf, oneOf, not } = schema;
		const count = (subschemas: PlainSchema['anyOf'] = []): number =>
			subschemas.filter(it => this.fits(it, value)).length;
		return every([
			this.fitsType(schema, value),
			type === undefined || [type].flat().some(it => isOfType(value, it)),
			schema.enum === undefined || schema.enum.some(it => it === value),
			schema.const === undefined || schema.const === value,
			$ref === undefined || this.fits(this.resolve($ref), value),
			count(allOf) === allOf.length,
			anyOf === undefined || count(anyOf) > 0,
			oneOf === undefined || count(oneOf) === 1,
			not === undefined || !this.fits(not, value),
		]);
	}

	private fitsType(schema: PlainSchema, value: unknown): boolean {
		if (Array.isArray(value)) {
			return this.fitsArray(schema, value);
		}
		if (typeof value === 'object' && value !== null) {
			return this.fitsObject(schema, value as JsonObject);
		}
		if (!isScalar(value)) {
			// The value isn't JSON.
			throw new UndecidedError();
		}
		if (typeof value === 'string') {
			return every([this.hasLength(schema, value), this.hasFormat(schema, value)]);
		}
		return typeof value !== 'number' || this.fitsNumber(schema, value);
	}

	private fitsNumber(schema: PlainSchema, value: number): boolean {
		const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format = '' } = schema;
		if (multipleOf !== undefined && !Number.isSafeInteger(value)) {
			throw new UndecidedError();
		}
		return every([
			minimum === undefined || value >= minimum,
			maximum === undefined || value <= maximum,
			exclusiveMinimum === undefined || value > exclusiveMinimum,
			exclusiveMaximum === undefined || value < exclusiveMaximum,
			multipleOf === undefined || value % multipleOf === 0,
			numberFormats.get(format)?.(value) ?? true,
		]);
	}

	private hasLength({ minLength = 0, maxLength = Infinity }: PlainSchema, text: string): boolean {
		// Lengths are in code points, which have one or two UTF-16 units.
		if (text.length <= maxLength && text.length / 2 >= minLength) {
			return true;
		}
		this.spend(text.length);
		const { length } = Array.from(text);
		return length >= minLength && length <= maxLength;
	}

	private hasFormat({ format }: PlainSchema, text: string): boolean {
		const hasFormat = format === undefined || hasPlainFormat(text, format);
		if (hasFormat === undefined) {
			throw new UndecidedError();
		}
		return hasFormat;
	}

	private fitsArray(schema: PlainSchema, items: readonly unknown[]): boolean {
		const { items: item = true, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
		this.spend(items.length);
		if (uniqueItems && !items.every(isScalar)) {
			throw new UndecidedError();
		}
		return every([
			items.length >= minItems,
			items.length <= maxItems,
			!uniqueItems || new Set(items).size === items.length,
			// Unlike `map`, visits the holes of a sparse array.
			every(Array.from(items, it => this.fits(item, it))),
		]);
	}

	private fitsObject(schema: PlainSchema, object: JsonObject): boolean {
		const { properties = {}, additionalProperties = true, propertyNames = true, required = [] } = schema;
		const { minProperties = 0, maxProperties = Infinity } = schema;
		const members = Object.entries(object);
		this.spend(members.length + required.length);
		const member = (name: string): PlainSchema | boolean =>
			(Object.hasOwn(properties, name) ? properties[name] : undefined) ?? additionalProperties;
		return every([
			members.length >= minProperties,
			members.length <= maxProperties,
			required.every(it => Object.hasOwn(object, it) && object[it] !== undefined),
			every(members.map(([name, it]) => this.fits(member(name), it))),
			every(members.map(([name]) => this.fits(propertyNames, name))),
		]);
	}

	private resolve(ref: string): PlainSchema | boolean {
		const [, map, name = ''] = definitionReference.exec(ref) ?? [];
		if (map === undefined) {
			return this.root;
		}
		return (map === '$defs' ? this.root.$defs : this.root.definitions)?.[name] ?? false;
	}

	private spend(steps: number): void {
		this.steps += steps;
		if (this.steps > maxSteps) {
			throw new UndecidedError();
		}
	}
}

function every(verdicts: readonly boolean[]): boolean {
	return verdicts.every(Boolean);
}

function isOfType(value: unknown, type: string): boolean {
	switch (type) {
		case 'null':
			return value === null;
		case 'array':
			return Array.isArray(value);
		case 'object':
			return typeof value === 'object' && value !== null && !Array.isArray(value);
		case 'integer':
			return Number.isInteger(value);
		default:
			return typeof value === type;
	}
}
