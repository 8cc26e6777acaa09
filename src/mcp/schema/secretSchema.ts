/**
 * Which parts of a value a JSON Schema marks as secret (`format: "password"`, `writeOnly`), in every subschema that applies.
 * If a reference can't be resolved or the schema is too large, everything counts as secret.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { tryParseUrl } from '../uri/parseUrl.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { ownPath, unescapeStep } from './ownPath.js';

/** Objects and arrays of one schema. */
const maxNodes = 100_000;
/** Subschemas that apply to one part of a value. */
const maxApplied = 1000;
/** Subschemas that apply to all properties together. */
const maxAppliedToNames = 100_000;
/** Subschemas that are inspected for one part and everything inside. */
const maxInside = 5000;
/** Characters of an `$id` that is resolved against the outer schemas. */
const maxUri = 8192;

/** Keywords whose schemas apply to the same part of the value, or may apply to it. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];
const inPlaceByName = ['dependentSchemas', 'dependencies'];
const references = ['$ref', '$dynamicRef', '$recursiveRef'];
const ofItems = ['items', 'additionalItems', 'prefixItems', 'contains', 'unevaluatedItems'];
const ofMembers = ['additionalProperties', 'unevaluatedProperties'];
const ofMembersByName = ['properties', 'patternProperties'];

/** One part of a value, as the schema sees it. */
export interface SecretPart {
	/** Whether the whole part is a secret. */
	readonly isSecret: boolean;
	/** Whether the part, or anything inside, may be a secret. */
	readonly mayHoldSecret: boolean;
	/** The property of an object. */
	member(name: string): SecretPart;
	/** The element of an array. */
	item(index: number): SecretPart;
}

const documents = new WeakMap<JsonObject, SchemaDocument>();

/** The part that is the whole value of a schema. */
export function secretPart(schema: JsonObject): SecretPart {
	return documentOf(schema).part([schema]);
}

/** Names of all properties that the schema marks as secret anywhere, because a value in a wrong place is secret too. */
export function secretNames(schema: JsonObject): ReadonlySet<string> {
	return documentOf(schema).names;
}

function documentOf(schema: JsonObject): SchemaDocument {
	const document = documents.get(schema) ?? new SchemaDocument(schema);
	documents.set(schema, document);
	return document;
}

class Part implements SecretPart {
	/** @param applied every subschema that applies; `undefined` if they are not all known */
	constructor(
		private readonly document: SchemaDocument,
		private readonly applied: readonly JsonObject[] | undefined,
	) {}

	get isSecret(): boolean {
		return this.applied?.some(it => this.document.callsSecret(it)) ?? true;
	}

	get mayHoldSecret(): boolean {
		return this.applied === undefined || this.document.reachesSecret(this.applied);
	}

	member(name: string): Part {
		return this.inside(schema => schemasOfMember(schema, name));
	}

	item(index: number): Part {
		return this.inside(schema => schemasOfItem(schema, index));
	}

	private inside(schemas: (schema: JsonObject) => unknown[]): Part {
		return this.applied ? this.document.part(this.applied.flatMap(schemas)) : this;
	}
}

interface Resource {
	readonly root: JsonObject;
	/** The URI, without a fragment. */
	readonly base: string;
}

class SchemaDocument {
	private readonly resources = new Map<object, Resource>();
	private readonly byUri = new Map<string, JsonObject>();
	private readonly byAnchor = new Map<string, JsonObject[]>();
	/** See `secretNames`. */
	readonly names = new Set<string>();
	private isReadable: boolean;
	/** If the schema marks nothing as secret, references needn't be resolved. */
	private readonly hasMarks: boolean;

	constructor(private readonly schema: JsonObject) {
		this.isReadable = this.readAll();
		const schemas = [...this.resources.keys()].filter(isObject);
		this.hasMarks = schemas.some(it => isMarked(it) || references.some(key => this.targets(it, key) === undefined));
		this.isReadable &&= !this.hasMarks || this.readSecretNames(schemas);
	}

	part(schemas: readonly unknown[]): Part {
		if (!this.isReadable) {
			return new Part(this, undefined);
		}
		return new Part(this, this.hasMarks ? this.expand(schemas) : []);
	}

	/** Whether one subschema marks the whole part as secret, without the subschemas it refers to. */
	callsSecret(schema: JsonObject): boolean {
		// An object with secret names, and a text with a schema for its content, are secret as a whole.
		const names = this.expand([schema['propertyNames']]);
		return isMarked(schema) || schema['contentSchema'] !== undefined || (names?.some(isMarked) ?? true);
	}

	/** Whether one of the schemas, or a subschema for a part inside, marks a secret. */
	reachesSecret(schemas: readonly JsonObject[]): boolean {
		const found = new Set(schemas);
		let left = maxInside;
		for (const schema of found) {
			const inside = this.expand(schemasInside(schema));
			left -= inside?.length ?? 0;
			if (inside === undefined || left < 0 || this.callsSecret(schema)) {
				return true;
			}
			inside.forEach(it => found.add(it));
		}
		return false;
	}

	/** The schemas, and all others that apply to the same part; undefined if they are not all known. */
	private expand(schemas: readonly unknown[]): readonly JsonObject[] | undefined {
		const found = new Set(schemas.filter(isObject));
		for (const schema of found) {
			for (const it of [
				...inPlace.flatMap(key => listOf(schema[key])),
				...inPlaceByName.flatMap(key => valuesOf(schema[key])),
			]) {
				if (isObject(it)) {
					found.add(it);
				}
			}
			for (const key of references) {
				const targets = this.targets(schema, key);
				if (targets === undefined) {
					return undefined;
				}
				targets.forEach(it => found.add(it));
			}
			if (found.size > maxApplied) {
				return undefined;
			}
		}
		return [...found];
	}

