import * as assert from 'node:assert/strict';
import { checkForm } from '../../../../src/mcp/schema/formCheck.js';
import { formModel } from '../../../../src/mcp/schema/formModel.js';
import type { JsonObject } from '../../../../src/mcp/index.js';

function check(schema: JsonObject, value: unknown, chosen?: Readonly<Record<string, number>>): string[] {
	return checkForm(formModel(schema), value, chosen).map(({ pointer, problem }) => `${pointer} ${problem.code}`);
}

const circle = {
	title: 'Circle',
	type: 'object',
	properties: { kind: { const: 'circle' }, r: { type: 'number' } },
	required: ['kind', 'r'],
};
const box = {
	title: 'Box',
	type: 'object',
	properties: { kind: { const: 'box' }, w: { type: 'number' }, h: { type: 'number' } },
	required: ['kind', 'w', 'h'],
};
const shapes = { type: 'object', properties: { shapes: { type: 'array', items: { oneOf: [circle, box] } } } };

describe('checkForm', () => {
	it('finds problems in groups, lists and maps', () => {
		const schema = {
			type: 'object',
			required: ['a', 'g'],
			properties: {
				a: { type: 'string', minLength: 2 },
				g: { type: 'object', properties: { 'x/y': { type: 'integer' } }, required: ['x/y'] },
				l: { type: 'array', items: { type: 'number', maximum: 3 } },
				m: { type: 'object', additionalProperties: { type: 'boolean' } },
			},
		};
		assert.deepEqual(check(schema, {}), ['/a required', '/g required']);
		assert.deepEqual(check(schema, { a: 'x', g: {}, l: [1, 5, 'x', null], m: { b: 1 } }), [
			'/a tooShort',
			'/g/x~1y required',
			'/l/1 tooLarge',
			'/l/2 notANumber',
			'/l/3 required',
			'/m/b notABoolean',
		]);
		assert.deepEqual(check(schema, { a: 'xx', g: [], l: {}, m: 5 }), [
			'/g notAnObject',
			'/l notAList',
			'/m notAnObject',
		]);
		assert.deepEqual(check(schema, { a: 'xx', g: { 'x/y': 1 }, other: 1 }), []);
	});

	it('checks a value by the variant that fits best', () => {
		assert.deepEqual(
			check(shapes, {
				shapes: [
					{ kind: 'circle', r: 1 },
					{ kind: 'box', w: 1, h: 2 },
				],
			}),
			[],
		);
		assert.deepEqual(check(shapes, { shapes: [{ kind: 'box', w: 'x' }, {}, 5] }), [
			'/shapes/0/w notANumber',
			'/shapes/0/h required',
			'/shapes/1/kind required',
			'/shapes/1/r required',
			'/shapes/2 notAVariant',
		]);
	});

	it('checks a value by the variant that the person has chosen', () => {
		assert.deepEqual(check(shapes, { shapes: [{ kind: 'circle', r: 1 }] }, { '/shapes/0': 1 }), [
			'/shapes/0/kind notAnOption',
			'/shapes/0/w required',
			'/shapes/0/h required',
		]);
		const union = { type: 'object', properties: { v: { type: ['string', 'number'], minLength: 3 } } };
		assert.deepEqual(check(union, { v: 'ab' }), ['/v tooShort']);
		assert.deepEqual(check(union, { v: 'abc' }, { '/v': 1 }), ['/v notANumber']);
		assert.deepEqual(check(union, { v: 5 }, { '/v': 7 }), []);
	});
});
