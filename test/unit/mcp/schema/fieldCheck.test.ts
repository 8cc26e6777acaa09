// Single fields: values that are typed into them, and their problems.
import * as assert from 'node:assert/strict';
import { checkField, checkFields, parseField } from '../../../../src/mcp/schema/fieldCheck.js';
import { formFields } from '../../../../src/mcp/schema/formModel.js';
import { check, field } from '../../../support/fields.js';

/** The result of typed text: the value, or the problem's code with its data. */
function parse(schema: unknown, ...inputs: string[]): unknown[] {
	return inputs.map(input => {
		const { value, problem } = parseField(field(schema), input);
		return problem ? Object.values(problem).join(' ') : { value };
	});
}

describe('parseField', () => {
	it('text is kept as typed', () => {
		assert.deepEqual(parse({ type: 'string' }, '', ' a ', '5', 'null'), [
			{ value: '' },
			{ value: ' a ' },
			{ value: '5' },
			{ value: 'null' },
		]);
	});

	it('numbers are written as in JSON, also with leading zeros', () => {
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
				'notANumber 1e999',
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

	it('checks numbers as they are written', () => {
		assert.deepEqual(
			check({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1.5 }, 0, 1e-300, 1.5, 1.49),
			'notAbove 0,ok,notBelow 1.5,ok'.split(','),
		);
		assert.deepEqual(check({ type: 'integer' }, 1e21, 1.5, -0), ['ok', 'notAnInteger 1.5', 'ok']);
		assert.deepEqual(
			parse({ type: 'integer' }, '1e21', '1000000000000000000000', '9007199254740993', '-0', '0.0', '100e-2'),
			[{ value: 1e21 }, { value: 1e21 }, 'inexact 9007199254740993', { value: -0 }, { value: 0 }, { value: 1 }],
		);
		// Fractions are rounded everywhere.
		assert.deepEqual(parse({ type: 'number' }, '0.1000000000000000055'), [{ value: 0.1 }]);
	});

	it('compares options by value, and rejects duplicates if the schema says so', () => {
		assert.deepEqual(
			check({ enum: [{ a: 1, b: [] }, null] }, { b: [], a: 1 }, null, { a: 1 }),
			'ok,ok,notAnOption'.split(','),
		);
		const choices = { type: 'array', items: { enum: ['a', 'b'] } };
		assert.deepEqual(check(choices, ['a', 'a']), ['ok']);
		assert.deepEqual(check({ ...choices, uniqueItems: true }, ['a', 'a'], ['a', 'b']), ['duplicate', 'ok']);
	});

	it('null is a value if the schema says so', () => {
		assert.deepEqual(check({ type: ['string', 'null'] }, null), ['ok']);
		assert.deepEqual(check({ type: 'string' }, null), ['notAString']);
		assert.deepEqual(parse({ type: ['integer', 'null'] }, '', 'null', '5', 'x'), [
			{ value: null },
			{ value: null },
			{ value: 5 },
			'notANumber x',
		]);
		// A text field cannot tell: what is typed is text.
		assert.deepEqual(parse({ type: ['string', 'null'] }, '', 'null'), [{ value: '' }, { value: 'null' }]);
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

	it('demands only required values', () => {
		assert.equal(checkField(field({ type: 'string' }), undefined), undefined);
		assert.deepEqual(checkField(field({ type: 'string' }, true), undefined), { code: 'required' });
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
