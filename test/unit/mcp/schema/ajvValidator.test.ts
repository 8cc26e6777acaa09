import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AjvValidator } from '../../../../src/mcp/schema/ajvValidator.js';
import type { SchemaCheck } from '../../../../src/mcp/schema/validator.js';
import { releaseTime, stopTime } from '../../../support/stoppedClock.js';

const validator = new AjvValidator();

/** `valid`, `/path code …`, or `unchecked: why detail`. */
function verdict(schema: unknown, value: unknown, by = validator): string {
	return describeCheck(by.check(schema, value));
}

function describeCheck(check: SchemaCheck): string {
	switch (check.kind) {
		case 'valid':
			return 'valid';
		case 'invalid':
			return check.problems.map(it => `${it.path} ${it.code} ${Object.values(it.data).join(' ')}`.trim()).join('; ');
		case 'unchecked':
			return `unchecked: ${check.why}`;
	}
}

/** Each row: a schema, then values with their verdicts. */
function table(rows: readonly (readonly [schema: unknown, ...expected: (readonly [unknown, string])[]])[]): void {
	for (const [row, [schema, ...expected]] of rows.entries()) {
		assert.deepEqual(
			expected.map(([value]) => verdict(schema, value)),
			expected.map(([, text]) => text),
			`row ${row}`,
		);
	}
}

