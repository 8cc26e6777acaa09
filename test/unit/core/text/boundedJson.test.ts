import * as assert from 'node:assert/strict';
import { parseTree } from 'jsonc-parser';
import { findJsonExcess, parseBoundedTree } from '../../../../src/core/text/boundedJson.js';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);
/** Three levels less than the limit. */
const most = '['.repeat(253);

describe('boundedJson', () => {
	it('counts what is open at the same time', () => {
		const texts = [
			nested(3),
			nested(4),
			nested(4, '{"a":', '}'),
			'[[],[],[],[]]',
			'[][][][]',
			'[{"a":[]},{"a":[]},{"a":[]}]',
			'{}{}{}{}',
			' '.repeat(1000),
			'"[[[[" // [[[[\n/* [[[[ */',
			'[\n"[[[[\n]',
			// What does not fit closes nothing.
			'[},[},[},[',
			'{],{],{],{',
			' '.repeat(1001),
			'',
		];
		assert.deepEqual(
			texts.map(it => findJsonExcess(most + it, 1253)?.code),
			[
				undefined,
				'tooDeep',
				'tooDeep',
				undefined,
				undefined,
				undefined,
				undefined,
				undefined,
				undefined,
				undefined,
				'tooDeep',
				'tooDeep',
				'tooLong',
				undefined,
			],
		);
	});

	it('says where a limit is passed', () => {
		assert.deepEqual(findJsonExcess(`${most}[ [ [ [`, 1253), { code: 'tooDeep', maxDepth: 256, offset: 253 + 6 });
		assert.deepEqual(findJsonExcess('1'.repeat(2000), 1000), { code: 'tooLong', maxLength: 1000, offset: 1000 });
	});

	it('has the limits of configurations unless told others', () => {
		for (const [text, code] of [
			[nested(256), undefined],
			[nested(257), 'tooDeep'],
			[' '.repeat(1024 * 1024 + 1), 'tooLong'],
		] as const) {
			assert.equal(parseBoundedTree(text).excess?.code, code);
		}
	});

	it('the parser itself has no limit', () => {
		assert.throws(() => parseTree(nested(100_000)), RangeError);
	});

	it('reads what is within the limits', () => {
		const { root, error, excess } = parseBoundedTree('{"a": [1], // comment\n}');
		assert.deepEqual([root?.type, error, excess], ['object', undefined, undefined]);
		assert.deepEqual(parseBoundedTree('{"a" 1}').error?.offset, 5);
	});

	for (const [open, close] of [
		['[', ']'],
		['{"a":', '}'],
		['[{"a":', '}]'],
		['[},', ''],
		['{"a":[},', ''],
		['{],', ''],
		['[[', ']'],
		['{"a"{', ''],
		['{[', ']}'],
	] as const) {
		it(`refuses ${open} repeated 100,000 times, and parses what it lets pass`, () => {
			const deep = nested(100_000, open, close);
			assert.equal(parseBoundedTree(deep, 10_000_000).excess?.code, 'tooDeep');
			assert.equal(parseBoundedTree(nested(100, open, close)).excess, undefined);
		});
	}
});
