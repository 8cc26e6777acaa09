import * as assert from 'node:assert/strict';
import * as vm from 'node:vm';
import * as fc from 'fast-check';
import { plainObject, PlainDataError } from '../../../../src/core/text/plainData.js';

function listOf(length: unknown): unknown {
	return new Proxy([], {
		get: (target, key, receiver) => (key === 'length' ? length : Reflect.get(target, key, receiver)),
	});
}

describe('plainObject', () => {
	const problemOf = (value: unknown): string => {
		try {
			plainObject(value);
			return 'none';
		} catch (error) {
			assert.ok(error instanceof PlainDataError, String(error));
			return JSON.stringify(error.problem);
		}
	};

	it('gives what JSON would give of any JSON object', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
				assert.equal(JSON.stringify(plainObject(value)), JSON.stringify(value));
			}),
		);
	});

	it('is not changed by what its source becomes', () => {
		const source = { path: '/tmp', list: [{ a: 1 }] };
		const copy = plainObject(source);
		source.path = '/';
		source.list[0] = { a: 2 };
		source.list.push({ a: 3 });
		assert.deepEqual(copy, { path: '/tmp', list: [{ a: 1 }] });
	});

	it('cannot be changed itself, at any depth', () => {
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

	it('reads each element of a list once', () => {
		const read: PropertyKey[] = [];
		const list = new Proxy(['a', 'b'], {
			get: (target, key, receiver): unknown => {
				read.push(key);
				return Reflect.get(target, key, receiver);
			},
		});
		assert.deepEqual(plainObject({ list }), { list: ['a', 'b'] });
		assert.deepEqual(read, ['length', '0', '1']);
	});

	it('keeps __proto__ as a name like any other', () => {
		const copy = plainObject(JSON.parse('{"__proto__":{"path":"/"},"constructor":1}'));
		assert.deepEqual(Object.keys(copy), ['__proto__', 'constructor']);
		assert.equal(Object.getPrototypeOf(copy), Object.prototype);
		assert.equal(copy['path'], undefined);
		assert.equal(JSON.stringify(copy), '{"__proto__":{"path":"/"},"constructor":1}');
	});

	it('takes objects without a prototype, and those of another realm', () => {
		assert.deepEqual(plainObject(Object.assign(Object.create(null), { a: 1 })), { a: 1 });
		assert.deepEqual(plainObject(vm.runInNewContext('({ a: [1, { b: 2 }] })')), { a: [1, { b: 2 }] });
	});

	it('leaves out what is undefined, and what JSON does not list', () => {
		const source = { a: undefined, b: 1, [Symbol('c')]: 2 };
		assert.deepEqual(Object.keys(plainObject(Object.defineProperty(source, 'd', { value: 3 }))), ['b']);
		assert.ok(Object.is(plainObject({ a: -0 })['a'], 0));
	});

	it('copies nothing twice', () => {
		const copy = plainObject({ a: 1 });
		assert.equal(plainObject(copy), copy);
	});

	it('refuses everything that is no JSON', () => {
		const cyclic: Record<string, unknown> = { a: 1 };
		cyclic['again'] = [cyclic];
		const deep = JSON.parse(`${'{"a":'.repeat(200)}{}${'}'.repeat(200)}`) as unknown;
		// Each level doubles what it comes to.
		let many: unknown = 'x';
		for (let level = 0; level < 40; level++) {
			many = [many, many];
		}
		const cases: readonly (readonly [what: string, value: unknown, problem: string])[] = [
			['nothing', undefined, '{"code":"notObject"}'],
			['null', null, '{"code":"notObject"}'],
			['a list', [], '{"code":"notObject"}'],
			['a function', { a: () => 1 }, '{"code":"notJson","type":"function"}'],
			['a symbol', { a: Symbol('a') }, '{"code":"notJson","type":"symbol"}'],
			['a BigInt', { a: 1n }, '{"code":"notJson","type":"bigint"}'],
			['no number', { a: Number.NaN }, '{"code":"notJson","type":"NaN"}'],
			['infinity', { a: Infinity }, '{"code":"notJson","type":"Infinity"}'],
			['a hole of a list', { a: Array(1) }, '{"code":"notJson","type":"undefined"}'],
			['a date', { a: new Date(0) }, '{"code":"notJson","type":"Date"}'],
			['a map', { a: new Map([['a', 1]]) }, '{"code":"notJson","type":"Map"}'],
			[
				'an instance',
				new (class Call {
					readonly a = 1;
				})(),
				'{"code":"notJson","type":"Object"}',
			],
			...[-1, 1.5, NaN, 'x'].map(
				length => ['a list of a strange length', { a: listOf(length) }, '{"code":"notJson","type":"object"}'] as const,
			),
			[
				'too many levels of lists',
				JSON.parse(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`),
				'{"code":"tooDeep","max":200}',
			],
			['a name that is too long', { ['x'.repeat(20_000_000)]: 1 }, '{"code":"tooLarge","max":20000000}'],
			['one character too much', { a: 'x'.repeat(20_000_000 - 128) }, '{"code":"tooLarge","max":20000000}'],
			['itself', cyclic, '{"code":"cyclic"}'],
			['too many levels', deep, '{"code":"tooDeep","max":200}'],
			['too many values', { many }, '{"code":"tooLarge","max":20000000}'],
			['a text that is too long', { a: 'x'.repeat(20_000_000) }, '{"code":"tooLarge","max":20000000}'],
			['a list that only says that it is long', { a: Array(20_000_001) }, '{"code":"tooLarge","max":20000000}'],
			[
				'what cannot be read',
				Object.defineProperty({}, 'a', {
					enumerable: true,
					get: () => {
						throw new Error('no');
					},
				}),
				'{"code":"unreadable"}',
			],
			[
				'what says nothing of itself',
				new Proxy(
					{},
					{
						ownKeys: () => {
							throw new Error('no');
						},
					},
				),
				'{"code":"unreadable"}',
			],
		];
		for (const [what, value, problem] of cases) {
			assert.equal(problemOf(value), problem, what);
		}
	});

	it('takes as much as there may be', () => {
		assert.equal(problemOf({ a: 'x'.repeat(20_000_000 - 129) }), 'none');
		assert.equal(problemOf(JSON.parse(`{"a":${'['.repeat(199)}${']'.repeat(199)}}`)), 'none');
	});

	it('copies a part of a copy anew', () => {
		const { part } = plainObject({ part: { a: 1 } });
		assert.notEqual(plainObject(part), part);
		assert.deepEqual(plainObject(part), part);
	});

	it('says what it is', () => {
		assert.throws(() => plainObject(null), { name: 'PlainDataError', message: 'notObject' });
	});

	it('takes the same object twice where it does not contain itself', () => {
		const shared = { a: 1 };
		assert.deepEqual(plainObject({ x: shared, y: [shared] }), { x: { a: 1 }, y: [{ a: 1 }] });
		assert.equal(problemOf(JSON.parse(`${'{"a":'.repeat(199)}{}${'}'.repeat(199)}`)), 'none');
	});
});
