import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/index.js';
import { type SecretPart, secretPart } from '../../../../src/mcp/schema/secretSchema.js';

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
		['a format', of(secret), [['x']], [[], ['y'], ['y', 'x'], ['toString']]],
		['writeOnly', of({ writeOnly: true }), [['x']], [['y']]],
		['another format', of({ format: 'email', writeOnly: false }), [], [['x']]],
		['a value that can be null', of({ anyOf: [secret, { type: 'null' }] }), [['x']], []],
		['allOf', of({ allOf: [{}, secret] }), [['x']], []],
		['a branch of the object', { oneOf: [of(secret), { properties: { y: {} } }] }, [['x']], [['y']]],
		[
			'items',
			of({ items: secret }),
			[
				['x', 0],
				['x', 9],
			],
			[['x'], ['x', 'y']],
		],
		[
			'prefixItems',
			of({ prefixItems: [{}, secret], items: {} }),
			[['x', 1]],
			[
				['x', 0],
				['x', 2],
			],
		],
		['items after the first', of({ prefixItems: [{}], items: secret }), [['x', 1]], [['x', 0]]],
		[
			'a list of items',
			of({ items: [{}, secret] }),
			[['x', 1]],
			[
				['x', 0],
				['x', 2],
			],
		],
		['additionalProperties', { properties: { y: {} }, additionalProperties: secret }, [['x']], [['y']]],
		['a reference', of({ $ref: '#/$defs/a~1b' }, { $defs: { 'a/b': secret } }), [['x']], [['y']]],
		['a reference to the whole', of({ $ref: '#' }, { format: 'password' }), [['x'], ['x', 'x']], [['y']]],
		['references in a circle', of({ $ref: '#/properties/x' }), [], [['x']]],
		['a reference out of the document', of({ $ref: 'https://a.example/#/x' }), [], [['x']]],
	];
	for (const [what, schema, secrets, others] of table) {
		it(what, () => {
			for (const path of [...secrets, ...others]) {
				assert.equal(at(schema, path).isSecret, secrets.includes(path), path.join('.'));
			}
		});
	}

	it('and what holds a secret somewhere inside', () => {
		const holds = (property: unknown, rest: object = {}): boolean =>
			secretPart(of(property, rest)).member('x').mayHoldSecret;
		const inside = [
			secret,
			of({ items: of(secret) }),
			{ additionalProperties: { anyOf: [{}, { prefixItems: [secret] }] } },
			{ $ref: '#/$defs/a' },
		];
		assert.deepEqual(
			inside.map(it => holds(it, { $defs: { a: of({ $ref: '#/$defs/b' }), b: { items: [secret] } } })),
			[true, true, true, true],
		);
		assert.equal(holds({ ...of({}), $ref: '#' }, { properties: { x: { $ref: '#' }, y: secret } }), true);
		assert.equal(holds(of({ items: {} }), { properties: { x: {}, y: secret } }), false);
	});
});
