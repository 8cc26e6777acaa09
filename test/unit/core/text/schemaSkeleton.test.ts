import * as assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../../../src/mcp/index.js';
import { skeletonOf } from '../../../../src/core/text/schemaSkeleton.js';

describe('the beginning of a JSON document', () => {
	/** Of one required property. */
	const one = (schema: unknown, more: JsonObject = {}): JsonObject => ({
		properties: { a: schema },
		required: ['a'],
		...more,
	});

	const table: readonly (readonly [what: string, schema: JsonObject, value: JsonObject])[] = [
		['nothing', {}, {}],
		['what is not required is left out', { properties: { a: { type: 'string' } } }, {}],
		['a string', one({ type: 'string' }), { a: '' }],
		['a number that nothing prescribes', one({ type: 'number' }), { a: null }],
		['a yes or no that nothing prescribes', one({ type: 'boolean' }), { a: null }],
		['a default', one({ type: 'integer', default: 3 }), { a: 3 }],
		['a const before a default', one({ const: 'x', default: 'y' }), { a: 'x' }],
		['the only choice', one({ enum: ['low'] }), { a: 'low' }],
		['one of several choices', one({ type: 'string', enum: ['low', 'high'] }), { a: '' }],
		['a type that may be null', one({ type: ['null', 'string'] }), { a: '' }],
		['a nested object', one(one({ type: 'string' })), { a: { a: '' } }],
		['a list', one({ type: 'array', items: one({ type: 'string' }) }), { a: [] }],
		[
			'a list that may not be empty',
			one({ type: 'array', minItems: 1, items: one({ type: 'string' }) }),
			{ a: [{ a: '' }] },
		],
		['a reference', one({ $ref: '#/$defs/b~1c' }, { $defs: { 'b/c': one({ type: 'string' }) } }), { a: { a: '' } }],
		['a reference that leads elsewhere', one({ $ref: 'https://a.example/' }), { a: null }],
		['a value or null', one({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: '' }],
		['no choice among several', one({ oneOf: [{ const: 'all', title: 'All' }, { const: 'none' }] }), { a: null }],
		['what no property describes', { required: ['a', 5] }, { a: null }],
		['what is malformed', { properties: 5, required: 'a', allOf: {}, type: 7 }, {}],
	];
	for (const [what, schema, value] of table) {
		it(`has ${what}`, () => assert.deepEqual(skeletonOf(schema), value));
	}

	it('is limited in depth and members', () => {
		const loop = { properties: { a: { $ref: '#' } }, required: ['a'] };
		let depth = 0;
		for (let value: unknown = skeletonOf(loop); isObject(value); value = value['a']) {
			depth++;
		}
		assert.ok(depth > 2 && depth < 12, String(depth));
		const names = Array.from({ length: 1000 }, (_, index) => `p${index}`);
		assert.equal(Object.keys(skeletonOf({ required: names })).length, 200);
		// Each level twice: without a limit, two to the power of the depth.
		const wide = { properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] };
		assert.ok(JSON.stringify(skeletonOf(wide)).length < 5000);
	});

	it('has a property of any name as its own', () => {
		const value = skeletonOf({ required: ['__proto__'] });
		assert.equal(JSON.stringify(value), '{"__proto__":null}');
	});
});
