import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/index.js';
import {
	hideSecretsInTurns,
	holdsSecret,
	redactedArguments,
	secretValues,
	withoutSecretArguments,
} from '../../../../src/core/text/argumentSecrets.js';
import { Redactor } from '../../../../src/core/text/redactor.js';

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
		[
			'not what may be left out',
			{ properties: { unlock: { anyOf: [{ format: 'password', writeOnly: true }, { type: 'null' }] } } },
			{ unlock: 'hunter2', a: 1 },
			{ a: 1 },
		],
		[
			'no secret where there is none',
			{ properties: { unlock: { format: 'password' } } },
			{ unlock: null, password: null },
			{ unlock: null, password: null },
		],
		[
			'not what a list holds',
			{ properties: { a: { items: { format: 'password' } }, b: { prefixItems: [{}, { writeOnly: true }] } } },
			{ a: ['x', 'y'], b: ['x', 'y'] },
			{ a: [], b: ['x'] },
		],
		[
			'not what goes by any name',
			{ properties: { a: {} }, additionalProperties: { format: 'password' } },
			{ a: 1, b: 2 },
			{ a: 1 },
		],
		[
			'nothing that nobody can find',
			{ properties: { a: { $ref: 'https://a.example/' } } },
			{ a: { b: 1 }, c: 1 },
			{ c: 1 },
		],
		[
			'not in the wrong place either',
			{ properties: { a: { properties: { pin: { writeOnly: true } } } } },
			{ pin: '1', a: {} },
			{ a: {} },
		],
		['none of it', { writeOnly: true }, { a: 1 }, {}],
		['a circle of references says nothing', { properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }, { a: 1 }],
	];
	for (const [what, schema, args, kept] of table) {
		it(what, () => {
			assert.deepEqual(withoutSecretArguments(schema, args), kept);
			assert.equal(holdsSecret(schema, args), JSON.stringify(args) !== JSON.stringify(kept));
			assert.equal(holdsSecret(schema, kept), false);
		});
	}

	it('show that there was a secret', () => {
		const schema = { properties: { a: { items: { format: 'password' } }, b: { writeOnly: true } } };
		const args = { a: ['x', null], b: { c: 1 }, token: 'x', d: 'ghp_0123456789abcdef' };
		const instead = '<redacted>';
		assert.deepEqual(redactedArguments(schema, args), { a: [instead, null], b: instead, token: 'x', d: instead });
		assert.deepEqual(withoutSecretArguments(schema, args, '?'), { a: ['?', null], b: '?', token: '?', d: '?' });
	});

	it('show no secret where it is repeated, nor anything beside too many secrets to look for', () => {
		const schema = { properties: { pins: { items: { format: 'password' } } } };
		const args = { pins: ['hunter22'], note: ['It is hunter22, or aHVudGVyMjI='] };
		const instead = '<redacted>';
		assert.deepEqual(redactedArguments(schema, args), {
			pins: [instead],
			note: [`It is ${instead}, or ${instead}I=`],
		});
		const many = { pins: Array.from({ length: 1000 }, (_, index) => `hunter${index}`), note: 'hunter999' };
		assert.deepEqual(redactedArguments(schema, many), { pins: instead, note: instead });
	});

	it('tell their secrets', () => {
		const schema = { properties: { a: { items: { format: 'password' } }, b: { writeOnly: true } } };
		const args = { a: ['x', null], b: { c: 123456, d: [true, null, 'y'] }, token: 'z', d: 'ghp_0123456789abcdef' };
		assert.deepEqual(secretValues(schema, args), ['x', '123456', 'y']);
		// Also where a name alone would have hidden what it is in.
		assert.deepEqual(secretValues(schema, { token: { b: 'w' } }), ['w']);
	});

	it('hide each of many secrets, some in a turn of the event loop', async () => {
		const secrets = Array.from({ length: 401 }, (_, index) => `secret-${index}-end`);
		const redactor = new Redactor();
		const end = hideSecretsInTurns(secrets, redactor);
		const shown = (): number => secrets.filter(it => redactor.text(it) !== '<redacted>').length;
		for (let turn = 0; turn < 10; turn++) {
			await Promise.resolve();
		}
		assert.equal(shown(), 201);
		await end;
		assert.equal(shown(), 0);
		await hideSecretsInTurns(secrets, undefined);
	});

	it('are looked through for 200 secrets, and are all hidden where there are more', () => {
		const schema = { properties: { pins: { items: { format: 'password' } } } };
		const noteBeside = (count: number): unknown =>
			redactedArguments(schema, { pins: Array.from({ length: count }, (_, index) => `pin-${index}`), note: 'kept' })[
				'note'
			];
		assert.deepEqual([noteBeside(200), noteBeside(201)], ['kept', '<redacted>']);
	});

	it('are kept, with their secrets, 30 levels deep', () => {
		const nested = (levels: number, bottom: unknown): unknown =>
			levels === 0 ? bottom : { a: nested(levels - 1, bottom) };
		const kept = (levels: number): boolean =>
			JSON.stringify(withoutSecretArguments({}, nested(levels, 'bottom') as JsonObject)).includes('bottom');
		assert.deepEqual([kept(30), kept(31)], [true, false]);
		const lists = (levels: number): boolean =>
			JSON.stringify(
				withoutSecretArguments(
					{},
					JSON.parse(`{"a":${'['.repeat(levels)}"bottom"${']'.repeat(levels)}}`) as JsonObject,
				),
			).includes('bottom');
		assert.deepEqual([lists(29), lists(30)], [true, false]);
		const found = (levels: number): string[] =>
			secretValues({ properties: { b: { writeOnly: true } } }, { b: nested(levels, 'deep') });
		assert.deepEqual([found(31), found(32)], [['deep'], []]);
	});

	it('end where they are nested without end', () => {
		let deep: unknown = 'bottom';
		for (let level = 0; level < 50_000; level++) {
			deep = { a: deep };
		}
		assert.doesNotMatch(JSON.stringify(withoutSecretArguments({}, { deep })), /bottom/);
	});
});
