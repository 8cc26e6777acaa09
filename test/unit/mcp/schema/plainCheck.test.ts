import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AjvValidator } from '../../../../src/mcp/schema/ajvValidator.js';
import { linearFormats } from '../../../../src/mcp/schema/formats.js';
import { Meter } from '../../../../src/mcp/schema/meter.js';
import { PlainCheck } from '../../../../src/mcp/schema/plainCheck.js';
import { hasPlainFormat, numberFormats, textFormats } from '../../../../src/mcp/schema/plainSchema.js';
import { asPlainSchema } from '../../../../src/mcp/schema/plainSchema.js';

type Schema = Readonly<Record<string, unknown>>;

const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const name = fc.constantFrom('a', 'b', 'constructor', '');
const scalar = fc.constantFrom<unknown>('a', '', 'constructor', 'aé😀', 0, 1, 2, 2.5, -1, true, false, null);
const limit = fc.constantFrom(0, 1, 2, 2.5);
const count = fc.nat({ max: 2 });
const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const format = fc.constantFrom('int32', 'double', 'email', 'date', 'color', 'password');
const ref = fc.constantFrom('#', '#/$defs/a', '#/definitions/b');

/** Schemas of which most are plain; keywords are drawn from those that are looked at. */
const { schema } = fc.letrec<{ schema: Schema | boolean; any: unknown }>(tie => {
	const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
	const map = fc.dictionary(name, tie('schema'), { maxKeys: 3 });
	const keyword = fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		pair('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
		pair('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 })),
		pair('const', scalar),
		pair('format', format),
		...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(it => pair(it, limit)),
		pair('multipleOf', fc.constantFrom(1, 2)),
		...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(it => pair(it, count)),
		pair('uniqueItems', fc.boolean()),
		pair('required', fc.uniqueArray(name, { maxLength: 2 })),
		pair('default', scalar),
		pair('examples', fc.constant([{ $id: 'x', $ref: 'y' }])),
		...['properties', '$defs', 'definitions'].map(it => pair(it, map)),
		...['items', 'additionalProperties', 'propertyNames', 'not'].map(it => pair(it, tie('schema'))),
		...['allOf', 'anyOf', 'oneOf'].map(it => pair(it, list)),
		pair('$ref', ref),
	);
	return {
		schema: fc.oneof(
			{ maxDepth: 4, depthSize: 'small', withCrossShrink: true },
			fc.boolean(),
			fc.array(keyword, { minLength: 1, maxLength: 3 }).map(it => Object.fromEntries(it)),
		),
		any: scalar,
	};
});

/** A schema that has what its references lead to. */
const root = fc
	.tuple(schema, schema, schema, fc.constantFrom(undefined, draft7, draft2020))
	.filter(([it]) => typeof it === 'object')
	.map(([it, a, b, $schema]): Schema => ({
		$defs: { a },
		definitions: { b },
		...(it as Schema),
		...($schema === undefined ? {} : { $schema }),
	}));

const { value } = fc.letrec(tie => ({
	value: fc.oneof(
		{ maxDepth: 3, depthSize: 'small', withCrossShrink: true },
		scalar,
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(name, tie('value'), { maxKeys: 3 }),
	),
}));

function pair<T>(keyword: string, it: fc.Arbitrary<T>): fc.Arbitrary<[string, T]> {
	return it.map(found => [keyword, found]);
}

describe('PlainCheck', function () {
	// The engine compiles hundreds of schemas.
	this.timeout(60_000);

	const check = new PlainCheck();

	it('accepts what tools usually say', () => {
		const item = {
			type: 'object',
			properties: { name: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
		};
		const list = {
			$schema: draft7,
			title: 'List',
			type: 'object',
			properties: {
				items: { type: 'array', items: { $ref: '#/$defs/Item' }, default: [] },
				next: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }], 'x-mcp-header': 'Next' },
				kind: { enum: ['a', 'b'], description: 'What it is' },
				tree: { oneOf: [{ $ref: '#' }, { const: 1 }], discriminator: { propertyName: 'kind' } },
			},
			required: ['items'],
			additionalProperties: false,
			$defs: { Item: item },
		};
		const items = [{ name: 'n', at: '2024-12-31T23:59:59.123Z' }, {}];
		for (const fitting of [{ items }, { items: [], next: null, kind: 'b' }, { items, tree: { items, next: 'a:b' } }]) {
			assert.equal(check.fits(list, fitting), true, JSON.stringify(fitting));
		}
		for (const breaking of [{}, { items: {} }, { items: [{ name: 1 }] }, { items, kind: 'c' }, { items, other: 1 }]) {
			assert.equal(check.fits(list, breaking), false, JSON.stringify(breaking));
		}
	});

	it('counts code points, finds definitions, and looks at long lists', () => {
		const rows: (readonly [schema: Schema, value: unknown, fits: boolean])[] = [
			[{ minLength: 2, maxLength: 2 }, '😀😀', true],
			[{ minLength: 3 }, '😀😀', false],
			[{ maxLength: 3 }, '😀😀a', true],
			[{ $ref: '#/$defs/a', $defs: { a: true }, definitions: { a: false } }, 1, true],
			[{ $ref: '#/definitions/a', $defs: { a: true }, definitions: { a: false } }, 1, false],
			[{ items: { type: 'integer' } }, Array.from({ length: 10_000 }, (_, it) => it), true],
			[{ items: { type: 'integer' } }, [...Array.from({ length: 10_000 }, (_, it) => it), 'a'], false],
		];
		for (const [index, [schema, value, fits]] of rows.entries()) {
			assert.equal(check.fits(schema, value), fits, `row ${index}`);
		}
	});

	it('leaves to the engine every schema that is unusual, wrong or too large', () => {
		const deep = (depth: number): object => (depth === 0 ? {} : { not: deep(depth - 1) });
		const properties = (length: number): object =>
			Object.fromEntries(Array.from({ length }, (_, it) => [`p${it}`, {}]));
		const cyclic: Record<string, unknown> = {};
		cyclic['not'] = cyclic;
		const schemas: unknown[] = [
			{ type: 'strin' },
			{ type: [] },
			{ type: [['string']] },
			{ type: ['null', 'null'] },
			{ minLength: -1 },
			{ required: true },
			{ required: ['a', 'a'] },
			{ required: [''] },
			{ properties: [] },
			{ enum: [] },
			{ enum: [1, [1]] },
			{ minimum: '1' },
			{ minimum: Infinity },
			{ exclusiveMinimum: true },
			{ anyOf: [] },
			{ anyOf: {} },
			{ allOf: [] },
			{ items: [{}] },
			{ prefixItems: [{}] },
			{ const: {} },
			{ multipleOf: 0 },
			{ multipleOf: 0.1 },
			{ not: null },
			{ pattern: 'a' },
			{ patternProperties: {} },
			{ if: {} },
			{ contains: {} },
			{ unevaluatedProperties: false },
			{ $id: 'a' },
			{ $anchor: 'a' },
			{ $dynamicRef: '#a' },
			{ nullable: true },
			{ unknown: 1 },
			{ 'x-a': {} },
			{ $ref: '#a' },
			{ $ref: '#/$defs/a' },
			{ $ref: '#/properties/a', properties: { a: {} } },
			{ $ref: 5 },
			{ $ref: '#/$defs/toString', $defs: {} },
			{ $ref: 'https://example.com/x' },
			{ $ref: draft2020 },
			{ $schema: 5 },
			{ $schema: 'http://json-schema.org/draft-04/schema#' },
			{ not: { $schema: draft2020 } },
			JSON.parse('{"properties":{"__proto__":{}}}'),
			{ required: ['__proto__'] },
			{ title: 1 },
			{ readOnly: 1 },
			{ properties: properties(4000) },
			{ description: 'x'.repeat(1_000_001) },
			deep(300),
			cyclic,
			{ enum: Array.from({ length: 100_000 }, (_, it) => it) },
			null,
			undefined,
			5,
			[],
			true,
		];
		assert.deepEqual(
			schemas.filter(it => asPlainSchema(it) || check.fits(it as Schema, 1)),
			[],
		);
	});

	it('leaves to the engine every value that is unusual, or takes too long', () => {
		const nested = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown;
		const cyclic: Record<string, unknown> = {};
		cyclic['a'] = cyclic;
		const sparse: unknown[] = [];
		sparse.length = 2;
		const bomb = Object.fromEntries(
			Array.from({ length: 40 }, (_, it) => [
				`a${it}`,
				{ allOf: [{ $ref: `#/$defs/a${it + 1}` }, { $ref: `#/$defs/a${it + 1}` }] },
			]),
		);
		const rows: (readonly [schema: Schema, value: unknown])[] = [
			...[undefined, NaN, Infinity, 1n, () => 1, Symbol('a')].map(it => [{}, it] as const),
			[{ items: {} }, [undefined]],
			[{ items: {} }, sparse],
			[{ required: ['a'] }, { a: undefined }],
			[{ required: ['toString'] }, {}],
			[{ uniqueItems: true }, [{}]],
			[{ multipleOf: 2 }, 1e300],
			[{ maxLength: 150_000 }, 'x'.repeat(150_001)],
			[{ items: { $ref: '#' } }, nested],
			[{ additionalProperties: { $ref: '#' } }, cyclic],
			[{ anyOf: [{}, { $ref: '#' }] }, 1],
			[{ $ref: '#/$defs/a0', $defs: { ...bomb, a40: {} } }, 1],
			[{ items: {} }, Array.from({ length: 100_000 }, () => 1)],
		];
		for (const [index, [schema, value]] of rows.entries()) {
			assert.equal(check.fits(schema, value), false, `row ${index}`);
		}
	});

	it('agrees with the engine, for all that it accepts', () => {
		const engine = new AjvValidator();
		let accepted = 0;
		let refused = 0;
		fc.assert(
			fc.property(root, fc.array(value, { minLength: 8, maxLength: 8 }), (schema, values) => {
				const isPlain = asPlainSchema(schema) !== undefined;
				for (const it of values) {
					const fits = check.fits(schema, it);
					const { kind } = engine.check(schema, it);
					assert.ok(kind === 'valid' || !fits, `accepted, and ${kind}`);
					accepted += fits ? 1 : 0;
					refused += isPlain && kind === 'valid' && !fits ? 1 : 0;
				}
			}),
			{ numRuns: 400 },
		);
		assert.ok(accepted > 500 && refused < accepted / 10, `${accepted} accepted, ${refused} left to the engine`);
	});

	it("knows the engine's formats, and accepts no text that the engine does not", () => {
		assert.deepEqual(
			[...textFormats, ...numberFormats.keys()].toSorted(),
			Object.keys(linearFormats(new Meter())).toSorted(),
		);
		const days = ['2024-02-29', '2023-02-29', '2024-02-30', '2024-04-31', '2024-12-31', '2024-00-01', '2024-01-00'];
		const emails = [`a@${'a-'.repeat(40)}b.c`, `a@${'a'.repeat(64)}.b`, 'a@a-b.c', 'a@b'];
		const texts = fc.oneof(
			fc.constantFrom(...days, ...days.map(it => `${it}T00:00:00Z`), ...emails),
			fc.date({ noInvalidDate: true }).map(it => it.toISOString()),
			fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[0-6]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/),
			fc.stringMatching(/^[a-z0-9._-]{1,4}@[a-z0-9.-]{1,8}$/),
			fc.webUrl({ withFragments: true, withQueryParameters: true }),
			fc.uuid(),
			fc.string({ unit: 'grapheme' }),
		);
		const engine = new AjvValidator();
		const sure = new Set<string>();
		fc.assert(
			fc.property(texts, text => {
				for (const format of [...textFormats, 'color']) {
					if (hasPlainFormat(text, format)) {
						sure.add(format);
						assert.equal(engine.check({ type: 'string', format }, text).kind, 'valid', `${format}: ${text}`);
					}
				}
			}),
			{ numRuns: 1000 },
		);
		assert.deepEqual([...sure].toSorted(), ['color', 'date', 'date-time', 'email', 'uri', 'uuid']);
		for (const [format, has] of numberFormats) {
			for (const number of [0, 0.5, -0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 60]) {
				assert.equal(engine.check({ format }, number).kind === 'valid', has(number), `${format} ${number}`);
			}
		}
	});
});