const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('AjvValidator', function () {
	// The first check compiles the dialect's own schema; two cores are shared with everything else.
	this.timeout(20_000);

	// Verdicts don't depend on how busy the machine is.
	beforeEach(() => stopTime());
	afterEach(releaseTime);

	// covers: schema.dialects
	it('checks both dialects, 2020-12 where none is named', () => {
		const tuple = { items: [{ type: 'string' }], additionalItems: false };
		const prefix = { prefixItems: [{ type: 'string' }], items: false };
		table([
			[
				{ type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] },
				[{ a: 1 }, 'valid'],
				[{}, 'required a'],
				[{ a: 0.5 }, '/a type integer; /a minimum >= 1'],
				[null, 'type object'],
			],
			[{ $schema: draft7, ...tuple }, [['a'], 'valid'], [['a', 1], 'additionalItems 1']],
			[{ $schema: draft2020, ...prefix }, [['a'], 'valid'], [['a', 1], 'items 1']],
			[prefix, [['a'], 'valid'], [['a', 1], 'items 1']],
			// A tuple of draft-07 is no schema of 2020-12.
			[tuple, [['a'], 'unchecked: invalidSchema']],
			[{ $schema: draft7.slice(0, -1), type: 'string' }, ['a', 'valid']],
			[{ $schema: draft7.replace('http', 'https'), type: 'string' }, [1, 'type string']],
			[{ $schema: 'http://json-schema.org/draft-04/schema#' }, [1, 'unchecked: unknownDialect']],
			[{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, [1, 'unchecked: unknownDialect']],
			[{ $schema: 5 }, [1, 'unchecked: unknownDialect']],
			[{ properties: { a: { $schema: draft7 } } }, [1, 'unchecked: unknownDialect']],
			[{ properties: { a: { $schema: draft2020 } } }, [1, 'valid']],
			[{}, [undefined, 'valid'], [{ a: [null] }, 'valid']],
		]);
	});

	// covers: schema.noNetworkRef
	it('follows references inside the schema and never leaves it', () => {
		const tree = {
			$id: 'https://example.com/tree',
			$dynamicAnchor: 'node',
			type: 'object',
			properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
		};
		table([
			[{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['x', 'valid'], [1, 'type string']],
			[{ $schema: draft7, $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, [1, 'type string']],
			[{ $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }, ['x', 'valid'], [1, 'type string']],
			[{ $schema: draft7, $ref: '#a', definitions: { x: { $id: '#a', type: 'string' } } }, [1, 'type string']],
			[{ $ref: '#/components/schemas/a', components: { schemas: { a: { type: 'string' } } } }, [1, 'type string']],
			[{ $id: 'https://a/b', $ref: 'c', $defs: { x: { $id: 'c', type: 'string' } } }, [1, 'type string']],
			[tree, [{ children: [{ children: [] }] }, 'valid'], [{ children: [1] }, '/children/0 type object']],
			[
				{ type: 'object', properties: { n: { $ref: '#' } } },
				[{ n: { n: {} } }, 'valid'],
				[{ n: { n: 1 } }, '/n/n type object'],
			],
			[{ $ref: 'https://example.com/x.json' }, [1, 'unchecked: remoteRef']],
			[{ properties: { a: { $ref: 'other.json#/a' } } }, [1, 'unchecked: remoteRef']],
			[{ $ref: 'file:///etc/passwd' }, [1, 'unchecked: remoteRef']],
			[{ $ref: draft2020 }, [1, 'unchecked: remoteRef']],
			[{ $ref: '#/$defs/missing' }, [1, 'unchecked: invalidSchema']],
			[{ $ref: '#missing' }, [1, 'unchecked: invalidSchema']],
			[{ $ref: '#/required', required: ['a'] }, [1, 'unchecked: invalidSchema']],
			[{ $ref: '#' }, [1, 'unchecked: tooDeep']],
		]);
	});

	it("keeps the names of one server's schemas from another's", () => {
		const id = 'https://example.com/shared';
		assert.equal(verdict({ $id: id, type: 'string' }, 'a'), 'valid');
		assert.equal(verdict({ $id: id, type: 'number' }, 'a'), 'type number');
		assert.equal(verdict({ $ref: id }, 'a'), 'unchecked: remoteRef');
	});

	it('says of a wrong schema that it is one', () => {
		const wrong = [
			{ type: 'strin' },
			{ minLength: -1 },
			{ required: true },
			{ properties: [] },
			{ enum: 5 },
			{ $ref: 5 },
			{ minimum: '1' },
			{ exclusiveMinimum: true },
			{ anyOf: [] },
			5,
			'x',
			null,
			[],
			true,
			undefined,
		];
		for (const schema of wrong) {
			assert.equal(verdict(schema, 1), 'unchecked: invalidSchema', JSON.stringify(schema));
		}
		const check = validator.check({ properties: { a: { type: 'strin' } } }, 1);
		assert.match(check.kind === 'unchecked' ? check.detail : '', /^\/properties\/a\/type must be/);
	});

	it('forgives keywords of other dialects and of Ajv', () => {
		table([
			[{ id: 'x', type: 'string' }, [1, 'type string']],
			[{ $async: true, type: 'string' }, [1, 'type string'], ['a', 'valid']],
			[{ nullable: true }, [null, 'valid']],
			[{ type: 'string', nullable: true }, [null, 'valid'], [1, 'type string']],
			[{ type: 'string', nullable: false }, ['a', 'valid']],
			[{ discriminator: { propertyName: 'x' }, oneOf: [{ type: 'string' }] }, ['a', 'valid']],
			[{ 'x-mcp-header': 'A', unknown: { deep: [1] } }, [1, 'valid']],
		]);
	});

	it('checks formats, and leaves unknown ones', () => {
		const formats: Record<string, readonly [good: string, bad: string]> = {
			email: ['a@b.cd', 'a@'],
			uri: ['https://a/b?c', 'a b'],
			'uri-reference': ['/a?b', 'a b\\'],
			'uri-template': ['/a/{b}', '/a/{b'],
			date: ['2024-02-29', '2024-02-30'],
			time: ['12:00:00Z', '25:00:00Z'],
			'date-time': ['2024-02-29T12:00:00Z', '2024-02-29'],
			duration: ['P1D', '1D'],
			uuid: ['123e4567-e89b-12d3-a456-426614174000', '123'],
			ipv4: ['127.0.0.1', '256.0.0.1'],
			ipv6: ['::1', ':::1'],
			hostname: ['a-b.example', '-a'],
			regex: ['^a+$', '('],
			byte: ['QUJD', 'QUJ'],
			'json-pointer': ['/a/0', 'a'],
		};
		for (const [format, [good, bad]] of Object.entries(formats)) {
			table([[{ format }, [good, 'valid'], [bad, `format ${format}`], [5, 'valid']]]);
		}
		table([[{ format: 'color' }, ['x', 'valid']]]);
	});

	it('runs patterns in linear time, or not at all', () => {
		const long = `${'a'.repeat(50_000)}!`;
		table([
			[{ pattern: '(a+)+$' }, [long, 'pattern (a+)+$'], ['a', 'valid']],
			[{ patternProperties: { '^(a+)+$': { type: 'number' } } }, [{ [long]: 'x', aa: 'x' }, '/aa type number']],
			[{ patternProperties: { '^(a+)+$': {} }, properties: { [`${'a'.repeat(99)}!`]: {} } }, [{}, 'valid']],
			[{ pattern: '(?=a)b' }, ['b', 'unchecked: unsupportedPattern']],
			[{ properties: { a: { pattern: '(a)\\1' } } }, [{}, 'unchecked: unsupportedPattern']],
			[{ pattern: '(' }, ['b', 'unchecked: unsupportedPattern']],
			[{ patternProperties: { '(?!a)': {} } }, [{}, 'unchecked: unsupportedPattern']],
		]);
		assert.deepEqual(
			[validator.matches('^a+$', 'aa'), validator.matches('^a+$', 'b'), validator.matches('(?=a)', 'a')],
			[true, false, undefined],
		);
		assert.equal(validator.matches('(a{30}){30}', 'a'.repeat(1_000_000)), undefined);
		// One run can't be interrupted.
		const slow = '(?:.*a){900}';
		assert.equal(validator.matches(slow, 'a'.repeat(20_000)), undefined);
		table([[{ pattern: slow }, ['a'.repeat(20_000), 'unchecked: tooCostly'], ['a'.repeat(900), 'valid']]]);
	});

	it('is not confused by names that JavaScript knows', () => {
		const parsed = (text: string): unknown => JSON.parse(text);
		const object = { constructor: { a: 1 }, valueOf: 1, toString: [] };
		table([
			[{ required: ['constructor', 'toString'] }, [{}, 'required constructor; required toString']],
			[
				{ properties: { constructor: { type: 'string' } } },
				[{}, 'valid'],
				[{ constructor: 1 }, '/constructor type string'],
			],
			[{ const: object }, [{ ...object, constructor: { a: 1 } }, 'valid'], [{ ...object, valueOf: 2 }, 'const']],
			[{ enum: [object, 1] }, [{ ...object, constructor: { a: 1 } }, 'valid'], [2, 'enum']],
			[{ uniqueItems: true }, [[{ constructor: {} }, { constructor: {} }], 'uniqueItems'], [[1, '1'], 'valid']],
			[{ unevaluatedProperties: false }, [{ constructor: 1 }, 'unevaluatedProperties constructor']],
			[parsed('{"properties":{"__proto__":{"type":"string"}}}'), [{}, 'unchecked: unsupportedName']],
			[parsed('{"required":["__proto__"]}'), [{}, 'unchecked: unsupportedName']],
			[parsed('{"$defs":{"__proto__":{}}}'), [{}, 'unchecked: unsupportedName']],
			[parsed('{"__proto__":{"type":"string"},"type":"object"}'), [{}, 'valid'], [parsed('{"__proto__":1}'), 'valid']],
			[{ additionalProperties: false }, [parsed('{"__proto__":1}'), 'additionalProperties __proto__']],
		]);
		assert.equal(({} as { type?: string }).type, undefined);
	});

	// covers: schema.bounded
	it('hostile schemas end with a verdict', () => {
		const bomb = Object.fromEntries(
			Array.from({ length: 40 }, (_, index) => {
				const next = { $ref: `#/$defs/a${index + 1}` };
				return [`a${index}`, { [index % 2 ? 'anyOf' : 'allOf']: [next, next], not: next }];
			}),
		);
		const properties = (count: number, schema: object): object =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
		let deep: object = {};
		for (let index = 0; index < 5000; index++) {
			deep = { properties: { a: deep } };
		}
		const cyclic: Record<string, unknown> = {};
		cyclic['not'] = cyclic;
		const strings = Array.from({ length: 90_000 }, (_, index) => `v${index}`);
		table([
			[{ $ref: '#/$defs/a0', $defs: { ...bomb, a40: { type: 'string' } } }, [1, 'unchecked: tooCostly']],
			[{ $ref: '#/default', default: { allOf: [{ $ref: '#/default' }] } }, [1, 'unchecked: invalidSchema']],
			[{ properties: properties(100_000, {}) }, [{}, 'unchecked: tooLarge']],
			[{ properties: properties(5000, {}) }, [{}, 'unchecked: tooLarge']],
			[{ properties: properties(500, { type: 'string' }) }, [{}, 'valid'], [{ p7: 1 }, '/p7 type string']],
			[{ enum: strings }, ['v5', 'valid'], ['x', 'enum']],
			[{ items: { enum: strings } }, [strings, 'valid']],
			[{ enum: [...strings, ...strings] }, [1, 'unchecked: tooLarge']],
			[{ description: 'x'.repeat(2_000_000) }, [1, 'unchecked: tooLarge']],
			[
				{ anyOf: Array.from({ length: 300 }, (_, index) => ({ pattern: `(a{30}){30}${index}` })) },
				['', 'unchecked: tooCostly'],
			],
			[deep, [{}, 'unchecked: tooDeep']],
			[cyclic, [1, 'unchecked: tooDeep']],
		]);
	});

	it('hostile values end with a verdict', () => {
		const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
		const cyclic: Record<string, unknown> = {};
		cyclic['n'] = cyclic;
		const many = Array.from({ length: 300_000 }, (_, index) => ({ index }));
		table([
			[{ items: { $ref: '#' } }, [nested, 'unchecked: tooDeep']],
			[{ properties: { n: { $ref: '#' } } }, [cyclic, 'unchecked: tooDeep']],
			[{ uniqueItems: true }, [many, 'valid'], [[...many, ...many.map(it => it.index), 0], 'uniqueItems']],
			[{ enum: ['a', { b: 1 }] }, [many, 'enum'], [{ b: many }, 'enum'], [{ b: 1 }, 'valid']],
			[{ const: { b: 1 } }, [{ b: many }, 'const'], [{ b: 1 }, 'valid'], [1, 'const']],
			[{ anyOf: Array.from({ length: 500 }, () => ({ uniqueItems: true, not: {} })) }, [many, 'unchecked: tooCostly']],
			[{ items: { required: ['index'] } }, [many, 'valid']],
			[{ format: 'email' }, [`${'a'.repeat(100_000)}@${'a.'.repeat(50_000)}!`, 'format email']],
			[{ format: 'byte' }, ['A'.repeat(8_000_000), 'valid']],
		]);
	});

	it('lists problems up to a number, of a large value the first', () => {
		const schema = { items: { type: 'string' } };
		const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
		const few = new AjvValidator({ maxProblems: 2 });
		assert.deepEqual(few.check(schema, numbers(2)), {
			kind: 'invalid',
			problems: [0, 1].map(it => ({ path: `/${it}`, code: 'type', data: { type: 'string' } })),
			complete: true,
		});
		assert.deepEqual(
			[3, 1_000_000].map(it => {
				const check = few.check(schema, numbers(it));
				return check.kind === 'invalid' && [check.problems.length, check.complete];
			}),
			[
				[2, false],
				[1, false],
			],
		);
		const name = 'n'.repeat(10_000);
		assert.ok(JSON.stringify(few.check({ additionalProperties: false }, { [name]: { [name]: 1 } })).length < 500);
	});

	it('compiles a schema once, however often it is listed', () => {
		const list = (): object[] =>
			JSON.parse(
				JSON.stringify(
					Array.from({ length: 1000 }, (_, index) => ({
						type: 'object',
						properties: { [`p${index}`]: { type: 'string' } },
					})),
				),
			) as object[];
		const counted = new AjvValidator();
		for (let round = 0; round < 10; round++) {
			for (const [index, schema] of list().entries()) {
				assert.equal(verdict(schema, { [`p${index}`]: 1 }, counted), `/p${index} type string`);
			}
		}
		assert.equal(counted.compileCount, 1000);
		assert.equal(verdict({ properties: { p0: { type: 'string' } }, type: 'object' }, {}, counted), 'valid');
		assert.equal(counted.compileCount, 1000, 'the order of keys makes no other schema');
		const small = new AjvValidator({ maxCompiled: 2 });
		const [a, b, c] = [{ minimum: 1 }, { minimum: 2 }, { minimum: 3 }];
		for (const schema of [a, b, { ...a }, c, { ...a }, { ...b }, a]) {
			small.check(schema, 1);
		}
		assert.equal(small.compileCount, 4, 'the least recently used is forgotten');
	});

	it('never throws, whatever it is given', () => {
		const keyword = fc.constantFrom(
			...(
				'type enum const items prefixItems oneOf anyOf allOf not if then else $ref $dynamicRef $anchor $id $schema $defs ' +
				'properties patternProperties additionalProperties propertyNames required dependentRequired dependentSchemas ' +
				'minimum multipleOf format pattern uniqueItems contains minContains unevaluatedProperties unevaluatedItems ' +
				'nullable id $async discriminator __proto__ constructor a'
			).split(' '),
		);
		const { schema } = fc.letrec(tie => ({
			schema: fc.dictionary(keyword, tie('value'), { maxKeys: 4 }),
			value: fc.oneof(
				{ maxDepth: 5 },
				fc.constantFrom('string', 'integer', 'array', 'object', 'null', '#', '#/$defs/a', '#a', 'a', 'email', '(a+)+$'),
				fc.constantFrom(draft7, draft2020, 0, 1, -1, 0.1, true, false, null),
				tie('schema'),
				fc.array(tie('value'), { maxLength: 3 }),
			),
		}));
		const kinds = new Set<string>();
		fc.assert(
			fc.property(schema, fc.jsonValue(), (any, value) => {
				kinds.add(validator.check(any, value).kind);
			}),
			{ numRuns: 1000 },
		);
		assert.deepEqual([...kinds].toSorted(), ['invalid', 'unchecked', 'valid']);
		fc.assert(fc.property(fc.anything(), fc.anything(), (any, value) => void validator.check(any, value)));
	});
});
