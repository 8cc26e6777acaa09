import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/mcp/index.js';
import { holdsSecret, withoutSecretArguments } from '../../../src/model/keptArguments.js';

describe('arguments that are written down', () => {
	const table: readonly (readonly [what: string, schema: JsonObject, args: JsonObject, kept: JsonObject])[] = [
		['nothing', {}, {}, {}],
		['what is no secret', {}, { a: 1, b: [true, null], c: { d: 'x' } }, { a: 1, b: [true, null], c: { d: 'x' } }],
		['not what is named so', {}, { password: 'a', apiKey: 'b', API_TOKEN: 'c', user: 'd' }, { user: 'd' }],
		['not deep down either', {}, { a: [{ secret: 'x', b: 1 }] }, { a: [{ b: 1 }] }],
		['not what looks so', {}, { a: 'ghp_0123456789abcdef', b: ['sk-0123456789abcdef', 'c'] }, { b: ['c'] }],
		['a path of a token is none', {}, { token_path: '/x', maxTokens: 5 }, { token_path: '/x', maxTokens: 5 }],
		[
			'not what is formatted as a password',
			{ properties: { pin: { format: 'password' } } },
			{ pin: '1234', a: 1 },
			{ a: 1 },
		],
		['not what is only ever written', { properties: { pin: { writeOnly: true } } }, { pin: '1234' }, {}],
		[
			'not by reference, nor in a branch',
			{
				anyOf: [{ properties: { x: { properties: { pin: { $ref: '#/$defs/p' } } } } }],
				$defs: { p: { format: 'password' } },
			},
			{ x: { pin: '1', y: 2 } },
			{ x: { y: 2 } },
		],
		['a circle of references says nothing', { properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }, { a: 1 }],
	];
	for (const [what, schema, args, kept] of table) {
		it(what, () => {
			assert.deepEqual(withoutSecretArguments(schema, args), kept);
			assert.equal(holdsSecret(schema, args), JSON.stringify(args) !== JSON.stringify(kept));
			assert.equal(holdsSecret(schema, kept), false);
		});
	}

	it('end where they are nested without end', () => {
		let deep: unknown = 'bottom';
		for (let level = 0; level < 50_000; level++) {
			deep = { a: deep };
		}
		assert.doesNotMatch(JSON.stringify(withoutSecretArguments({}, { deep })), /bottom/);
	});
});
