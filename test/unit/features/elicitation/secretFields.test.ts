import * as assert from 'node:assert/strict';
import { formFields } from '../../../../src/mcp/index.js';
import { asksForSecret } from '../../../../src/features/elicitation/answerForm.js';

describe('fields that look like secrets', () => {
	const cases: readonly (readonly [string, object, boolean])[] = [
		['password', { type: 'string' }, true],
		['userPassword', { type: 'string' }, true],
		['apiKey', { type: 'string' }, true],
		['api_key', { type: 'string' }, true],
		['token', { type: 'string' }, true],
		['x', { type: 'string', title: 'Access token' }, true],
		['x', { type: 'string', description: 'Your credit card number' }, true],
		['x', { type: 'string', format: 'password' }, true],
		['user_pin', { type: 'integer' }, true],
		['userPin', { type: 'string' }, true],
		['user2Pin', { type: 'string' }, true],
		['api__key', { type: 'string' }, true],
		['name', { type: 'string', description: 'Your name' }, false],
		['n', { type: 'integer', description: 'Do not give us your pin' }, false],
		['opinion', { type: 'string' }, false],
		['keyboard', { type: 'string', title: 'Key layout' }, false],
		['credential', { type: 'string' }, true],
		['sessionToken', { type: 'string' }, true],
		['refresh token', { type: 'string' }, true],
		['x', { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] }, true],
		['x', { type: 'array', items: { type: 'string', writeOnly: true } }, true],
		['tokens', { type: 'integer' }, false],
		['passwords', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, false],
		['keepsPassword', { type: 'boolean' }, false],
	];
	for (const [name, schema, expected] of cases) {
		it(`${name} ${JSON.stringify(schema)}: ${expected}`, () => {
			const [field] = formFields({ type: 'object', properties: { [name]: schema } }).fields;
			assert.ok(field);
			assert.equal(asksForSecret(field), expected);
		});
	}
});
