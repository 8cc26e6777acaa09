/**
 * Which parts of a value a JSON Schema calls secret (`format: "password"`, `writeOnly`), wherever a validator would look
 * for it. What cannot be followed counts as secret: a reference that leads nowhere, a schema that is too large.
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
/** Subschemas that are looked at for one part and all that is in it. */
const maxInside = 5000;
/** Characters of a name that begins with those of the schemas around it. */
const maxUri = 8192;

/** Keywords whose schemas apply to the same part of the value; whether they do apply now does not matter here. */
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
	/** Whether the part, or any part of it, may be a secret. */
	readonly mayHoldSecret: boolean;
	/** The property of that name, if the part is an object. */
	member(name: string): SecretPart;
	/** The element at that index, if the part is an array. */
	item(index: number): SecretPart;
}

const documents = new WeakMap<JsonObject, SchemaDocument>();

/** What a schema says of the whole value. */
export function secretPart(schema: JsonObject): SecretPart {
	return documentOf(schema).part([schema]);
}

/** Names of the properties that the schema calls secret anywhere: a value in the wrong place is as secret. */
export function secretNames(schema: JsonObject): ReadonlySet<string> {
	return documentOf(schema).names;
}

function documentOf(schema: JsonObject): SchemaDocument {
	const document = documents.get(schema) ?? new SchemaDocument(schema);
	documents.set(schema, document);
	return document;
}

class Part implements SecretPart {
	/** @param applied every subschema that applies; `undefined` where they could not all be found */
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
	/** Without a fragment. */
	readonly base: string;
}

class SchemaDocument {
	private readonly resources = new Map<object, Resource>();
	private readonly byUri = new Map<string, JsonObject>();
	private readonly byAnchor = new Map<string, JsonObject[]>();
	/** Of properties that are secrets, anywhere. */
	readonly names = new Set<string>();
	private isReadable: boolean;
	/** Without marks nothing in it is a secret, and nothing has to be followed. */
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

	/** Of one subschema, without those it leads to. */
	callsSecret(schema: JsonObject): boolean {
		// A text that holds other data, and a name that is a secret, are secrets as a whole.
		const names = this.expand([schema['propertyNames']]);
		return isMarked(schema) || schema['contentSchema'] !== undefined || (names?.some(isMarked) ?? true);
	}

	/** Whether one of these, or a subschema that applies to a part inside, calls it a secret. */
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

	/** These, and whatever else applies to the same part of the value. */
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

	/** @returns whether all properties could be judged */
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

	/** @returns whether all of it was read; a stack of its own, as schemas nest without end */
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

	/** Notes what references may call it. @returns the resource that it is in, or begins */
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
	 * Where the reference of a subschema may lead. With several places of one name it is any of them, as which one is
	 * meant depends on the way there (`$dynamicRef`), and generators disagree about what a nested `$id` changes.
	 * @returns undefined if it leads nowhere that is known
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

/** A tool that takes schemas: those of JSON Schema itself know no secrets. */
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
	// Up to draft-07 `items` may be the list of the first ones.
	const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
	const rest = [Array.isArray(items) ? undefined : items, schema['additionalItems'], schema['unevaluatedItems']];
	return [...(index < first.length ? [first[index] as unknown] : rest), schema['contains']];
}

/** Of any member and any element. */
function schemasInside(schema: JsonObject): unknown[] {
	return [
		...[...ofItems, ...ofMembers].flatMap(key => listOf(schema[key])),
		...ofMembersByName.flatMap(key => valuesOf(schema[key])),
	];
}

/**
 * Whether a name may match a pattern of `patternProperties`. The pattern is a server's, so only one that can't backtrack
 * without end is run (at most one repetition or group); any other counts as matching.
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
