/**
 * Turns a JSON Schema into a form for a whole value: fields within groups, lists, maps and variants. Nodes refer to each
 * other by index, so that a recursive schema has a finite number of nodes.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { findProblem } from './fieldCheck.js';
import { fieldKind, number, resolve, text, withoutNull } from './fieldKind.js';
import type { Field, FieldKind, Form } from './form.js';
import { fragmentSteps } from './ownPath.js';
import { secretPart, SecretPart } from './secretSchema.js';

/** A named member of an object. */
export interface FormMember {
	readonly name: string;
	readonly node: number;
	readonly required: boolean;
}

type NodeKind =
	| FieldKind
	| {
			readonly kind: 'object';
			readonly members: readonly FormMember[];
			/** The node of additional members; `undefined` if the form doesn't offer to add any. */
			readonly additional: number | undefined;
	  }
	| {
			readonly kind: 'list';
			readonly item: number;
			readonly minItems: number | undefined;
			readonly maxItems: number | undefined;
	  }
	| {
			readonly kind: 'variants';
			/** `title` is server-provided. */
			readonly variants: readonly { readonly title: string | undefined; readonly node: number }[];
	  };

/** The part of a form for the schema of one value. `title` and `description` are server-provided. */
export type FormNode = NodeKind & {
	readonly title: string | undefined;
	readonly description: string | undefined;
	/** Whether `null` is valid. */
	readonly nullable: boolean;
	readonly isSecret: boolean;
	/** `undefined` if the schema has no valid default. */
	readonly default: unknown;
};

export interface FormModel {
	/** The index of the node for the whole value. The kind of this node is `object` or `variants`. */
	readonly root: number;
	readonly nodes: readonly FormNode[];
	/** The index of a node for any value. */
	readonly json: number;
}

/** Levels of nested variants with other keywords beside them. Each level multiplies the nodes, and schemas can be recursive. */
const maxMerges = 3;
/** After this many nodes, variants become JSON fields. A schema of a few kilobytes can otherwise have a hundred thousand nodes. */
const maxNodes = 1000;

/** Keywords that say nothing about which values are valid. */
const annotations = new Set(['title', 'description', 'default', 'examples', '$schema', '$id', '$defs', 'definitions']);

/** Makes the form for the schema of an object, such as the arguments of a tool. */
export function formModel(schema: JsonObject): FormModel {
	return new ModelBuilder(schema).build();
}

/**
 * The fields of a quick form, which asks for one member of an object after the other: for elicitation of every revision,
 * and for tool arguments. Members that a single input can't hold are of kind `json`.
 */
export function formFields(schema: JsonObject): Form {
	const { members, nodes } = new ModelBuilder(schema).fields();
	return {
		fields: members.map(({ name, node: index, required }): Field => {
			const { title, description, nullable, default: defaultValue, ...kind } = nodes[index] as FormNode;
			const isGroup = kind.kind === 'object' || kind.kind === 'list' || kind.kind === 'variants';
			const onlyValue = kind.kind === 'choice' && kind.options.length === 1 ? kind.options[0]?.value : undefined;
			return {
				...(isGroup ? { kind: 'json' } : kind),
				name,
				title,
				description,
				required,
				nullable,
				isSecret: secretPart(schema).member(name).mayHoldSecret,
				default: defaultValue ?? (required ? onlyValue : undefined),
			};
		}),
	};
}

class ModelBuilder {
	private readonly nodes: FormNode[] = [];
	/** Indexes of nodes by schema: outside of secrets, and within secrets. */
	private readonly known = [new Map<JsonObject, number>(), new Map<JsonObject, number>()] as const;
	private readonly any: JsonObject = {};

	constructor(private readonly root: JsonObject) {}

	build(): FormModel {
		const json = this.node(this.any, false);
		const index = this.node(this.root, false);
		const { kind } = this.nodes[index] as FormNode;
		if (kind !== 'object' && kind !== 'variants') {
			const node = this.objectNode(this.merged(this.root), false);
			this.nodes[index] = { ...(this.nodes[index] as FormNode), ...node } as FormNode;
		}
		return { root: index, nodes: this.nodes, json };
	}

	/** The members of the object that the schema describes, with those of all variants, and the nodes. */
	fields(): { readonly members: readonly FormMember[]; readonly nodes: readonly FormNode[] } {
		return { members: this.objectNode(this.merged(this.root), false).members, nodes: this.nodes };
	}

	/** The index of the node of a schema. @param isSecret whether the schema of a value around it is secret */
	private node(property: unknown, isSecret: boolean, merges = 0): number {
		const schema = isObject(property) ? property : this.any;
		const known = this.known[isSecret ? 1 : 0];
		const before = known.get(schema);
		if (before !== undefined) {
			return before;
		}
		const index = this.nodes.length;
		known.set(schema, index);
		// The index is reserved first, because the nodes within can refer to it.
		this.nodes.push(undefined as never);
		this.nodes[index] = this.make(schema, isSecret, merges);
		return index;
	}

	private make(property: JsonObject, isInSecret: boolean, merges: number): FormNode {
		const { schema, nullable } = withoutNull(this.merged(property), this.root);
		const part = new SecretPart(this.root, [property]);
		const isSecret = isInSecret || part.isSecret;
		const kind = this.kind(schema, isSecret, merges);
		return {
			...kind,
			title: text(schema['title']),
			description: text(schema['description']),
			nullable,
			isSecret: isSecret || (kind.kind === 'json' && part.mayHoldSecret),
			default: Object.hasOwn(schema, 'default') && holds(kind, schema['default']) ? schema['default'] : undefined,
		};
	}

