import * as assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../../../src/mcp/index.js';
import { firstGap, skeletonOf } from '../../../../src/core/text/schemaSkeleton.js';

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
		['choices without a type', one({ enum: [1, 2] }), { a: null }],
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
		[
			'all of several',
			{ allOf: [one({ type: 'string' }), { required: ['b'], properties: { b: { default: 1 } } }] },
			{ a: '', b: 1 },
		],
		['any of several', one({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: '' }],
		['no choice among constants', one({ anyOf: [{ type: 'string', const: 'all' }, { const: 'none' }] }), { a: '' }],
		[
			'no choice among titled constants',
			one({ oneOf: [{ const: 'all', title: 'All' }, { const: 'none' }] }),
			{ a: null },
		],
		[
			'no choice among kinds of objects',
			one({ oneOf: [one({ type: 'string', const: 'deleteAll' }), one({ const: 'list' })] }),
			{ a: { a: '' } },
		],
		['the only one besides null', one({ anyOf: [{ type: 'null' }, { const: 'x' }] }), { a: 'x' }],
		['what no property describes', { required: ['a', 5] }, { a: null }],
		['what is malformed', { properties: 5, required: 'a', allOf: {}, type: 7 }, {}],
	];
	for (const [what, schema, value] of table) {
		it(`has ${what}`, () => assert.deepEqual(skeletonOf(schema), value));
	}

	it('is limited in depth, members and size', () => {
		const loop = { properties: { a: { $ref: '#' } }, required: ['a'] };
		let depth = 0;
		for (let value: unknown = skeletonOf(loop); isObject(value); value = value['a']) {
			depth++;
		}
		assert.ok(depth > 2 && depth < 10, String(depth));
		const names = Array.from({ length: 1000 }, (_, index) => `p${index}`);
		assert.equal(Object.keys(skeletonOf({ required: names })).length, 200);
		// Each level twice: without a limit, two to the power of the depth.
		const wide = { properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] };
		assert.ok(JSON.stringify(skeletonOf(wide)).length < 5000);
		let deep: unknown = 1;
		for (let level = 0; level < 200_000; level++) {
			deep = [deep];
		}
		assert.deepEqual(skeletonOf(one({ type: 'string', default: deep })), { a: '' });
		assert.deepEqual(skeletonOf(one({ type: 'string', default: 'x'.repeat(10_000) })), { a: '' });
	});

	it('has a property of any name as its own', () => {
		const value = skeletonOf({ required: ['__proto__'] });
		assert.equal(JSON.stringify(value), '{"__proto__":null}');
	});

	/** `|` is the cursor, or both ends of what is selected. */
	function marked(text: string): string | undefined {
		const part = firstGap(text);
		return (
			part &&
			(part.start === part.end
				? `${text.slice(0, part.start)}|${text.slice(part.start)}`
				: `${text.slice(0, part.start)}|${text.slice(part.start, part.end)}|${text.slice(part.end)}`)
		);
	}

	for (const expected of [
		'{|}',
		'{"a": "|"}',
		'{"a": "x|"}',
		'{"a": 12|, "b": 1}',
		'{"a": "x", "b": "|"}',
		'{"a": 12, "b": {"c": |null|}}',
		'{"a": [|]}',
		'{"a": {"b": "|"}, "c": ""}',
		'{"$schema": "s", "a": "|"}',
		'{|"$schema": ""}',
	]) {
		it(`is typed at ${expected}`, () => assert.equal(marked(expected.replaceAll('|', '')), expected));
	}

	it('of what is no object is not known', () => {
		assert.deepEqual(
			['', '[]', '"a"', '['.repeat(10_000)].map(it => firstGap(it)),
			[undefined, undefined, undefined, undefined],
		);
	});
});
