// Whole forms: their defaults, and what they send.
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { checkField, checkFields, parseField } from '../../../../src/mcp/schema/fieldCheck.js';
import { formFields } from '../../../../src/mcp/schema/formFields.js';
import { field } from '../../../support/fields.js';

describe('what a form sends', () => {
	const form = formFields({
		type: 'object',
		properties: {
			s: { type: 'string', default: 'John' },
			i: { type: 'integer', default: 30 },
			n: { type: 'number', default: 95.5 },
			e: { type: 'string', enum: ['active', 'inactive'], default: 'active' },
			b: { type: 'boolean', default: false },
			l: { type: 'array', items: { enum: ['x', 'y'] }, default: ['x'] },
			k: { const: 'always' },
			wrong: { type: 'integer', default: 'x' },
			none: { type: 'string' },
			empty: { type: ['string', 'null'], default: null },
			must: { type: ['string', 'null'], default: null },
		},
		required: ['k', 'must'],
	});

	// covers: elicitation.defaults
	it('without typing: the defaults', () => {
		const defaults = form.fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
		assert.deepEqual(Object.fromEntries(defaults), {
			k: 'always',
			must: null,
			s: 'John',
			i: 30,
			n: 95.5,
			e: 'active',
			b: false,
			l: ['x'],
		});
	});

	// covers: elicitation.validated
	it('as the answer of an elicitation: values of the form, or the problems', () => {
		const flat = formFields({
			properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] }, c: { type: 'array' }, d: {} },
			required: ['a'],
		});
		const table: readonly (readonly [values: JsonObject, problems: readonly unknown[]])[] = [
			[{ a: 'x', b: 1, c: ['y'], other: 1 }, []],
			[{ a: 'x', b: null, d: 0.5 }, []],
			[{ a: 'x', b: undefined }, []],
			[{}, [['a', { code: 'required' }]]],
			[
				{ a: 5, b: 1.5 },
				[
					['a', { code: 'notAString' }],
					['b', { code: 'notAnInteger', text: '1.5' }],
				],
			],
		];
		assert.deepEqual(
			table.map(([values]) => Array.from(checkFields(flat, values))),
			table.map(([, problems]) => problems),
		);
	});

	it('a default that cannot be turned into text is one that does not fit', () => {
		const [field] = formFields({ properties: { a: { type: 'number', default: [{ toString: 1 }] } } }).fields;
		assert.deepEqual(field?.ignoredDefault, { code: 'notANumber', text: '[{"toString":1}]' });
	});

	it('any schema gives a form, and its defaults fit it', () => {
		const keyword = fc.constantFrom(
			...(
				'type enum enumNames const default items oneOf anyOf allOf $ref properties required minimum multipleOf ' +
				'format pattern minLength title $defs nullable a'
			).split(' '),
		);
		const { schema } = fc.letrec(tie => ({
			schema: fc.dictionary(keyword, tie('value'), { maxKeys: 5 }),
			value: fc.oneof(
				{ maxDepth: 4 },
				fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null', '#', '#/$defs/a'),
				fc.jsonValue({ maxDepth: 1 }),
				tie('schema'),
				fc.array(tie('value'), { maxLength: 3 }),
			),
		}));
		fc.assert(
			fc.property(fc.dictionary(keyword, schema), schema, fc.jsonValue(), (properties, $defs, value) => {
				const anyForm = formFields({ properties, $defs, required: ['a'] });
				for (const it of anyForm.fields) {
					assert.ok(it.default === undefined || checkField(it, it.default).ok);
					checkField(it, value);
					parseField(it, JSON.stringify(value));
				}
			}),
		);
		fc.assert(
			fc.property(fc.object(), fc.jsonValue(), (any, value) => void checkFields(formFields(any), { a: value })),
		);
	});

	it('what fits a field can be typed', () => {
		const kinds: readonly (readonly [schema: unknown, values: fc.Arbitrary<unknown>])[] = [
			[{ type: 'string' }, fc.string({ unit: 'binary' })],
			[{ type: 'number' }, fc.double({ noNaN: true, noDefaultInfinity: true })],
			[{ type: 'integer' }, fc.maxSafeInteger()],
			[{ type: 'integer', nullable: true }, fc.option(fc.integer())],
			[{ type: 'boolean' }, fc.boolean()],
			[{ enum: ['a', 1, null, { b: [] }] }, fc.constantFrom('a', 1, null, { b: [] })],
			[{ type: 'array', items: { enum: ['a', 'b'] } }, fc.array(fc.constantFrom('a', 'b'))],
			[{}, fc.jsonValue()],
		];
		for (const [schema, values] of kinds) {
			const it = field(schema);
			fc.assert(
				fc.property(values, value => {
					const text = it.kind === 'string' ? String(value) : JSON.stringify(value);
					assert.deepEqual(parseField(it, text), { ok: true, value: JSON.parse(JSON.stringify(value)) });
				}),
			);
		}
	});

	it('formats of any text are told without an error', () => {
		const piece = fc.constantFrom('2024', '-', '02', '30', 'T', ':', '12', 'Z', '+', '.5', '@', 'a', '99', '00', ' ');
		fc.assert(
			fc.property(fc.array(piece), fc.constantFrom('email', 'uri', 'date', 'date-time'), (pieces, format) => {
				checkField(field({ type: 'string', format }), pieces.join(''));
			}),
			{ numRuns: 1000 },
		);
	});
});