	private kind(schema: JsonObject, isSecret: boolean, merges: number): NodeKind {
		const field = fieldKind(schema, this.root);
		if (field.kind !== 'json') {
			return field;
		}
		const { anyOf, oneOf, type } = schema;
		const variants = Array.isArray(oneOf) ? oneOf : anyOf;
		if (Array.isArray(variants) && variants.length > 0 && !variants.every(isCondition)) {
			return this.variants(variants, schema, isSecret, merges);
		}
		if (Array.isArray(type)) {
			const kinds = type.map((it: unknown) => ({ ...schema, type: it, title: undefined, description: undefined }));
			return { kind: 'variants', variants: kinds.map(it => ({ title: undefined, node: this.node(it, isSecret) })) };
		}
		const { items, prefixItems, minItems, maxItems } = schema;
		if ((type === 'array' || type === undefined) && isObject(items) && prefixItems === undefined) {
			const item = this.node(items, isSecret);
			return { kind: 'list', item, minItems: number(minItems), maxItems: number(maxItems) };
		}
		const { properties, additionalProperties, patternProperties, required } = schema;
		// An object with any members is easier to write as JSON.
		const isObjectForm = [properties, additionalProperties, patternProperties].some(hasMembers) || hasMembers(required);
		return isObjectForm && (type === 'object' || type === undefined) ? this.objectNode(schema, isSecret) : field;
	}

	private objectNode(schema: JsonObject, isSecret: boolean): Extract<NodeKind, { readonly kind: 'object' }> {
		const properties = propertiesOf(schema);
		const names = requiredOf(schema).filter(it => !Object.hasOwn(properties, it));
		const required = new Set(requiredOf(schema));
		const members = [...Object.entries(properties), ...names.map(it => [it, this.any] as const)].map(
			([name, property]) => ({ name, node: this.node(property, isSecret), required: required.has(name) }),
		);
		const { additionalProperties, patternProperties, type } = schema;
		const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
		const isOpen = additionalProperties === true || isObject(additionalProperties);
		// JSON Schema allows additional members by default. The form offers them only if the schema says so. Otherwise, the form of
		// a tool without arguments would offer to add some.
		const isUnknown = type === undefined && additionalProperties === undefined && members.length === 0;
		const additional = patterns.length > 0 ? patterns[0] : isOpen || isUnknown ? additionalProperties : undefined;
		const isOffered = patterns.length > 0 || isOpen || isUnknown;
		return {
			kind: 'object',
			members: [...members.filter(it => it.required), ...members.filter(it => !it.required)],
			additional: isOffered ? this.node(additional, isSecret) : undefined,
		};
	}

	private variants(variants: readonly unknown[], schema: JsonObject, isSecret: boolean, merges: number): NodeKind {
		const { anyOf: _, oneOf: _one, title: _title, description: _description, default: _default, ...base } = schema;
		const isBare = Object.keys(base).every(it => annotations.has(it));
		if (!isBare && (merges >= maxMerges || this.nodes.length > maxNodes)) {
			return { kind: 'json' };
		}
		return {
			kind: 'variants',
			variants: variants.map(it => {
				const variant = isObject(it) ? it : this.any;
				const node = isBare
					? this.node(variant, isSecret)
					: this.node(merge(this.merged(variant), base), isSecret, merges + 1);
				return { title: this.variantTitle(variant), node };
			}),
		};
	}

	/** The title of a variant: from the schema, a constant that tells it apart, or the name of its definition. */
	private variantTitle(schema: JsonObject): string | undefined {
		const merged = this.merged(schema);
		const constants = Object.values(propertiesOf(merged)).map(it => (isObject(it) ? text(it['const']) : undefined));
		const constant = constants.find(it => it !== undefined);
		const reference = text(schema['$ref']) ?? '';
		const definition = reference.startsWith('#/') ? fragmentSteps(reference).at(-1) : undefined;
		return text(merged['title']) ?? constant ?? definition;
	}

	/** Resolves the references of a schema and merges the schemas of `allOf`. Drops what a form can't express. */
	private merged(schema: JsonObject, depth = 0): JsonObject {
		const { allOf, ...own } = resolve(schema, this.root);
		if (!Array.isArray(allOf) || depth > maxMerges) {
			return own;
		}
		return allOf.filter(isObject).reduce((all, it) => merge(all, this.merged(it, depth + 1)), own);
	}
}

/** Merges two schemas. Where they differ, the first takes precedence. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
	const merged: JsonObject = { ...second, ...first };
	const [mine, others] = [propertiesOf(first), propertiesOf(second)];
	const names = [...new Set([...Object.keys(mine), ...Object.keys(others)])];
	const properties = names.map(name => {
		const [a, b] = [mine, others].map(it => (Object.hasOwn(it, name) ? it[name] : undefined));
		return [name, isObject(a) && isObject(b) ? { ...b, ...a } : (a ?? b)];
	});
	const required = [...new Set([...requiredOf(first), ...requiredOf(second)])];
	return {
		...merged,
		...(names.length > 0 && { properties: Object.fromEntries(properties) as JsonObject }),
		...(required.length > 0 && { required }),
	};
}

function propertiesOf({ properties }: JsonObject): JsonObject {
	return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): readonly string[] {
	return Array.isArray(required) ? required.filter(it => typeof it === 'string') : [];
}

function hasMembers(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Whether a variant only says which members are required together, which is checked but not shown. */
function isCondition(variant: unknown): boolean {
	return isObject(variant) && Object.keys(variant).every(it => ['required', 'not', ...annotations].includes(it));
}

function holds(kind: NodeKind, value: unknown): boolean {
	switch (kind.kind) {
		case 'object':
			return isObject(value);
		case 'list':
			return Array.isArray(value);
		case 'variants':
			return value !== null;
		default:
			return value !== null && findProblem(kind, value) === undefined;
	}
}
