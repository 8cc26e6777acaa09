/**
 * Copies a schema of a server so that compiling it is safe: bounded, without keywords that only Ajv interprets, and with a
 * meter at every subschema.
 *
 * Every local `$ref` must lead to a metered subschema. Otherwise a schema could hide its costly part in the value of
 * `default`, which isn't metered.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { fragmentSteps, ownPath } from './ownPath.js';
import { type Dialect, dialectOf, findExceededLimit, type SchemaLimits } from './schemaLimits.js';
import type { UncheckedReason } from './validator.js';

/** The keyword that meters a subschema of a prepared schema; its value is a `Cost`. */
export const costKeyword = 'x-mcp-workbench-cost';

/** Meter units of a subschema at one place of a value. */
export type Cost = readonly [always: number, perMember: number];

export type PreparedSchema =
	| {
			readonly kind: 'prepared';
			readonly dialect: Dialect;
			readonly schema: JsonObject;
			readonly subschemas: number;
	  }
	| { readonly kind: 'unchecked'; readonly why: UncheckedReason; readonly detail: string };

/** Never leaves `prepareSchema`. */
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

/** Keywords that hold data. Any other keyword may hold schemas that a `$ref` leads to. */
const data = new Set(['const', 'default', 'dependentRequired', 'enum', 'example', 'examples', 'required', 'type']);

/**
 * Keywords that are not copied. Ajv would refuse a schema with `id`, return promises with `$async`, and look for schemas
 * in examples; `discriminator` belongs to no dialect; `$schema` was read already.
 */
const dropped = new Set([
	'$schema',
	'$async',
	'$vocabulary',
	'id',
	'discriminator',
	'example',
	'examples',
	costKeyword,
]);

/** Keywords that take constant time or have a meter of their own. */
const cheap = new Set(
	(
		'$comment const default deprecated description enum examples exclusiveMaximum exclusiveMinimum format maximum ' +
		'minimum multipleOf pattern readOnly title type writeOnly'
	).split(' '),
);

/** Keywords that visit every member of an object. */
const iterating =
	'additionalProperties maxProperties minProperties patternProperties propertyNames unevaluatedProperties'.split(' ');

