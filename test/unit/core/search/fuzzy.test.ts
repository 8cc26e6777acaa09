import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fuzzyFind } from '../../../../src/core/search/fuzzy.js';

const find = (query: string, ...names: readonly string[]): string[] =>
	fuzzyFind(names, query, 10, it => ({ name: it.split('/').at(-1) ?? it, place: it }));

describe('fuzzyFind', () => {
	const table: readonly (readonly [query: string, names: readonly string[], found: readonly string[]])[] = [
		['', ['b', 'a'], ['b', 'a']],
		['readme', ['x/my-readme.md', 'x/readme.md', 'readme/other'], ['x/readme.md', 'x/my-readme.md', 'readme/other']],
		['rdm', ['x/readme.md', 'x/other.md'], ['x/readme.md']],
		['gs', ['getsum', 'get-sum'], ['get-sum', 'getsum']],
		['docs read', ['docs/readme', 'src/readme', 'docs/other'], ['docs/readme']],
		['READ', ['Readme'], ['Readme']],
		['ab', ['ba', 'b'], []],
		['a', ['ab', 'a', 'abc'], ['a', 'ab', 'abc']],
		['東', ['北東'], ['北東']],
	];
	for (const [query, names, found] of table) {
		it(`"${query}" in ${names.join(', ')}`, () => {
			assert.deepEqual(find(query, ...names), found);
		});
	}

	it('gives no more than it is asked for', () => {
		const many = Array.from({ length: 50 }, (_, index) => `n${index}`);
		assert.equal(fuzzyFind(many, 'n', 7, it => ({ name: it, place: '' })).length, 7);
		assert.equal(fuzzyFind(many, ' ', 7, it => ({ name: it, place: '' })).length, 7);
	});

	it('finds whatever has the letters in their order', () => {
		const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-', '/', 'Ü'), maxLength: 20 });
		fc.assert(
			fc.property(letters, fc.array(fc.boolean()), (name, kept) => {
				const query = Array.from(name, (it, index) => (kept[index] === true ? it : '')).join('');
				assert.deepEqual(
					fuzzyFind([name], query, 1, it => ({ name: it, place: '' })),
					[name],
				);
			}),
		);
	});
});
