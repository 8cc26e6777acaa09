import * as assert from 'node:assert/strict';
import { formFields } from '../../../../src/mcp/schema/formModel.js';

/** A field without the members that all fields have, and without `undefined` and `false`. */
function essence(schema: unknown, root: object = {}): unknown {
	const [only] = formFields({ properties: { f: schema }, ...root }).fields;
	const { name: _, required: _required, ...rest } = only ?? assert.fail();
	const said = Object.entries(rest).filter(([key, it]) => it !== undefined && (it !== false || key === 'default'));
	return JSON.parse(JSON.stringify(Object.fromEntries(said)));
}

describe('formFields', () => {
	// covers: elicitation.everySchema
	it('finds the kind of a field, in every dialect that servers use', () => {
		const ab = [
			{ value: 'a', title: 'A' },
			{ value: 'b', title: 'b' },
		];
		const table: readonly (readonly [schema: unknown, field: unknown])[] = [
			[{ type: 'string' }, { kind: 'string' }],
			[
				{ type: 'string', minLength: 1, maxLength: 2, format: 'color', title: 'T', description: 'D', default: 'x' },
				{ kind: 'string', minLength: 1, maxLength: 2, format: 'color', title: 'T', description: 'D', default: 'x' },
			],
			[
				{ type: 'number', minimum: 0.5, maximum: 2, default: 1.5 },
				{ kind: 'number', minimum: 0.5, maximum: 2, default: 1.5 },
			],
			[
				{ type: 'integer', minimum: 1 },
				{ kind: 'integer', minimum: 1 },
			],
			[
				{ type: 'boolean', default: false },
				{ kind: 'boolean', default: false },
			],
			// A type that may also be null makes the field nullable.
			[{ type: ['string', 'null'] }, { kind: 'string', nullable: true }],
			[{ type: ['null', 'integer'] }, { kind: 'integer', nullable: true }],
			[{ type: ['string', 'integer', 'null'] }, { kind: 'json', nullable: true }],
			[
				{ type: 'string', nullable: true },
				{ kind: 'string', nullable: true },
			],
			[
				{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], title: 'T', default: null },
				{ kind: 'integer', minimum: 1, title: 'T', nullable: true },
			],
			[
				{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }, { type: 'null' }] },
				{ kind: 'choice', options: ab, nullable: true },
			],
			[{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, { kind: 'json', nullable: true }],
			[{ anyOf: [{ type: 'null' }, { type: 'null' }] }, { kind: 'json' }],
			// Limits of numbers. Draft-04 has another syntax for exclusive limits.
			[
				{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
				{ kind: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
			],
			[
				{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
				{ kind: 'number', exclusiveMinimum: 0, maximum: 9 },
			],
			[{ const: 'b' }, { kind: 'choice', options: [ab[1]] }],
			// An invalid default is ignored.
			[{ type: 'integer', default: '5' }, { kind: 'integer' }],
			[
				{ type: 'string', enum: ['a', 'b'], enumNames: ['A'], default: 'c' },
				{ kind: 'choice', options: ab },
			],
			[{ type: 'string', default: null }, { kind: 'string' }],
			[{ type: ['string', 'integer'] }, { kind: 'json' }],
			// Choices: 2025-11-25, and the older enumNames.
			[
				{ type: 'string', enum: ['a', 'b'] },
				{ kind: 'choice', options: [{ value: 'a', title: 'a' }, ab[1]] },
			],
			[
				{ type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
				{ kind: 'choice', options: ab },
			],
			[
				{ type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
				{ kind: 'choice', options: ab },
			],
			[{ anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, { kind: 'choice', options: ab }],
			[
				{ enum: [1, true, null, { a: 1 }] },
				{
					kind: 'choice',
					options: [
						{ value: 1, title: '1' },
						{ value: true, title: 'true' },
						{ value: null, title: 'null' },
						{ value: { a: 1 }, title: '{"a":1}' },
					],
				},
			],
			[{ type: 'string', enum: [] }, { kind: 'string' }],
			[{ oneOf: [{ const: 'a' }, { type: 'string' }] }, { kind: 'json' }],
			[
				{ type: 'array', items: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, minItems: 1, maxItems: 2 },
				{ kind: 'choices', options: ab, minItems: 1, maxItems: 2 },
			],
			[
				{ type: 'array', items: { enum: ['a', 'b'], enumNames: ['A'] }, uniqueItems: true, default: ['a'] },
				{ kind: 'choices', options: ab, uniqueItems: true, default: ['a'] },
			],
			[
				{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] } },
				{ kind: 'choices', options: ab },
			],
			// Values that a single input cannot hold.
			[{ type: 'array', items: { type: 'string' } }, { kind: 'json' }],
			[{ type: 'array' }, { kind: 'json' }],
			[{ type: 'object', properties: {} }, { kind: 'json' }],
			[{ type: 'null' }, { kind: 'json' }],
			[{ $ref: '#/$defs/x' }, { kind: 'json' }],
			[
				{ anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] },
				{ kind: 'string', format: 'password', nullable: true, isSecret: true },
			],
			[
				{ type: 'array', items: { type: 'string', writeOnly: true } },
				{ kind: 'json', isSecret: true },
			],
			[{}, { kind: 'json' }],
			[true, { kind: 'json' }],
			[null, { kind: 'json' }],
			// Limits of a wrong type are ignored.
			[{ type: 'string', minLength: '1', title: 5, description: {} }, { kind: 'string' }],
		];
		assert.deepEqual(
			table.map(([schema]) => essence(schema)),
			table.map(([, expected]) => expected),
		);
	});

	it('follows references inside the schema, and ignores other references', () => {
		const $defs = {
			level: { type: 'string', enum: ['a', 'b'], enumNames: ['A'], title: 'Level' },
			again: { $ref: '#/$defs/level' },
			round: { $ref: '#/$defs/turn' },
			turn: { $ref: '#/$defs/round' },
			'a/b c~': { type: 'boolean' },
			one: { const: 'a', title: 'A' },
			two: { const: 'b' },
			no: false,
		};
		const options = [
			{ value: 'a', title: 'A' },
			{ value: 'b', title: 'b' },
		];
		const table: readonly (readonly [schema: unknown, field: unknown])[] = [
			[{ $ref: '#/$defs/level' }, { kind: 'choice', options, title: 'Level' }],
			[
				{ $ref: '#/$defs/again', title: 'Mine', default: 'a' },
				{ kind: 'choice', options, title: 'Mine', default: 'a' },
			],
			[
				{ allOf: [{ $ref: '#/$defs/level' }], description: 'D' },
				{ kind: 'choice', options, title: 'Level', description: 'D' },
			],
			[
				{ anyOf: [{ $ref: '#/$defs/level' }, { type: 'null' }] },
				{ kind: 'choice', options, title: 'Level', nullable: true },
			],
			[{ oneOf: [{ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }] }, { kind: 'choice', options }],
			[
				{ type: 'array', items: { $ref: '#/$defs/level' } },
				{ kind: 'choices', options },
			],
			[{ $ref: '#/$defs/a~1b%20c~0' }, { kind: 'boolean' }],
			[{ $ref: '#/$defs/round', title: 'T' }, { kind: 'json' }],
			[
				{ $ref: '#/$defs/missing', type: 'string', title: 'T' },
				{ kind: 'string', title: 'T' },
			],
			[{ $ref: '#/$defs/constructor' }, { kind: 'json' }],
			[{ $ref: '#/$defs/no' }, { kind: 'json' }],
			[{ $ref: '#/%' }, { kind: 'json' }],
			[{ $ref: 'https://example.com/schema.json' }, { kind: 'json' }],
			[{ $ref: '#' }, { kind: 'json' }],
			[{ $ref: 5 }, { kind: 'json' }],
			[{ allOf: [{ type: 'string' }, { minLength: 1 }] }, { kind: 'string', minLength: 1 }],
		];
		assert.deepEqual(
			table.map(([schema]) => essence(schema, { $defs })),
			table.map(([, expected]) => expected),
		);
		// The schema of the tool itself.
		const definitions = { Args: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } };
		assert.deepEqual(
			formFields({ $ref: '#/definitions/Args', definitions }).fields.map(it => [it.name, it.kind, it.required]),
			[['a', 'string', true]],
		);
		assert.deepEqual(formFields({ $ref: '#' }).fields, []);
	});

	it('puts required fields first, otherwise keeps the order', () => {
		const properties = { a: {}, b: {}, c: {}, d: {} };
		assert.deepEqual(
			formFields({ type: 'object', properties, required: ['d', 'b', 'missing', 5] }).fields.map(it => [
				it.name,
				it.required,
			]),
			[
				['b', true],
				['d', true],
				['missing', true],
				['a', false],
				['c', false],
			],
		);
	});

	it('a schema without properties has no fields', () => {
		for (const schema of [{}, { type: 'object' }, { properties: null }, { properties: [] }, { required: 'a' }]) {
			assert.deepEqual(formFields(schema), { fields: [] });
		}
	});
});
