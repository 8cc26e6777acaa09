import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { escapeGlob, matchesGlob } from '../../../../src/core/approvals/glob.js';

describe('patterns of a policy', () => {
	const table: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
		['', [''], ['a']],
		['*', ['', 'a', 'a/b', '.a', 'a\nb', '../a', '*'], []],
		['write_*', ['write_', 'write_file', 'write_a/b'], ['write', 'a write_', 'Write_file']],
		['*_file', ['_file', 'write_file', 'a_file_file'], ['write_files', 'file']],
		['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a']],
		['a?c', ['abc', 'a/c', 'a?c'], ['ac', 'abbc']],
		['[a-z]{x,y}!(z)', ['[a-z]{x,y}!(z)'], ['a', 'x']],
		['**', ['', 'a/b'], []],
		['.env', ['.env'], ['xenv', '.env ']],
		['a[*]b', ['a*b'], ['axb', 'a[x]b', 'a[*]b']],
		['[?]', ['?'], ['a', '[?]']],
		['[[]*]', ['[*]', '[]', '[ab]'], ['*', 'a]']],
		['[*', ['[', '[a'], ['a']],
		['[]]', ['[]]'], [']']],
		['[*][*]*', ['**', '**a'], ['*', 'ab']],
		['C:\\work\\*', ['C:\\work\\', 'C:\\work\\a'], ['C:\\work*', 'C:work*']],
	];
	for (const [pattern, yes, no] of table) {
		it(`"${pattern}"`, () => {
			assert.deepEqual(
				yes.filter(it => !matchesGlob(pattern, it)),
				[],
			);
			assert.deepEqual(
				no.filter(it => matchesGlob(pattern, it)),
				[],
			);
		});
	}

	it('match as the regular expression they stand for does', () => {
		// Without brackets: what those mean has tests of its own.
		const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '/', '\n'), maxLength: 8 });
		fc.assert(
			fc.property(text, text, (pattern, value) => {
				const source = pattern.replaceAll(/[.]/g, '\\.').replaceAll('*', '[^]*').replaceAll('?', '[^]');
				assert.equal(matchesGlob(pattern, value), new RegExp(`^${source}$`).test(value));
			}),
			{ numRuns: 1000 },
		);
	});

	it('are escaped to match exactly one text', () => {
		const text = fc.string({ unit: fc.constantFrom('a', '*', '?', '[', ']', '\\'), maxLength: 8 });
		fc.assert(
			fc.property(text, text, (value, other) => {
				const pattern = escapeGlob(value);
				assert.equal(matchesGlob(pattern, other), value === other);
				assert.equal(matchesGlob(pattern, value), true);
			}),
			{ numRuns: 1000 },
		);
	});

	it('are not kept busy by what would take an expression for ever', () => {
		assert.equal(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(10_000)), false);
	});
});
