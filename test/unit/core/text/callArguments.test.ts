import * as assert from 'node:assert/strict';
import * as vm from 'node:vm';
import * as fc from 'fast-check';
import {
	plainObject,
	PlainDataError,
	redactedArguments,
	secretValues,
	withoutSecretArguments,
} from '../../../../src/core/text/callArguments.js';
import type { JsonObject } from '../../../../src/mcp/index.js';

describe('plainObject', () => {
	const problemOf = (value: unknown): string => {
		try {
			plainObject(value);
			return 'none';
		} catch (error) {
			assert.ok(error instanceof PlainDataError, String(error));
			return error.problem;
		}
	};

	it('copies any JSON object as JSON does', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
				assert.equal(JSON.stringify(plainObject(value)), JSON.stringify(value));
			}),
		);
	});

	it("doesn't change with its source", () => {
		const source = { path: '/tmp', list: [{ a: 1 }] };
		const copy = plainObject(source);
		source.path = '/';
		source.list[0] = { a: 2 };
		source.list.push({ a: 3 });
		assert.deepEqual(copy, { path: '/tmp', list: [{ a: 1 }] });
	});

	it('is frozen at every depth', () => {
		const copy = plainObject({ list: [{ a: 1 }] }) as { list: { a: number }[] };
		assert.throws(() => (copy.list = []), TypeError);
		assert.throws(() => copy.list.push({ a: 2 }), TypeError);
		assert.throws(() => copy.list.forEach(it => (it.a = 2)), TypeError);
	});

	it('reads each property once', () => {
		let reads = 0;
		const source = Object.defineProperty({}, 'path', { enumerable: true, get: () => (++reads === 1 ? '/tmp' : '/') });
		const copy = plainObject(source);
		assert.deepEqual([copy['path'], copy['path'], reads], ['/tmp', '/tmp', 1]);
	});

	it('keeps __proto__ as a name like any other', () => {
		const copy = plainObject(JSON.parse('{"__proto__":{"path":"/"},"constructor":1}'));
		assert.deepEqual(Object.keys(copy), ['__proto__', 'constructor']);
		assert.equal(Object.getPrototypeOf(copy), Object.prototype);
		assert.equal(copy['path'], undefined);
	});

	it('accepts objects of another realm, and the same object twice', () => {
		assert.deepEqual(plainObject(vm.runInNewContext('({ a: [1, { b: 2 }] })')), { a: [1, { b: 2 }] });
		const shared = { a: 1 };
		assert.deepEqual(plainObject({ x: shared, y: [shared] }), { x: { a: 1 }, y: [{ a: 1 }] });
	});

	it('copies nothing twice, but parts of a copy', () => {
		const copy = plainObject({ part: { a: 1 } });
		assert.equal(plainObject(copy), copy);
		assert.notEqual(plainObject(copy['part']), copy['part']);
	});

	const cyclic: Record<string, unknown> = { a: 1 };
	cyclic['again'] = [cyclic];
	const throws = (): never => {
		throw new Error('no');
	};
	const nested = (levels: number): unknown => JSON.parse(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
	for (const [what, value, problem] of [
		['nothing', undefined, 'notObject'],
		['null', null, 'notObject'],
		['a list', [], 'notObject'],
		['an object that says it is a list', { toJSON: () => [] }, 'notObject'],
		['a function', { a: () => 1 }, 'notJson'],
		['a symbol', { a: Symbol('a') }, 'notJson'],
		['a BigInt', { a: 1n }, 'notJson'],
		['no number', { a: Number.NaN }, 'notJson'],
		['a circular reference', cyclic, 'notJson'],
		['a getter that throws', Object.defineProperty({}, 'a', { enumerable: true, get: throws }), 'notJson'],
		['a proxy that throws', new Proxy({}, { ownKeys: throws }), 'notJson'],
		['200 levels', nested(200), 'none'],
		['201 levels', nested(201), 'tooLarge'],
		['the longest text', { a: 'x'.repeat(20_000_000 - '{"a":""}'.length) }, 'none'],
		['a text that is too long', { a: 'x'.repeat(20_000_000) }, 'tooLarge'],
	] as const) {
		it(`of ${what}: ${problem}`, () => assert.equal(problemOf(value), problem));
	}
});

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

	it('also occur in values without a secret name or form', () => {
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
