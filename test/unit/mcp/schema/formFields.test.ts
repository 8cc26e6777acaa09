import * as assert from 'node:assert/strict';
import { checkField, checkFields, type Field, formFields, parseField } from '../../../../src/mcp/schema/formFields.js';

/** The single field of a schema with one property. */
function field(schema: unknown, required = false): Field {
	const [first] = formFields({ properties: { f: schema }, required: required ? ['f'] : [] }).fields;
	assert.ok(first);
	return first;
}

/** A field without what every field has and what is `undefined`. */
function essence(schema: unknown): unknown {
	const { name: _, required: _required, ...rest } = field(schema);
	return JSON.parse(JSON.stringify(rest));
}

/** What typed text becomes: the value, or the problem's code with its data. */
function parse(schema: unknown, ...inputs: string[]): unknown[] {
	return inputs.map(input => {
		const check = parseField(field(schema), input);
		return check.ok ? { value: check.value } : Object.values(check.problem).join(' ');
	});
}

function check(schema: unknown, ...values: unknown[]): unknown[] {
	return values.map(value => {
		const it = checkField(field(schema), value);
		return it.ok ? 'ok' : Object.values(it.problem).join(' ');
	});
}

describe('formFields', () => {
	it('finds the kind of a field, in every dialect that servers use', () => {
		const ab = [
			{ value: 'a', title: 'A' },
			{ value: 'b', title: 'b' },
		];
		const table: readonly (readonly [schema: unknown, field: unknown])[] = [
			[{ type: 'string' }, { kind: 'string' }],
			[
				{ type: 'string', minLength: 1, maxLength: 2, format: 'email', title: 'T', description: 'D', default: 'x' },
				{ kind: 'string', minLength: 1, maxLength: 2, format: 'email', title: 'T', description: 'D', default: 'x' },
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
			// A type that may also be null is one that may be left out.
			[{ type: ['string', 'null'] }, { kind: 'string' }],
			[{ type: ['null', 'integer'] }, { kind: 'integer' }],
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
				{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] } },
				{ kind: 'choices', options: ab },
			],
			// What a single input cannot hold.
			[{ type: 'array', items: { type: 'string' } }, { kind: 'json' }],
			[{ type: 'array' }, { kind: 'json' }],
			[{ type: 'object', properties: {} }, { kind: 'json' }],
			[{ type: 'null' }, { kind: 'json' }],
			[{ $ref: '#/$defs/x' }, { kind: 'json' }],
			[{}, { kind: 'json' }],
			[true, { kind: 'json' }],
			[null, { kind: 'json' }],
			// Limits of a wrong type are none.
			[{ type: 'string', minLength: '1', title: 5, description: {} }, { kind: 'string' }],
		];
		assert.deepEqual(
			table.map(([schema]) => essence(schema)),
			table.map(([, expected]) => expected),
		);
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

	it('reads names that are traps in JavaScript', () => {
		const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}}');
		const form = formFields({ properties, required: ['constructor'] });
		assert.deepEqual(
			form.fields.map(it => [it.name, it.kind]),
			[
				['constructor', 'boolean'],
				['__proto__', 'string'],
			],
		);
		assert.deepEqual(Array.from(checkFields(form, {})), [['constructor', { code: 'required' }]]);
	});
});

