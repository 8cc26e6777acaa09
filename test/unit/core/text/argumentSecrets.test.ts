import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/index.js';
import {
	holdsSecret,
	redactedArguments,
	secretValues,
	withoutSecretArguments,
} from '../../../../src/core/text/argumentSecrets.js';

describe('secrets in arguments', () => {
	const pin = { format: 'password' };
	const table: readonly (readonly [what: string, schema: JsonObject, args: JsonObject, kept: JsonObject])[] = [
		['none', {}, { a: 1, b: [true, null], c: { d: 'x' } }, { a: 1, b: [true, null], c: { d: 'x' } }],
		['by name', {}, { password: 'a', apiKey: 'b', API_TOKEN: 'c', user: 'd' }, { user: 'd' }],
		['by name, inside', {}, { a: [{ secret: 'x', b: 1 }] }, { a: [{ b: 1 }] }],
		[
			'not by a name like that',
			{},
			{ token_path: '/x', maxTokens: 5, key: 'k', pageToken: 'p' },
			{ token_path: '/x', maxTokens: 5, key: 'k', pageToken: 'p' },
		],
		['by the form of a value', {}, { a: 'ghp_0123456789abcdef', b: ['sk-0123456789abcdef', 'c'] }, { b: ['c'] }],
		['by format', { properties: { pin } }, { pin: '1234', a: 1 }, { a: 1 }],
		['by writeOnly', { properties: { pin: { writeOnly: true } } }, { pin: 1234 }, {}],
		[
			'by schema, and null is none',
			{ properties: { pin } },
			{ pin: null, password: null },
			{ pin: null, password: null },
		],
		['of a whole object', { properties: { a: { writeOnly: true } } }, { a: { b: 1 }, c: 1 }, { c: 1 }],
		[
			'in lists',
			{ properties: { a: { items: pin }, b: { prefixItems: [{}, pin] } } },
			{ a: ['x', 'y'], b: ['x', 'y'] },
			{ a: [], b: ['x'] },
		],
	];
	for (const [what, schema, args, kept] of table) {
		it(`are removed: ${what}`, () => {
			assert.deepEqual(withoutSecretArguments(schema, args), kept);
			assert.equal(holdsSecret(schema, args), JSON.stringify(args) !== JSON.stringify(kept));
		});
	}

	it('are replaced', () => {
		const schema = { properties: { a: { items: pin }, b: { writeOnly: true } } };
		const args = { a: ['x', null], b: { c: 1 }, token: 'x', d: 'ghp_0123456789abcdef', e: 1 };
		const instead = '<redacted>';
		assert.deepEqual(redactedArguments(schema, args), {
			a: [instead, null],
			b: instead,
			token: instead,
			d: instead,
			e: 1,
		});
	});

	it('have values, of which names and forms say nothing', () => {
		const schema = { properties: { a: { items: pin }, b: { writeOnly: true }, token: { properties: { pin } } } };
		const args = {
			a: ['x', null],
			b: { c: 12, d: [true, 'y'] },
			secret: 'z',
			d: 'ghp_0123456789abcdef',
			token: { pin: 'w' },
		};
		assert.deepEqual(secretValues(schema, args), ['x', '12', 'y', 'w']);
	});
});