	/** Fills `names`. @returns false if there are too many subschemas */
	private readSecretNames(schemas: readonly JsonObject[]): boolean {
		let left = maxAppliedToNames;
		for (const { properties } of schemas) {
			for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
				const applied = this.expand([property]);
				if (applied?.some(it => this.callsSecret(it)) ?? true) {
					this.names.add(name);
				}
				left -= applied?.length ?? maxApplied;
				if (left < 0) {
					return false;
				}
			}
		}
		return true;
	}

	/** Fills `resources`, without recursion. @returns false if the schema is too large */
	private readAll(): boolean {
		const stack: [value: object, resource: Resource][] = [
			[this.schema, { root: this.schema, base: 'https://schema.invalid/' }],
		];
		for (let next = stack.pop(); next; next = stack.pop()) {
			const [value, outer] = next;
			const resource = isObject(value) ? this.readNames(value, outer) : outer;
			this.resources.set(value, resource);
			for (const it of Object.values(value)) {
				if (typeof it === 'object' && it !== null) {
					stack.push([it as object, resource]);
				}
			}
			if (this.resources.size + stack.length > maxNodes) {
				return false;
			}
		}
		return true;
	}

	/** Records the anchors and the `$id` of a subschema. @returns the resource that contains or is the subschema */
	private readNames(schema: JsonObject, outer: Resource): Resource {
		const { $id, $anchor, $dynamicAnchor } = schema;
		const [id, fragment] = typeof $id === 'string' ? $id.split('#', 2) : [];
		for (const anchor of new Set([$anchor, $dynamicAnchor, fragment])) {
			if (typeof anchor === 'string') {
				const known = this.byAnchor.get(anchor);
				if (known) {
					known.push(schema);
				} else {
					this.byAnchor.set(anchor, [schema]);
				}
			}
		}
		const base = id === undefined || id === '' ? undefined : tryParseUrl(id, outer.base)?.href;
		if (base === undefined || base.length > maxUri) {
			return outer;
		}
		this.byUri.set(base, schema);
		return { root: schema, base };
	}

	/**
	 * All possible targets of a reference. There can be several, because the target of a `$dynamicRef` depends on the path
	 * to it, and generators disagree about the effect of a nested `$id`.
	 * @returns undefined if the target is unknown
	 */
	private targets(schema: JsonObject, keyword: string): readonly JsonObject[] | undefined {
		const reference = schema[keyword];
		const resource = this.resources.get(schema);
		if (typeof reference !== 'string' || !resource || isMetaSchema(reference)) {
			return [];
		}
		const [uri = '', fragment = ''] = reference.split('#', 2);
		const roots = uri === '' ? [resource.root, this.schema] : this.resourcesAt(uri, resource.base);
		const pointer = tryDecodeUri(fragment) ?? fragment;
		const targets =
			pointer === '' || pointer.startsWith('/')
				? roots.map(it => ownPath(it, pointer.split('/').slice(1).map(unescapeStep))).filter(it => it !== undefined)
				: (this.byAnchor.get(pointer) ?? []);
		return targets.length === 0 ? undefined : targets.filter(isObject);
	}

	private resourcesAt(uri: string, base: string): JsonObject[] {
		const url = tryParseUrl(uri, base);
		const found = url && this.byUri.get(url.href);
		return found ? [found] : [];
	}
}

function isMarked({ format, writeOnly }: JsonObject): boolean {
	return format === 'password' || writeOnly === true;
}

/** Tools that take schemas as arguments refer to the meta-schemas, which mark no secrets. */
function isMetaSchema(reference: string): boolean {
	return /^https?:\/\/json-schema\.org\//.test(reference);
}

function schemasOfMember(schema: JsonObject, name: string): unknown[] {
	const { properties, patternProperties } = schema;
	const named = isObject(properties) && Object.hasOwn(properties, name);
	const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
	return [
		...(named ? [properties[name]] : [schema['additionalProperties'], schema['unevaluatedProperties']]),
		...patterns.filter(([pattern]) => mayMatch(pattern, name)).map(([, it]) => it),
	];
}

function schemasOfItem(schema: JsonObject, index: number): unknown[] {
	const { prefixItems, items } = schema;
	// Up to draft-07, `items` may be a list of schemas for the first elements.
	const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
	const rest = [Array.isArray(items) ? undefined : items, schema['additionalItems'], schema['unevaluatedItems']];
	return [...(index < first.length ? [first[index] as unknown] : rest), schema['contains']];
}

/** The subschemas for all members and elements. */
function schemasInside(schema: JsonObject): unknown[] {
	return [
		...[...ofItems, ...ofMembers].flatMap(key => listOf(schema[key])),
		...ofMembersByName.flatMap(key => valuesOf(schema[key])),
	];
}

/**
 * Whether a name may match a pattern of `patternProperties`. The pattern is untrusted, so it runs only if it can't backtrack
 * much (at most one repetition or group); any other pattern counts as matching.
 */
function mayMatch(pattern: string, name: string): boolean {
	if (pattern.length > 200 || name.length > 200 || pattern.replaceAll(/[^*+?{(]/g, '').length > 1) {
		return true;
	}
	try {
		return new RegExp(pattern, 'u').test(name);
	} catch {
		return true;
	}
}

function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [value];
}

function valuesOf(value: unknown): unknown[] {
	return Object.values(isObject(value) ? value : {});
}