describe('parseField', () => {
	it('text is kept as typed', () => {
		assert.deepEqual(parse({ type: 'string' }, '', ' a ', '5', 'null'), [
			{ value: '' },
			{ value: ' a ' },
			{ value: '5' },
			{ value: 'null' },
		]);
	});

	it('numbers are what JSON calls numbers, with zeros in front too', () => {
		assert.deepEqual(
			parse(
				{ type: 'number' },
				'5',
				' -1.5 ',
				'1e3',
				'007',
				'',
				'x',
				'0x1f',
				'Infinity',
				'NaN',
				'1,5',
				'1e999',
				'.5',
				'+5',
			),
			[
				{ value: 5 },
				{ value: -1.5 },
				{ value: 1000 },
				{ value: 7 },
				'notANumber ',
				'notANumber x',
				'notANumber 0x1f',
				'notANumber Infinity',
				'notANumber NaN',
				'notANumber 1,5',
				'notANumber Infinity',
				'notANumber .5',
				'notANumber +5',
			],
		);
		assert.deepEqual(parse({ type: 'integer', minimum: 1, maximum: 10 }, '5', '1.5', '0', '11', '1.0'), [
			{ value: 5 },
			'notAnInteger 1.5',
			'tooSmall 1',
			'tooLarge 10',
			{ value: 1 },
		]);
	});

	it('everything else is JSON', () => {
		assert.deepEqual(parse({ type: 'object' }, '{"a":[1]}', 'null', '{a:1}', ''), [
			{ value: { a: [1] } },
			{ value: null },
			'notJson {a:1}',
			'notJson ',
		]);
		assert.deepEqual(parse({ type: 'boolean' }, 'true', '"true"', 'yes'), [
			{ value: true },
			'notABoolean',
			'notJson yes',
		]);
		assert.deepEqual(parse({ enum: ['a', 1] }, '"a"', '1', '"1"'), [{ value: 'a' }, { value: 1 }, 'notAnOption']);
		assert.deepEqual(
			parse(
				{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
				'["a"]',
				'[]',
				'["a","b","c"]',
				'["x"]',
				'"a"',
			),
			[{ value: ['a'] }, 'tooFew 1', 'tooMany 2', 'notAnOption', 'notAnOption'],
		);
	});
});

describe('checkField', () => {
	it('counts code points, as JSON Schema does', () => {
		assert.deepEqual(
			check({ type: 'string', minLength: 2, maxLength: 3 }, 'a', 'ab', 'abcd', '😀', '😀😀', '😀😀😀', '😀😀😀😀'),
			['tooShort 2', 'ok', 'tooLong 3', 'tooShort 2', 'ok', 'ok', 'tooLong 3'],
		);
	});

	it('checks the formats that elicitation names, and no others', () => {
		const table: Record<string, readonly (readonly [value: string, ok: boolean])[]> = {
			email: [
				['a@b.c', true],
				['a b@c', false],
				['a@', false],
				['@b', false],
				['a@b@c', false],
				['', false],
			],
			uri: [
				['https://a/b?c#d', true],
				['mailto:a@b', true],
				['urn:x:y', true],
				['a/b', false],
				['https://a b', false],
				['1x:y', false],
			],
			date: [
				['2024-02-29', true],
				['2023-02-29', false],
				['2024-02-30', false],
				['2024-13-01', false],
				['24-01-01', false],
				['2024-1-1', false],
			],
			'date-time': [
				['2024-02-29T12:00:00Z', true],
				['2024-02-29t12:00:00z', true],
				['2024-02-29T12:00:00.5+02:00', true],
				['2024-02-29T12:00:00', false],
				['2024-02-30T12:00:00Z', false],
				['2024-02-29T25:00:00Z', false],
				['2024-02-29', false],
			],
			color: [['anything', true]],
		};
		for (const [format, values] of Object.entries(table)) {
			assert.deepEqual(
				values.map(([value]) => [value, ...check({ type: 'string', format }, value)]),
				values.map(([value, ok]) => [value, ok ? 'ok' : `format ${format}`]),
			);
		}
	});

	it('refuses values of another type', () => {
		assert.deepEqual(check({ type: 'string' }, 5, null, {}), ['notAString', 'notAString', 'notAString']);
		assert.deepEqual(check({ type: 'number' }, '5', NaN, Infinity, null), [
			'notANumber 5',
			'notANumber NaN',
			'notANumber Infinity',
			'notANumber null',
		]);
		assert.deepEqual(check({ type: 'boolean' }, 'true', 1), ['notABoolean', 'notABoolean']);
		assert.deepEqual(check({ type: 'object' }, 5, null), ['ok', 'ok']);
	});

	it('asks for what is required only', () => {
		assert.deepEqual(checkField(field({ type: 'string' }), undefined), { ok: true, value: undefined });
		assert.deepEqual(checkField(field({ type: 'string' }, true), undefined), {
			ok: false,
			problem: { code: 'required' },
		});
		const form = formFields({
			properties: { a: { type: 'string' }, b: { type: 'integer' }, c: {} },
			required: ['a', 'c'],
		});
		assert.deepEqual(
			[{}, { a: '', b: 1.5, c: null }, { a: 'x', c: 0, d: 1 }].map(it => Array.from(checkFields(form, it))),
			[
				[
					['a', { code: 'required' }],
					['c', { code: 'required' }],
				],
				[['b', { code: 'notAnInteger', text: '1.5' }]],
				[],
			],
		);
	});
});
