/**
 * The part of JSON Schema that most tools stay within. A plain schema is surely correct and bounded, refers only to its
 * own definitions, and means the same in both dialects, so `plainCheck.ts` can check values against it without the engine.
 *
 * Before a keyword or another form of one is added here: the engine must accept every schema that has it.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { dialectOf } from './dialect.js';
import { defaultLimits, findExceededLimit } from './schemaLimits.js';

export type Scalar = string | number | boolean | null;
type Subschemas = readonly (PlainSchema | boolean)[];
type NamedSubschemas = Readonly<Record<string, PlainSchema | boolean>>;

/** The keywords that say something about values. */
export interface PlainSchema {
	/** `#`, or the key of a definition: `#/$defs/key`. */
	readonly $ref?: string;
	readonly $defs?: NamedSubschemas;
	readonly definitions?: NamedSubschemas;
	readonly type?: string | readonly string[];
	readonly enum?: readonly Scalar[];
	readonly const?: Scalar;
	readonly format?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMinimum?: number;
	readonly exclusiveMaximum?: number;
	/** An integer. */
	readonly multipleOf?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly items?: PlainSchema | boolean;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: boolean;
	readonly properties?: NamedSubschemas;
	readonly additionalProperties?: PlainSchema | boolean;
	readonly propertyNames?: PlainSchema | boolean;
	readonly required?: readonly string[];
	readonly minProperties?: number;
	readonly maxProperties?: number;
	readonly allOf?: Subschemas;
	readonly anyOf?: Subschemas;
	readonly oneOf?: Subschemas;
	readonly not?: PlainSchema | boolean;
}

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** A reference; what the name may be made of is the same in JSON pointers, URIs and JSON. */
export const definitionReference = /^#\/(\$defs|definitions)\/([\w.-]+)$/;

/** The schema without its `$schema`, if all of it is plain. */
export function asPlainSchema(schema: unknown): PlainSchema | undefined {
	if (!isObject(schema) || findExceededLimit(schema, defaultLimits) || !dialectOf(schema['$schema'])) {
		return undefined;
	}
	const { $schema: _, ...root } = schema;
	return new Inspection(root).isSchema(root) ? root : undefined;
}

/** Looks at every subschema of a schema whose depth is bounded. */
class Inspection {
	private subschemas = 0;

	constructor(private readonly root: JsonObject) {}

	readonly isSchema = (value: unknown): boolean => {
		if (!isObject(value)) {
			return typeof value === 'boolean';
		}
		this.subschemas++;
		return (
			this.subschemas <= defaultLimits.subschemas &&
			Object.entries(value).every(([keyword, it]) => this.keywords.get(keyword)?.(it) ?? isExtension(keyword, it))
		);
	};

	private readonly isListOfSchemas = (value: unknown): boolean =>
		Array.isArray(value) && value.length > 0 && value.every(this.isSchema);

	private readonly isMapOfSchemas = (value: unknown): boolean =>
		isObject(value) && Object.entries(value).every(([name, it]) => name !== '__proto__' && this.isSchema(it));

	private readonly isReference = (value: unknown): boolean => {
		const [, map, name = ''] = (isText(value) && definitionReference.exec(value)) || [];
		const definitions = map !== undefined && this.root[map];
		return value === '#' || (isObject(definitions) && Object.hasOwn(definitions, name));
	};

	/** What a keyword's value has to be. */
	private readonly keywords = new Map<string, (value: unknown) => boolean>([
		...each('title description $comment format', isText),
		...each('deprecated readOnly writeOnly uniqueItems', isBoolean),
		...each('minimum maximum exclusiveMinimum exclusiveMaximum', Number.isFinite),
		...each('minLength maxLength minItems maxItems minProperties maxProperties', isCount),
		...each('items additionalProperties propertyNames not', this.isSchema),
		...each('allOf anyOf oneOf', this.isListOfSchemas),
		...each('properties $defs definitions', this.isMapOfSchemas),
		// OpenAPI's `discriminator` only helps to choose a branch.
		...each('default discriminator', () => true),
		['examples', Array.isArray],
		['multipleOf', value => isCount(value) && value !== 0],
		['type', value => isType(value) || (isSet(value) && value.every(isType))],
		['enum', value => isSet(value) && value.every(isScalar)],
		['const', isScalar],
		['required', isNames],
		['$ref', this.isReference],
	]);
}

function each<T>(keywords: string, it: T): [keyword: string, it: T][] {
	return keywords.split(' ').map(keyword => [keyword, it]);
}

/** An unknown keyword could hold a subschema that is referred to; a scalar can't. */
function isExtension(keyword: string, value: unknown): boolean {
	return keyword.startsWith('x-') && isScalar(value);
}

function isType(value: unknown): boolean {
	return isText(value) && types.has(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
	return typeof value === 'boolean';
}

function isCount(value: unknown): boolean {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isScalar(value: unknown): value is Scalar {
	return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isSet(value: unknown): value is readonly unknown[] {
	return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

/** The engine can't tell `__proto__` from inherited members, nor always find that a member called `""` is missing. */
function isNames(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.every(it => isText(it) && it !== '' && it !== '__proto__') &&
		new Set(value).size === value.length
	);
}
