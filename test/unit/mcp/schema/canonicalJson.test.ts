import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../../src/mcp/schema/canonicalJson.js';

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(reversed);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, it]) => [key, reversed(it)]),
	);
}

describe('canonicalJson', () => {
	it('sorts keys and nothing else', () => {
		const table: readonly (readonly [value: unknown, text: string])[] = [
			[{ b: 1, a: [3, { d: 4, c: 5 }] }, '{"a":[3,{"c":5,"d":4}],"b":1}'],
			[[], '[]'],
			[{}, '{}'],
			[[[], {}], '[[],{}]'],
			['"\u2028\ud800', JSON.stringify('"\u2028\ud800')],
			[null, 'null'],
			[-0, '0'],
			[1e21, '1e+21'],
			[JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
			// What JSON does not have.
			[undefined, 'null'],
			[{ a: undefined, b: () => 1, c: [undefined] }, '{"c":[null]}'],
			[{ a: Symbol('a'), b: 1 }, '{"b":1}'],
			[NaN, 'null'],
			[5n, 'null'],
		];
		assert.deepEqual(
			table.map(([value]) => canonicalJson(value)),
			table.map(([, text]) => text),
		);
	});

	it('is the same for the same value, and another for another', () => {
		fc.assert(
			fc.property(fc.jsonValue(), value => {
				const text = canonicalJson(value);
				assert.equal(canonicalJson(reversed(value)), text);
				assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
			}),
		);
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
				assert.equal(canonicalJson(a) === canonicalJson(b), isSame(a, b));
			}),
		);
	});
});

function isSame(a: unknown, b: unknown): boolean {
	try {
		assert.deepEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
		return true;
	} catch {
		return false;
	}
}
