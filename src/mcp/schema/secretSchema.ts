/**
 * Which parts of a value a JSON Schema marks as secret, by `format: "password"` or `writeOnly`. Follows the schemas of
 * properties and items beside the value, their alternatives, and references inside the document, but no other keyword.
 */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { localTarget } from './ownPath.js';

/** One part of a value, with the schemas that apply or may apply to it. */
export class SecretPart {
	private readonly schemas: readonly JsonObject[];

	constructor(
		private readonly root: JsonObject,
		schemas: readonly unknown[],
	) {
		this.schemas = allFrom(schemas, it => this.alternatives(it));
	}

	/** Whether the whole part is a secret. */
	get isSecret(): boolean {
		return this.schemas.some(isMarked);
	}

	/** Whether the part, or anything inside, may be a secret. */
	get mayHoldSecret(): boolean {
		return allFrom(this.schemas, it => [...this.alternatives(it), ...schemasInside(it)]).some(isMarked);
	}

	/** The property of an object. */
	member(name: string): SecretPart {
		return this.inside(({ properties, additionalProperties }) =>
			isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
		);
	}

	/** The element of an array. */
	item(index: number): SecretPart {
		return this.inside(({ prefixItems, items }) => {
			// Up to draft-07, `items` may be a list of schemas for the first elements.
			const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
			return first[index] ?? items;
		});
	}

	private inside(schemaOf: (schema: JsonObject) => unknown): SecretPart {
		return new SecretPart(this.root, this.schemas.map(schemaOf));
	}

	/** The schemas that apply or may apply to the same part as a schema. */
	private alternatives({ allOf, anyOf, oneOf, $ref }: JsonObject): unknown[] {
		return [allOf, anyOf, oneOf, localTarget(this.root, $ref)].flat();
	}
}

/** The part that is the whole value of a schema. */
export function secretPart(schema: JsonObject): SecretPart {
	return new SecretPart(schema, [schema]);
}

/** The schemas, and all to which they lead. */
function allFrom(schemas: readonly unknown[], next: (schema: JsonObject) => unknown[]): readonly JsonObject[] {
	const found = new Set(schemas.filter(isObject));
	// The loop also visits schemas that it adds.
	for (const schema of found) {
		for (const it of next(schema)) {
			if (isObject(it)) {
				found.add(it);
			}
		}
	}
	return [...found];
}

function isMarked({ format, writeOnly }: JsonObject): boolean {
	return format === 'password' || writeOnly === true;
}

/** The schemas for all members and elements. */
function schemasInside({ properties, additionalProperties, prefixItems, items }: JsonObject): unknown[] {
	return [...Object.values(isObject(properties) ? properties : {}), additionalProperties, prefixItems, items].flat();
}
