/**
 * Looks at a schema of a server before it is compiled, and gives a copy that is safe to compile: bounded, without
 * keywords that mean something to Ajv only, and with a meter at every subschema. PURE.
 *
 * Every subschema is metered, and every local `$ref` must lead to one that is: otherwise a value of `default` could
 * hold the part of a schema that explodes.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { type Dialect, dialectOf } from './dialect.js';
import { ownPath, unescapeStep } from './ownPath.js';
import { findExceededLimit, type SchemaLimits } from './schemaLimits.js';
import type { UncheckedReason } from './validator.js';

/** The keyword that stands in every subschema of a prepared schema; its value is a `Cost`. */
export const costKeyword = 'x-mcp-workbench-cost';

/** What a subschema costs at one place of a value: `[always, for each member]`. */
export type Cost = readonly [always: number, perMember: number];

export type PreparedSchema =
	| {
			readonly kind: 'prepared';
			readonly dialect: Dialect;
			readonly schema: JsonObject;
			readonly subschemas: number;
			/** Whether a part of it has a name (`$id`, an anchor) that others could refer to. */
			readonly hasNames: boolean;
	  }
	| { readonly kind: 'unchecked'; readonly why: UncheckedReason; readonly detail: string };

/** Leaves `prepareSchema`; never its caller. */
class Refusal extends Error {
	constructor(
		readonly why: UncheckedReason,
		readonly detail: string,
	) {
		super(why);
	}
}

/** Keywords whose value is a schema, or an array of schemas (`items` is either). */
const applicators = new Set(
	(
		'additionalItems additionalProperties allOf anyOf contains contentSchema else if items not oneOf prefixItems ' +
		'propertyNames then unevaluatedItems unevaluatedProperties'
	).split(' '),
);

/** Keywords whose value maps names to schemas; `dependencies` may also hold arrays of names. */
const maps = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);

/** Keywords that hold data. Any other unknown keyword may hold schemas that a `$ref` leads to. */
const data = new Set(['const', 'default', 'dependentRequired', 'enum', 'example', 'examples', 'required', 'type']);

/**
 * `id` and `$async` would make Ajv refuse the schema or answer with a promise, `discriminator` is not of any dialect
 * we check, and the dialect has been dealt with.
 */
const dropped = new Set(['$schema', '$async', '$vocabulary', 'id', 'discriminator', costKeyword]);

const cheap = new Set(
	(
		'$comment const default deprecated description enum examples exclusiveMaximum exclusiveMinimum format maximum ' +
		'minimum multipleOf pattern readOnly title type writeOnly'
	).split(' '),
);

/** Keywords that look at every member of an object. */
const iterating = [
	'additionalProperties',
	'patternProperties',
	'propertyNames',
	'unevaluatedProperties',
	'minProperties',
	'maxProperties',
];

/** Checks the bounds and copies. */
export function prepareSchema(schema: unknown, limits: SchemaLimits): PreparedSchema {
	try {
		if (!isObject(schema)) {
			throw new Refusal('invalidSchema', 'not an object');
		}
		const exceeded = findExceededLimit(schema, limits);
		if (exceeded) {
			return { kind: 'unchecked', ...exceeded };
		}
		const dialect = knownDialectOf(schema['$schema']);
		return { kind: 'prepared', dialect, ...new Preparation(schema, dialect, limits).run() };
	} catch (error) {
		if (error instanceof Refusal) {
			return { kind: 'unchecked', why: error.why, detail: error.detail };
		}
		throw error;
	}
}

/** @throws Refusal for any other dialect */
function knownDialectOf(uri: unknown): Dialect {
	const dialect = dialectOf(uri);
	if (!dialect) {
		throw new Refusal('unknownDialect', (JSON.stringify(uri) ?? '').slice(0, 200));
	}
	return dialect;
}

class Preparation {
	private readonly metered = new WeakSet<object>();
	private readonly anchors = new Set<unknown>();
	private readonly references: { readonly ref: string; readonly root: JsonObject }[] = [];
	private subschemas = 0;
	private hasNames = false;

	constructor(
		private readonly original: JsonObject,
		private readonly dialect: Dialect,
		private readonly limits: SchemaLimits,
	) {}

	run(): Pick<Extract<PreparedSchema, { kind: 'prepared' }>, 'schema' | 'subschemas' | 'hasNames'> {
		const copy = this.subschema(this.original, undefined) as JsonObject;
		for (const { ref, root } of this.references) {
			this.checkReference(ref, [root, copy]);
		}
		return { schema: copy, subschemas: this.subschemas, hasNames: this.hasNames };
	}

