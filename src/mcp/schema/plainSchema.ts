/**
 * The subset of JSON Schema that most tools use. A plain schema is valid and bounded, refers only to its own definitions,
 * and means the same in both dialects, so `plainCheck.ts` can check values against it without the engine.
 *
 * Before you add a keyword or another form of one, make sure that the engine accepts every schema with it.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { defaultSchemaLimits, dialectOf, findExceededLimit } from './schemaLimits.js';

export type Scalar = string | number | boolean | null;
type Subschemas = readonly (PlainSchema | boolean)[];
type NamedSubschemas = Readonly<Record<string, PlainSchema | boolean>>;

/** The keywords that constrain values. */
export interface PlainSchema {
	/** `#`, or a definition: `#/$defs/key`. */
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

/** A reference to a definition, whose name has only characters that JSON pointers and URIs don't encode. */
export const definitionReference = /^#\/(\$defs|definitions)\/([\w.-]+)$/;

/** The schema without `$schema` if it is plain, otherwise undefined. */
export function asPlainSchema(schema: unknown): PlainSchema | undefined {
	if (!isObject(schema) || findExceededLimit(schema, defaultSchemaLimits) || !dialectOf(schema['$schema'])) {
		return undefined;
	}
	const { $schema: _, ...root } = schema;
	return new Inspection(root).isSchema(root) ? root : undefined;
}

/** Inspects every subschema of a schema whose depth is bounded. */
class Inspection {
	private subschemas = 0;

	constructor(private readonly root: JsonObject) {}

	readonly isSchema = (value: unknown): boolean => {
		if (!isObject(value)) {
			return typeof value === 'boolean';
		}
		this.subschemas++;
		return (
			this.subschemas <= defaultSchemaLimits.subschemas &&
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

	/** Whether the value of a keyword is plain, by keyword. */
	private readonly keywords = new Map<string, (value: unknown) => boolean>([
		...each('title description $comment format', isText),
		...each('deprecated readOnly writeOnly uniqueItems', isBoolean),
		...each('minimum maximum exclusiveMinimum exclusiveMaximum', Number.isFinite),
		...each('minLength maxLength minItems maxItems minProperties maxProperties', isCount),
		...each('items additionalProperties propertyNames not', this.isSchema),
		...each('allOf anyOf oneOf', this.isListOfSchemas),
		...each('properties $defs definitions', this.isMapOfSchemas),
		// OpenAPI's `discriminator` constrains nothing.
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

/** Unknown keywords must be scalars, because an object could be a subschema that a reference leads to. */
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

/** Whether a value is a JSON scalar; NaN and infinities are not. */
export function isScalar(value: unknown): value is Scalar {
	return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isSet(value: unknown): value is readonly unknown[] {
	return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

/** The engine can't tell `__proto__` from inherited members, and doesn't always notice that a member `""` is missing. */
function isNames(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.every(it => isText(it) && it !== '' && it !== '__proto__') &&
		new Set(value).size === value.length
	);
}

/** Text formats that the engine checks. It ignores formats that are neither here nor in `numberFormats`. */
export const textFormats: ReadonlySet<string> = new Set(
	(
		'byte date date-time duration email hostname ipv4 ipv6 iso-date-time iso-time json-pointer ' +
		'json-pointer-uri-fragment regex relative-json-pointer time uri uri-reference uri-template uuid'
	).split(' '),
);

/** Number formats, as the engine checks them. */
export const numberFormats = new Map<string, (value: number) => boolean>([
	['int32', value => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31],
	['int64', Number.isInteger],
	['float', () => true],
	['double', () => true],
]);

const day = /(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)/.source;
const time = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)/.source;

/** Patterns of texts that certainly have a format; the engine accepts more texts. Every pattern takes linear time. */
const sure = new Map([
	['date', new RegExp(`^\\d{4}-${day}$`)],
	['date-time', new RegExp(`^\\d{4}-${day}T${time}$`)],
	['email', /^[a-z0-9._+-]+@[a-z0-9]{1,63}(?:\.[a-z0-9]{1,63})+$/i],
	['uri', /^[a-z][a-z0-9+.-]*:[!-~]+$/i],
	['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
]);

/** Whether a text has a format; `undefined` if only the engine can tell. */
export function hasPlainFormat(text: string, format: string): boolean | undefined {
	return !textFormats.has(format) || sure.get(format)?.test(text) || undefined;
}
