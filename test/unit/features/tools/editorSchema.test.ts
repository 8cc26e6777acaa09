import * as assert from 'node:assert/strict';
import { editorSchema } from '../../../../src/features/tools/editorSchema.js';
import type { JsonObject } from '../../../../src/mcp/index.js';

describe('a schema for the editor', () => {
	const table: readonly (readonly [what: string, schema: JsonObject, clean: JsonObject])[] = [
		['nothing', {}, {}],
		[
			'what completes, explains and checks',
			{
				type: 'object',
				properties: { a: { type: 'string', description: 'd', enum: ['x'], default: 'x', minLength: 1 }, b: true },
				required: ['a'],
				additionalProperties: false,
			},
			{
				type: 'object',
				properties: {
					a: { type: 'string', description: 'd', enum: ['x'], default: 'x', minLength: 1 },
					b: true,
				},
				required: ['a'],
				additionalProperties: false,
			},
		],
		[
			'references within it',
			{ $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#' } } } },
			{ $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#' } } } },
		],
		[
			'not what leads elsewhere',
			{
				$id: 'https://a.example/',
				allOf: [{ $ref: 'https://a.example/x' }, { $ref: 'file:///etc/passwd' }, { $ref: 'b' }],
			},
			{ allOf: [{}, {}, {}] },
		],
		[
			'no patterns, and nothing that only makes sense with them',
			{ properties: { a: { pattern: '(a+)+$' } }, patternProperties: { '^x': {} }, additionalProperties: false },
			{ properties: { a: {} } },
		],
		[
			'no keywords of the editor’s own',
			{ properties: { a: { markdownDescription: '[x](command:y)', defaultSnippets: [], errorMessage: 'e' } } },
			{ properties: { a: {} } },
		],
		[
			'dialects it knows',
			{ $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string', title: 1 }] },
			{ $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
		],
		[
			'draft-07',
			{ $schema: 'http://json-schema.org/draft-07/schema#' },
			{ $schema: 'http://json-schema.org/draft-07/schema#' },
		],
		['no other dialect', { $schema: 'https://evil.example/schema' }, {}],
		['what is malformed is left out', { properties: 5, items: 'x', title: {}, $defs: [] }, { items: {} }],
	];
	for (const [what, schema, clean] of table) {
		it(what, () => assert.deepEqual(editorSchema(schema), clean));
	}

	it('is bounded in depth and size', () => {
		let deep: JsonObject = {};
		for (let level = 0; level < 20_000; level++) {
			deep = { not: deep };
		}
		assert.ok(JSON.stringify(editorSchema(deep)).length < 2000);
		let value: unknown = 1;
		for (let level = 0; level < 200_000; level++) {
			value = [value];
		}
		assert.deepEqual(editorSchema({ default: value }), {});
		assert.deepEqual(editorSchema({ enum: ['x'.repeat(2_000_000)] }), {});
		const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'string' }]));
		assert.equal(Object.keys(editorSchema({ properties: many })['properties'] as JsonObject).length, 500);
	});

	it('never names a property that no schema has', () => {
		const schema = JSON.parse('{ "properties": { "__proto__": { "type": "string" } } }') as JsonObject;
		assert.equal(JSON.stringify(editorSchema(schema)), '{"properties":{"__proto__":{"type":"string"}}}');
	});
});