	private subschema(schema: unknown, outer: JsonObject | undefined, isNamed = false): unknown {
		if (!isObject(schema)) {
			return schema;
		}
		if (++this.subschemas > this.limits.subschemas) {
			throw new Refusal('tooLarge', `more than ${this.limits.subschemas} subschemas`);
		}
		if (outer && schema['$schema'] !== undefined && knownDialectOf(schema['$schema']) !== this.dialect) {
			throw new Refusal('unknownDialect', 'two dialects in one schema');
		}
		const copy: Record<string, unknown> = {};
		const id = schema['$id'];
		const resource = !outer || (typeof id === 'string' && !id.startsWith('#')) ? copy : outer;
		for (const [keyword, value] of Object.entries(schema)) {
			// `nullable` is OpenAPI's; Ajv knows it and refuses it where there is no type.
			if (!dropped.has(keyword) && (keyword !== 'nullable' || (value === true && schema['type'] !== undefined))) {
				define(copy, keyword, this.keyword(keyword, value, resource));
			}
		}
		this.hasNames ||= '$id' in schema || '$anchor' in schema || '$dynamicAnchor' in schema;
		this.anchors.add(schema['$anchor']).add(schema['$dynamicAnchor']);
		if (typeof id === 'string' && id.includes('#')) {
			this.anchors.add(id.slice(id.indexOf('#') + 1));
		}
		for (const keyword of ['$ref', '$dynamicRef']) {
			const ref = schema[keyword];
			if (typeof ref === 'string') {
				this.references.push({ ref, root: resource });
			}
		}
		if (!(isNamed && isCheap(schema))) {
			copy[costKeyword] = costOf(schema);
		}
		this.metered.add(copy);
		return copy;
	}

	private keyword(keyword: string, value: unknown, resource: JsonObject): unknown {
		if (keyword === 'required' || keyword === 'dependentRequired') {
			refuseProto(value);
		}
		if (data.has(keyword)) {
			return value;
		}
		if (maps.has(keyword) && isObject(value)) {
			refuseProto(Object.keys(value));
			return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, this.subschema(it, resource, true)]));
		}
		if (applicators.has(keyword)) {
			return Array.isArray(value) ? value.map(it => this.subschema(it, resource)) : this.subschema(value, resource);
		}
		return this.unknown(value, resource);
	}

	/** Whatever is an object in an unknown keyword may be the target of a `$ref`: `#/components/schemas/X`. */
	private unknown(value: unknown, resource: JsonObject): unknown {
		if (Array.isArray(value)) {
			return value.map(it => this.unknown(it, resource));
		}
		return this.subschema(value, resource);
	}

	private checkReference(ref: string, roots: readonly JsonObject[]): void {
		const hash = ref.indexOf('#');
		if (hash < 0 || ref[hash + 1] !== '/') {
			const anchor = ref.slice(1);
			if (hash === 0 && anchor !== '' && !this.anchors.has(anchor)) {
				throw new Refusal('invalidSchema', ref.slice(0, 200));
			}
			return;
		}
		const path = ref
			.slice(hash + 2)
			.split('/')
			.map(unescapePointer);
		if (hash > 0) {
			// Into a resource by its `$id`: which one is Ajv's to find, so the path alone has to be above suspicion.
			if (path.some((it, index) => data.has(it) && !maps.has(path[index - 1] ?? ''))) {
				throw new Refusal('invalidSchema', ref.slice(0, 200));
			}
			return;
		}
		const targets = roots.map(root => ownPath(root, path)).filter(it => it !== undefined);
		if (
			targets.length === 0 ||
			!targets.every(it => typeof it === 'boolean' || this.metered.has(Object(it) as object))
		) {
			throw new Refusal('invalidSchema', ref.slice(0, 200));
		}
	}
}

/** An assignment to `__proto__` would change the prototype. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
	Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Ajv leaves `__proto__` out of `properties` and would then take it for an additional property. */
function refuseProto(names: unknown): void {
	const lists = isObject(names) ? [Object.keys(names), ...Object.values(names)] : [names];
	if (lists.some(it => Array.isArray(it) && it.includes('__proto__'))) {
		throw new Refusal('unsupportedName', '__proto__');
	}
}

function unescapePointer(step: string): string {
	return unescapeStep(tryDecodeUri(step) ?? step);
}

function costOf(schema: JsonObject): Cost {
	const { properties, required, patternProperties } = schema;
	const names = size(properties) + size(required) + size(schema['dependentRequired']);
	const perMember = iterating.some(it => schema[it] !== undefined) ? 1 + size(patternProperties) : 0;
	const branches = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'].reduce((sum, it) => sum + size(schema[it]), 0);
	return [1 + branches + names, perMember];
}

/**
 * Whether all keywords take constant time or have a meter of their own, so that what is paid for the schema around it
 * covers it: that counts names, and not the items of an array. Most properties are like this, and each meter makes compiling slower.
 */
function isCheap(schema: JsonObject): boolean {
	return Object.keys(schema).every(it => cheap.has(it));
}

function size(value: unknown): number {
	if (Array.isArray(value)) {
		return value.length;
	}
	return isObject(value) ? Object.keys(value).length : 0;
}
