/** Arbitrary schemas of objects with a valid value, and a pointer to a part of it with a wrong value. For fast-check. */
import * as fc from 'fast-check';
import type { JsonObject } from '../../src/mcp/index.js';

export interface SchemaCase {
	readonly schema: JsonObject;
	/** `undefined`: an optional part that is left out. */
	readonly value: unknown;
	/** Pointers to parts, with values that their schemas don't allow. */
	readonly wrong: readonly (readonly [pointer: string, value: unknown])[];
}

const name = fc.oneof(
	fc.stringMatching(/^[a-z_]{1,6}$/),
	fc.constantFrom('a/b', 'x~y', '', 'constructor', '__proto__', 'ü ñ'),
);

const leaf: fc.Arbitrary<SchemaCase> = fc.oneof(
	fc.string().map(value => ({ schema: { type: 'string' }, value, wrong: [['', 5]] as const })),
	fc.stringMatching(/^[a-z]{2,5}$/).map(value => ({
		schema: { type: 'string', minLength: 2, maxLength: 5 },
		value,
		wrong: [['', 'x']] as const,
	})),
	fc
		.double({ noNaN: true, noDefaultInfinity: true })
		.map(value => ({ schema: { type: 'number' }, value: value + 0, wrong: [['', '1.']] as const })),
	fc
		.integer({ min: -5, max: 5 })
		.map(value => ({ schema: { type: 'integer', minimum: -5, maximum: 5 }, value, wrong: [['', 9]] as const })),
	fc.boolean().map(value => ({ schema: { type: 'boolean' }, value, wrong: [['', 'yes']] as const })),
	fc
		.constantFrom('red', 'green')
		.map(value => ({ schema: { enum: ['red', 'green', 3] }, value, wrong: [['', 'blue']] as const })),
	fc.subarray(['a', 'b', 'c']).map(value => ({
		schema: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
		value,
		wrong: [['', ['d']]] as const,
	})),
	fc.constant({
		schema: { type: 'string', format: 'date' },
		value: '2026-11-24',
		wrong: [['', '2026-13-01']] as const,
	}),
	fc.constant({ schema: { type: ['string', 'null'] }, value: null, wrong: [['', 1]] as const }),
	fc
		.jsonValue({ maxDepth: 2 })
		.map(value => ({ schema: {}, value: JSON.parse(JSON.stringify(value)) as unknown, wrong: [] })),
);

function escaped(step: string): string {
	return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function within(step: string, { wrong }: SchemaCase): SchemaCase['wrong'] {
	// Ajv doesn't check a member of that name.
	const checked = step === '__proto__' ? [] : wrong;
	return checked.map(([pointer, value]) => [`/${escaped(step)}${pointer}`, value] as const);
}

/** An object with own members of any name. */
function own(entries: readonly (readonly [string, unknown])[]): JsonObject {
	return Object.fromEntries(entries);
}

function objectOf(
	members: readonly (readonly [name: string, member: SchemaCase, isRequired: boolean, isSet: boolean])[],
): SchemaCase {
	const set = members.filter(([, { value }, isRequired, isSet]) => value !== undefined && (isRequired || isSet));
	return {
		schema: {
			type: 'object',
			properties: own(members.map(([it, { schema }]) => [it, schema])),
			required: set.filter(it => it[2]).map(([it]) => it),
		},
		value: own(set.map(([it, { value }]) => [it, value])),
		wrong: [['', 'text'], ...set.flatMap(([it, member]) => within(it, member))],
	};
}

const { object } = fc.letrec<{ any: SchemaCase; object: SchemaCase }>(tie => {
	const any = tie('any');
	const members = fc.uniqueArray(fc.tuple(name, any, fc.boolean(), fc.boolean()), {
		selector: it => it[0],
		maxLength: 5,
	});
	const list = fc.tuple(leaf, fc.nat(3)).map(([item, count]) => ({
		schema: { type: 'array', items: { ...item.schema, title: 'Item' } },
		value: Array.from({ length: count }, () => item.value),
		wrong: [['', 'text'] as const, ...(count === 0 || 'enum' in item.schema ? [] : within(String(count - 1), item))],
	}));
	const map = fc.tuple(leaf, fc.uniqueArray(name, { maxLength: 3 })).map(([item, names]) => ({
		schema: { type: 'object', additionalProperties: item.schema },
		value: own(names.map(it => [it, item.value])),
		wrong: [['', 'text'] as const, ...names.flatMap(it => within(it, item))],
	}));
	const variant = (kind: string) =>
		fc.tuple(leaf, fc.boolean()).map(([member]) =>
			objectOf([
				['kind', { schema: { const: kind }, value: kind, wrong: [] }, true, true],
				[`of ${kind}`, member, true, true],
			]),
		);
	const variants = fc
		.tuple(variant('one'), variant('two'), fc.boolean(), fc.constantFrom('oneOf', 'anyOf'))
		.map(([one, two, isOne, keyword]) => ({
			schema: { [keyword]: [one.schema, two.schema] },
			value: (isOne ? one : two).value,
			wrong: (isOne ? one : two).wrong,
		}));
	return {
		object: members.map(objectOf),
		any: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, list, map, variants, tie('object')),
	};
});

/** Schemas of tools, with valid arguments. */
export const anySchema: fc.Arbitrary<SchemaCase> = object;

/** The value with another value at a pointer. */
export function replaced(value: unknown, pointer: string, part: unknown): unknown {
	const [step, ...rest] = pointer.split('/').slice(1);
	if (step === undefined) {
		return part;
	}
	const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
	const next = (it: unknown): unknown => replaced(it, rest.map(more => `/${more}`).join(''), part);
	return Array.isArray(value)
		? value.map((it: unknown, index) => (String(index) === key ? next(it) : it))
		: own(Object.entries(value as JsonObject).map(([it, member]) => [it, it === key ? next(member) : member]));
}
