import * as assert from 'node:assert/strict';
import { valuePageSize, treeChildren, treeEntry } from '../../../../src/editor/pages/valueTree.js';

const none = new Map<string, string>();

function lines(value: unknown, path: readonly number[] = [], from = 0): string[] {
	const { entries, left } = treeChildren(value, path, from, none);
	return [...entries.map(it => `${it.key}: ${it.kind} ${it.value}`), ...(left > 0 ? [`${left} left`] : [])];
}

describe('the tree of a value', () => {
	it('has a line for each member, of every kind', () => {
		assert.deepEqual(lines({ a: 'x', b: 1, c: true, d: null, e: [1, 2], f: { g: 1 } }), [
			'a: text "x"',
			'b: number 1',
			'c: boolean true',
			'd: null null',
			'e: array (2) [1, 2]',
			'f: object {1}',
		]);
		assert.deepEqual(lines(['x']), ['0: text "x"']);
	});

	it('shows what an array begins with, on one line', () => {
		const long = 'x'.repeat(100);
		const values = [
			[],
			[{ a: 1 }, [1, 2], null, 'a\nb'],
			Array.from({ length: 1000 }, (_, index) => index),
			[long],
			[1, long],
		];
		assert.deepEqual(
			values.map(it => treeEntry('', it, '', none).value),
			[
				'(0) []',
				'(4) [{1}, (2), null, "a\\nb"]',
				'(1000) [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, …]',
				`(1) ["${'x'.repeat(58)}…]`,
				`(2) [1, …]`,
			],
		);
	});

	it('goes down by positions', () => {
		const value = { a: [{ b: ['deep'] }] };
		assert.deepEqual(lines(value, [0, 0, 0]), ['0: text "deep"']);
	});

	it('has nothing where there is nothing', () => {
		for (const path of [[5], [0, 0], [0, 3, 1]]) {
			assert.deepEqual(lines({ a: 'text' }, path), []);
		}
		assert.deepEqual(lines('text'), []);
		assert.deepEqual(lines(undefined), []);
		assert.deepEqual(lines([1], [], 7), []);
	});

	it('gives a page at a time', () => {
		const many = Array.from({ length: 2 * valuePageSize + 1 }, (_, index) => index);
		assert.equal(lines(many).at(-1), `${valuePageSize + 1} left`);
		assert.deepEqual(lines(many, [], 2 * valuePageSize), [`${2 * valuePageSize}: number ${2 * valuePageSize}`]);
	});

	it('shows names that every object has, and none that it has not', () => {
		const value: unknown = JSON.parse('{ "__proto__": { "x": 1 }, "constructor": 2 }');
		assert.deepEqual(lines(value), ['__proto__: object {1}', 'constructor: number 2']);
		assert.deepEqual(lines(value, [0]), ['x: number 1']);
	});

	it('marks what breaks the schema, by its pointer', () => {
		const problems = new Map([
			['', 'all'],
			['/a~1b/0', 'first'],
			['/~0', 'tilde'],
		]);
		const value = { 'a/b': ['x', 'y'], '~': 1 };
		assert.equal(treeEntry('', value, '', problems).problem, 'all');
		assert.deepEqual(
			treeChildren(value, [], 0, problems).entries.map(it => it.problem),
			[undefined, 'tilde'],
		);
		assert.deepEqual(
			treeChildren(value, [0], 0, problems).entries.map(it => it.problem),
			['first', undefined],
		);
	});

	it('shortens texts that look like base64 to their beginning', () => {
		const { value } = treeEntry('data', Buffer.alloc(3000, 'QX').toString('base64'), '', none);
		assert.equal(value.length, 40);
		assert.ok(value.endsWith('…'));
		const words = 'All of this can be read. '.repeat(20);
		assert.equal(treeEntry('text', words, '', none).value, JSON.stringify(words));
	});

	it('cuts and cleans', () => {
		const { key, value } = treeEntry('\u202E'.repeat(3), 'x '.repeat(50_000), '', none);
		assert.equal(key, '\\u{202e}\\u{202e}\\u{202e}');
		assert.equal(value.length, 1000);
		assert.ok(treeEntry('k'.repeat(500), 1, '', none).key.length <= 200);
	});
});