/** A copy that is safe to compile, or why the schema can't be checked. */
export function prepareSchema(schema: JsonObject, limits: SchemaLimits): PreparedSchema {
	try {
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

/** @throws Refusal for an unknown dialect */
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
	/** Names in lists such as `required`. Ajv generates code for each of them. */
	private names = 0;
	/** Characters of paths and lists that Ajv repeats in the code it generates. */
	private repeated = 0;

	constructor(
		private readonly original: JsonObject,
		private readonly dialect: Dialect,
		private readonly limits: SchemaLimits,
	) {}

	run(): Pick<Extract<PreparedSchema, { kind: 'prepared' }>, 'schema' | 'subschemas'> {
		const copy = this.subschema(this.original, undefined) as JsonObject;
		for (const { ref, root } of this.references) {
			if (!this.isSafeReference(ref, [root, copy])) {
				throw new Refusal('invalidSchema', ref.slice(0, 200));
			}
		}
		return { schema: copy, subschemas: this.subschemas };
	}

	/** @param depth the length of the path to the subschema, and of each `$id` on the way */
	private subschema(schema: unknown, outer: JsonObject | undefined, depth = 0, isNamed = false): unknown {
		// There is code for `false` as well.
		if (isObject(schema) || schema === false) {
			this.count(depth);
		}
		if (!isObject(schema)) {
			return schema;
		}
		if (outer && schema['$schema'] !== undefined && knownDialectOf(schema['$schema']) !== this.dialect) {
			throw new Refusal('unknownDialect', 'two dialects in one schema');
		}
		const copy: Record<string, unknown> = {};
		const id = schema['$id'];
		const resource = !outer || (typeof id === 'string' && !id.startsWith('#')) ? copy : outer;
		const base = depth + (typeof id === 'string' ? id.length : 0);
		for (const [keyword, it] of Object.entries(schema)) {
			// Ajv knows OpenAPI's `nullable`, and refuses it without `type`.
			if (!this.isDropped(keyword) && (keyword !== 'nullable' || (it === true && schema['type'] !== undefined))) {
				const value = this.keyword(keyword, it, resource, base + keyword.length + 1);
				// Assigning to `__proto__` would change the prototype.
				Object.defineProperty(copy, keyword, { value, enumerable: true, configurable: true, writable: true });
			}
		}
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

	/** Ajv would look for schemas in a keyword that the dialect doesn't have. */
	private isDropped(keyword: string): boolean {
		return dropped.has(keyword) || (keyword === 'dependentRequired' && this.dialect === 'draft-07');
	}

	/**
	 * Counts a subschema. Its path is in the code of each of its keywords, and each `$ref` is resolved against the `$id`s
	 * on the way.
	 */
	private count(depth: number): void {
		if (++this.subschemas > this.limits.subschemas) {
			throw new Refusal('tooLarge', `more than ${this.limits.subschemas} subschemas`);
		}
		this.repeat(depth);
	}

	/** Counts the names of `required`, or of the lists of a keyword, which are whole in the code of each of their names. */
	private countNames(names: readonly unknown[], depth: number, isRepeated: boolean): void {
		if ((this.names += names.length) > this.limits.subschemas) {
			throw new Refusal('tooLarge', `more than ${this.limits.subschemas} names in lists`);
		}
		const length = isRepeated ? names.reduce<number>((sum, it) => sum + String(it).length + 2, 0) : 0;
		this.repeat(names.length * (depth + length));
	}

	private repeat(characters: number): void {
		if ((this.repeated += characters) > this.limits.characters) {
			throw new Refusal('tooLarge', 'too long paths or lists');
		}
	}

	private keyword(keyword: string, value: unknown, resource: JsonObject, depth: number): unknown {
		if (keyword === 'required' || keyword === 'dependentRequired') {
			refuseProto(value);
		}
		if (keyword === 'required' && Array.isArray(value)) {
			this.countNames(value, depth, false);
		}
		listsOf(keyword, value).forEach(it => this.countNames(it, depth, true));
		if (data.has(keyword)) {
			return value;
		}
		if (maps.has(keyword) && isObject(value)) {
			refuseProto(Object.keys(value));
			return Object.fromEntries(
				Object.entries(value).map(([name, it]) => [name, this.subschema(it, resource, depth + name.length + 1, true)]),
			);
		}
		if (applicators.has(keyword)) {
			return Array.isArray(value)
				? value.map(it => this.subschema(it, resource, depth))
				: this.subschema(value, resource, depth);
		}
		return this.unknown(value, resource, depth);
	}

	/** Objects in an unknown keyword may be targets of a `$ref`: `#/components/schemas/X`. */
	private unknown(value: unknown, resource: JsonObject, depth: number): unknown {
		if (Array.isArray(value)) {
			return value.map(it => this.unknown(it, resource, depth));
		}
		return isObject(value) ? this.subschema(value, resource, depth) : value;
	}

	/** Whether every target of a reference is metered. */
	private isSafeReference(ref: string, roots: readonly JsonObject[]): boolean {
		const hash = ref.indexOf('#');
		if (hash < 0 || ref[hash + 1] !== '/') {
			const anchor = ref.slice(1);
			return hash !== 0 || anchor === '' || this.anchors.has(anchor);
		}
		const path = fragmentSteps(ref.slice(hash + 2));
		if (hash > 0) {
			// Ajv finds the resource by its `$id`, so the target isn't known here: the path must not lead into data.
			return !path.some((it, index) => data.has(it) && !maps.has(path[index - 1] ?? ''));
		}
		const targets = roots.map(root => ownPath(root, path)).filter(it => it !== undefined);
		return targets.length > 0 && targets.every(it => typeof it === 'boolean' || this.metered.has(Object(it) as object));
	}
}

/** Refuses `__proto__`, which Ajv leaves out of `properties` and then treats as an additional property. */
function refuseProto(names: unknown): void {
	const lists = isObject(names) ? [Object.keys(names), ...Object.values(names)] : [names];
	if (lists.some(it => Array.isArray(it) && it.includes('__proto__'))) {
		throw new Refusal('unsupportedName', '__proto__');
	}
}

function costOf(schema: JsonObject): Cost {
	const { properties, required, patternProperties } = schema;
	const dependents = ['dependencies', 'dependentRequired', 'dependentSchemas'].reduce(
		(sum, it) => listsOf(it, schema[it]).reduce((total, list) => total + list.length, sum + size(schema[it])),
		0,
	);
	const names = size(properties) + size(required) + dependents;
	const perMember = iterating.some(it => schema[it] !== undefined) ? 1 + size(patternProperties) : 0;
	const branches = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'].reduce((sum, it) => sum + size(schema[it]), 0);
	return [1 + branches + names, perMember];
}

/** The lists of names in `dependentRequired` or `dependencies`. */
function listsOf(keyword: string, value: unknown): readonly (readonly unknown[])[] {
	return /^depende(?:ncies|ntRequired)$/.test(keyword) && isObject(value)
		? Object.values(value).filter(Array.isArray)
		: [];
}

/**
 * Whether a property needs no meter, because the cost of the schema around it covers it. That cost counts the names of
 * properties, but not the items of an array. Most properties are cheap, and each meter slows compiling down.
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
