import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/index.js';
import { secretNames, secretPart, type SecretPart } from '../../../../src/mcp/schema/secretSchema.js';

type Path = readonly (string | number)[];

function at(schema: JsonObject, path: Path): SecretPart {
	return path.reduce(
		(part: SecretPart, step) => (typeof step === 'string' ? part.member(step) : part.item(step)),
		secretPart(schema),
	);
}

describe('what a schema calls secret', () => {
	const secret = { type: 'string', format: 'password' };
	const of = (property: unknown, rest: object = {}): JsonObject => ({ properties: { x: property }, ...rest });
	const table: readonly (readonly [what: string, schema: JsonObject, secrets: Path[], others: Path[]])[] = [
		['nothing', {}, [], [[], ['x'], ['x', 0]]],
		['a format', of(secret), [['x']], [[], ['y'], ['y', 'x']]],
		['writeOnly', of({ writeOnly: true }), [['x']], [['y']]],
		['another format', of({ format: 'email', writeOnly: false }), [], [['x']]],
		['the whole of it', { writeOnly: true }, [[]], []],
		['what may be left out', of({ anyOf: [secret, { type: 'null' }] }), [['x']], []],
		...['anyOf', 'allOf', 'oneOf'].map((keyword): readonly [string, JsonObject, Path[], Path[]] => [
			keyword,
			of({ [keyword]: [{}, secret] }),
			[['x']],
			[],
		]),
		...['if', 'then', 'else'].map((keyword): readonly [string, JsonObject, Path[], Path[]] => [
			keyword,
			of({ [keyword]: secret }),
			[['x']],
			[],
		]),
		['not', of({ not: secret }), [], [['x']]],
		['a branch of the object', { oneOf: [of(secret), { properties: { y: {} } }] }, [['x']], [['y']]],
		['dependentSchemas', { dependentSchemas: { y: of(secret) } }, [['x']], [['y']]],
		['dependencies', { dependencies: { y: of(secret), z: ['y'] } }, [['x']], [['y']]],
		[
			'items',
			of({ items: secret }),
			[
				['x', 0],
				['x', 9],
			],
			[['x'], ['x', 'y']],
		],
		['items after the first', of({ prefixItems: [{}], items: secret }), [['x', 1]], [['x', 0]]],
		[
			'prefixItems',
			of({ prefixItems: [{}, secret] }),
			[['x', 1]],
			[
				['x', 0],
				['x', 2],
			],
		],
		[
			'a list of items',
			of({ items: [{}, secret], additionalItems: {} }),
			[['x', 1]],
			[
				['x', 0],
				['x', 2],
			],
		],
		['additionalItems', of({ items: [{}], additionalItems: secret }), [['x', 1]], [['x', 0]]],
		['unevaluatedItems', of({ prefixItems: [{}], unevaluatedItems: secret }), [['x', 1]], [['x', 0]]],
		['contains', of({ items: {}, contains: secret }), [['x', 0]], [['x']]],
		['additionalProperties', { properties: { y: {} }, additionalProperties: secret }, [['x']], [['y']]],
		['unevaluatedProperties', { properties: { y: {} }, unevaluatedProperties: secret }, [['x']], [['y']]],
		['patternProperties', { patternProperties: { '^x|_key$': secret } }, [['x'], ['a_key']], [['y']]],
		['a pattern beside properties', { properties: { xy: {} }, patternProperties: { '^x': secret } }, [['xy']], [['y']]],
		['a pattern with a repetition', { patternProperties: { '^x[a-z]+$': secret } }, [['xa']], [['x'], ['x1']]],
		['a pattern that is not run', { patternProperties: { '^(x+)+$': secret } }, [['y']], []],
		['a pattern that is none', { patternProperties: { '[': secret } }, [['y']], []],
		['a long pattern', { patternProperties: { [`^${'x'.repeat(200)}$`]: secret } }, [['y']], []],
		['a long name', { patternProperties: { '^x$': secret } }, [['y'.repeat(201)]], [['y'.repeat(200)]]],
		['propertyNames', of({ propertyNames: secret }), [['x']], [['y']]],
		['propertyNames that are no secrets', of({ propertyNames: { pattern: 'a' } }, { $defs: { secret } }), [], [['x']]],
		['data in a text', of({ contentSchema: of(secret) }), [['x']], [['y']]],
		['data in a text, without secrets', of({ contentSchema: {} }), [], [['x']]],
		['deep inside', of({ properties: { y: { items: of(secret) } } }), [['x', 'y', 3, 'x']], [['x', 'y', 3, 'y']]],
		['a reference', of({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': secret } }), [['x']], [['y']]],
		[
			'a reference to the whole',
			of({ $ref: '#', properties: { y: secret } }),
			[
				['x', 'y'],
				['x', 'x', 'y'],
			],
			[['x']],
		],
		['a reference through a list', of({ $ref: '#/anyOf/1' }, { anyOf: [{}, secret] }), [['x']], []],
		[
			'a reference to a reference',
			of({ $ref: '#/$defs/a' }, { $defs: { a: { $ref: '#/$defs/b' }, b: secret } }),
			[['x']],
			[],
		],
		['what stands beside a reference', of({ $ref: '#/$defs/a', writeOnly: true }, { $defs: { a: {} } }), [['x']], []],
		['an anchor', of({ $ref: '#s' }, { $defs: { a: { $anchor: 's', ...secret } } }), [['x']], []],
		['an anchor of draft-07', of({ $ref: '#s' }, { definitions: { a: { $id: '#s', ...secret } } }), [['x']], []],
		[
			'the second of two anchors',
			of({ $ref: '#s' }, { $defs: { a: { $anchor: 's' }, b: { $anchor: 's', ...secret } } }),
			[['x']],
			[],
		],
		[
			'the first of two anchors',
			of({ $ref: '#s' }, { $defs: { a: { $anchor: 's', ...secret }, b: { $anchor: 's' } } }),
			[['x']],
			[],
		],
		['$dynamicRef', of({ $dynamicRef: '#s' }, { $defs: { a: { $dynamicAnchor: 's', ...secret } } }), [['x']], []],
		['$recursiveRef', of({ $recursiveRef: '#' }, { $defs: { secret } }), [], [['x'], ['x', 'x']]],
		['$recursiveRef to a secret', { properties: { x: { $recursiveRef: '#' }, y: secret } }, [['x', 'y']], [['x']]],
		[
			'an address',
			of({ $ref: 'other' }, { $id: 'https://a.example/one', $defs: { a: { $id: '/other', ...secret } } }),
			[['x']],
			[],
		],
		[
			'a relative address',
			of({ $ref: 'other#/$defs/b' }, { $defs: { a: { $id: 'other', $defs: { b: secret } } } }),
			[['x']],
			[],
		],
		[
			'a pointer inside an address',
			of({ $id: 'in', $ref: '#/$defs/b', $defs: { b: secret } }, { $defs: { b: {} } }),
			[['x']],
			[],
		],
		[
			'a circle',
			of(
				{ $ref: '#/properties/y' },
				{ properties: { x: { $ref: '#/properties/y' }, y: { $ref: '#/properties/x' } }, $defs: { secret } },
			),
			[],
			[['x']],
		],
		['a circle of names', { propertyNames: { $ref: '#' }, $defs: { secret } }, [], [[], ['x']]],
		['a reference to null', of({ $ref: '#/$defs/a' }, { $defs: { a: null, secret } }), [], [['x']]],
		['a reference to true', of({ $ref: '#/$defs/a' }, { $defs: { a: true, secret } }), [], [['x']]],
		...Object.entries<readonly [property: object, rest: object]>({
			'an anchor': [{ $ref: '#s' }, { $defs: { a: { $anchor: 's' } } }],
			'an anchor of two': [{ $ref: '#s' }, { $defs: { a: { $anchor: 's' }, b: { $anchor: 's' } } }],
			'a dynamic anchor': [{ $dynamicRef: '#s' }, { $defs: { a: { $dynamicAnchor: 's' } } }],
			'an anchor of draft-07': [{ $ref: '#s' }, { definitions: { a: { $id: '#s' } } }],
			'an address': [{ $ref: 'other' }, { $id: 'https://a.example/one', $defs: { a: { $id: '/other' } } }],
			'an address with an anchor': [{ $ref: '#s' }, { $defs: { a: { $id: 'other#s' } } }],
			'a relative address': [{ $ref: 'other#/$defs/b' }, { $defs: { a: { $id: 'other', $defs: { b: {} } } } }],
			'an address below another': [{ $ref: 'a/b' }, { $defs: { a: { $id: 'a/', $defs: { b: { $id: 'b' } } } } }],
			'a pointer inside an address': [{ $id: 'in', $ref: '#/$defs/b', $defs: { b: {} } }, {}],
			'a pointer with escapes': [{ $ref: '#/$defs/a~1b~0c' }, { $defs: { 'a/b~c': {} } }],
			'a pointer below an address': [{ $id: 'in', $defs: { b: {} }, properties: { y: { $ref: '#/$defs/b' } } }, {}],
			'an address beside an empty one': [
				{ $ref: 'https://a.example/one#/$defs/b' },
				{ $id: 'https://a.example/one', $defs: { a: { $id: '' }, b: {} } },
			],
			'an empty address': [{ $id: '', $ref: '#/$defs/b' }, { $defs: { b: {} } }],
			'an address that is none': [{ $id: 'https://', $ref: '#/$defs/b' }, { $defs: { b: {} } }],
			'JSON Schema itself, of old': [{ $ref: 'http://json-schema.org/draft-07/schema#' }, {}],
		}).map(([name, [property, rest]]): readonly [string, JsonObject, Path[], Path[]] => [
			`${name} that leads to no secret`,
			{ properties: { x: property, y: secret }, ...rest },
			[['y']],
			[['x'], ['x', 'y']],
		]),
		['an address that only looks like JSON Schema', of({ $ref: 'a:https://json-schema.org/x' }), [['x']], []],
		['a pointer through a text', of({ $ref: '#/$defs/a/b' }, { $defs: { a: 'text' } }), [['x']], []],
		['a pointer to the length of a text', of({ $ref: '#/$defs/a/length' }, { $defs: { a: 'text' } }), [['x']], []],
		['a pointer through null', of({ $ref: '#/$defs/a/b' }, { $defs: { a: null } }), [['x']], []],
		[
			'a pattern of 200 characters',
			{ patternProperties: { [`^${'x'.repeat(198)}$`]: secret } },
			[['x'.repeat(198)]],
			[['y']],
		],
		['a pattern of characters beyond 16 bits', { patternProperties: { '^.$': secret } }, [['😀']], [['ab']]],
		['a name whose schema cannot be found', of({ propertyNames: { $ref: '#/$defs/a' } }), [['x']], []],
		['a reference that leads nowhere', of({ $ref: '#/$defs/a' }), [['x'], ['x', 'y'], ['x', 0]], [['y']]],
		['an anchor that is nowhere', of({ $ref: '#s' }), [['x']], [['y']]],
		['an address that is elsewhere', of({ $ref: 'https://a.example/other' }), [['x']], [['y']]],
		['JSON Schema itself', of({ $ref: 'https://json-schema.org/draft/2020-12/schema' }), [], [['x']]],
		['a pointer that is badly encoded', of({ $ref: '#/$defs/%' }, { $defs: { '%': secret } }), [['x']], []],
		['a name of the prototype', of({ $ref: '#/constructor' }), [['x']], [['constructor']]],
		['a name of the prototype among properties', { properties: {}, $defs: { secret } }, [], [['constructor']]],
		[
			'a property called format',
			{ properties: { format: { const: 'password' }, writeOnly: true } },
			[],
			[['format'], ['writeOnly']],
		],
	];
	for (const [what, schema, secrets, others] of table) {
		it(what, () => {
			// Read anew: what a schema says is kept.
			const fresh = structuredClone(schema);
			assert.deepEqual(
				secrets.filter(it => !at(fresh, it).isSecret),
				[],
			);
			assert.deepEqual(
				others.filter(it => at(fresh, it).isSecret),
				[],
			);
			assert.ok(secrets.every(it => at(fresh, it).mayHoldSecret));
			assert.equal(secretPart(fresh).mayHoldSecret, secrets.length > 0);
		});
	}

	it('names of properties are told, wherever they stand', () => {
		const schema = of(
			{ anyOf: [{ properties: { pin: { $ref: '#/$defs/s' } } }] },
			{ $defs: { s: secret, t: of(secret) } },
		);
		assert.deepEqual([...secretNames(schema)].toSorted(), ['pin', 'x']);
		assert.deepEqual([...secretNames(of({}))], []);
		assert.deepEqual([...secretNames(of({ $ref: '#/$defs/a' }))], ['x']);
		assert.equal(secretNames(schema), secretNames(schema), 'a schema is read once');
	});

	it('is everything where the schema is too large', () => {
		// With the schema itself, and the list.
		assert.equal(secretPart({ enum: Array.from({ length: 99_999 }, () => ({})) }).member('x').isSecret, true);
		assert.equal(secretPart({ enum: Array.from({ length: 99_998 }, () => ({})) }).member('x').isSecret, false);
	});

	it('is what too many schemas apply to', () => {
		const many = (count: number): JsonObject =>
			of({ allOf: Array.from({ length: count }, () => ({})) }, { $defs: { secret } });
		assert.equal(at(many(1000), ['x']).isSecret, true);
		assert.equal(at(many(999), ['x']).isSecret, false);
	});

	it('is everything where too many schemas apply to all properties together', () => {
		// A reference, what it leads to, and 998 more apply to each.
		const many = (count: number): JsonObject => ({
			properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: '#/$defs/a' }])),
			$defs: { a: { allOf: Array.from({ length: 998 }, () => ({})) }, secret },
		});
		assert.equal(secretPart(many(100)).member('y').isSecret, false);
		assert.equal(secretPart(many(101)).member('y').isSecret, true);
	});

	it('is what has a name of its own that is too long', () => {
		const named = (length: number): JsonObject => {
			const $id = 'https://a.dev/'.padEnd(length, 'x');
			return of({ $ref: $id }, { $defs: { a: { $id }, secret } });
		};
		assert.equal(at(named(8192), ['x']).isSecret, false);
		assert.equal(at(named(8193), ['x']).isSecret, true);
	});

	it('is what too much is in, and what has too long a name', () => {
		const large = (count: number): JsonObject =>
			of(
				{ properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}])) },
				{ $defs: { secret } },
			);
		assert.equal(at(large(900), ['x']).mayHoldSecret, false);
		const members = (count: number): JsonObject => ({
			properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}])),
		});
		const inside = (last: number): JsonObject =>
			of({ prefixItems: [999, 999, 999, 999, last].map(members) }, { $defs: { secret } });
		assert.deepEqual(
			[999, 1000].map(it => at(inside(it), ['x']).mayHoldSecret),
			[false, true],
		);
		let named: JsonObject = { properties: { x: { $ref: 'end' } } };
		for (let level = 0; level < 20_000; level++) {
			named = { $id: `l${level}/`, $defs: { a: named, end: { $id: 'end' } } };
		}
		assert.equal(secretPart(named).isSecret, false);
	});

	it('may be nested without end', () => {
		let deep: JsonObject = secret;
		for (let level = 0; level < 20_000; level++) {
			deep = of(deep);
		}
		let part = secretPart(deep);
		for (let level = 0; level < 20_000; level++) {
			assert.equal(part.isSecret, false);
			part = part.member('x');
		}
		assert.equal(part.isSecret, true);
		assert.equal(secretPart(deep).mayHoldSecret, true);
	});
});
