import * as assert from 'node:assert/strict';
import { argumentsForm } from '../../../../src/features/tools/argumentsForm.js';
import type { JsonObject } from '../../../../src/mcp/index.js';

const properties = { a: { type: 'string' } };

describe('the form for arguments', () => {
	const byField: JsonObject[] = [
		{ type: 'object' },
		{ type: 'object', properties },
		{ $ref: '#/$defs/x', $defs: { x: { type: 'object', properties } } },
		{ type: 'object', properties, required: ['a'], additionalProperties: false },
	];
	for (const schema of byField) {
		it(`has a field for each: ${JSON.stringify(schema)}`, () => {
			const { form, toArguments } = argumentsForm(schema);
			assert.deepEqual(
				form.fields.map(it => it.name),
				JSON.stringify(schema).includes('properties') ? ['a'] : [],
			);
			assert.deepEqual(toArguments({ a: 'x' }), { a: 'x' });
		});
	}

	const asOne: JsonObject[] = [
		{ type: 'object', additionalProperties: true },
		{ type: 'object', additionalProperties: { type: 'string' } },
		{},
		{ type: 'object', oneOf: [{ properties }, { properties: { b: {} } }] },
		{ type: 'object', patternProperties: { '^x': {} } },
	];
	for (const schema of asOne) {
		it(`has one field for all: ${JSON.stringify(schema)}`, () => {
			const { form, toArguments } = argumentsForm(schema);
			assert.deepEqual(
				form.fields.map(({ kind, required }) => ({ kind, required })),
				[{ kind: 'json', required: true }],
			);
			const [field] = form.fields;
			assert.deepEqual(toArguments({ [field?.name ?? '']: { b: 1 } }), { b: 1 });
			for (const value of [[1], 'text', null, 1]) {
				assert.throws(() => toArguments({ [field?.name ?? '']: value }), /must be a JSON object/);
			}
		});
	}
});
