import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EntryFilter, findBest, wordsOf } from '../../../../src/core/search/matcher.js';

const find = (query: string, ...names: readonly string[]): string[] =>
	findBest(names, wordsOf(query), 10, it => ({ names: [it.split('/').at(-1), it] }));

describe('the best matches', () => {
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
		assert.equal(findBest(many, ['n'], 7, it => ({ names: [it] })).length, 7);
		assert.equal(findBest(many, [], 7, it => ({ names: [it] })).length, 7);
	});

	it('finds names that have the letters in their order', () => {
		const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-', '/', 'Ü'), maxLength: 20 });
		fc.assert(
			fc.property(letters, fc.array(fc.boolean()), (name, kept) => {
				const query = Array.from(name, (it, index) => (kept[index] === true ? it : '')).join('');
				assert.deepEqual(
					findBest([name], wordsOf(query), 1, it => ({ names: [it] })),
					[name],
				);
			}),
		);
	});
});

describe('EntryFilter', () => {
	const table: readonly (readonly [query: string, name: string, matches: boolean])[] = [
		['sum', 'get-sum', true],
		['SUM', 'get-sum', true],
		['gs', 'get-sum', true],
		['getsum', 'get-sum', true],
		['sg', 'get-sum', false],
		['gsm', 'get-sum', false],
		['gs', 'getSum', true],
		['t2', 'test2', true],
		['get sum', 'get-sum', true],
		['sum get', 'get-sum', true],
		['get sun', 'get-sum', false],
		['zürich', 'Stadt Zürich', true],
		['東', '北東', true],
		['🌱', 'garden 🌱', true],
		['doc/arch', 'demo://resource/doc/architecture.md', true],
		['.*', 'abc', false],
	];
	for (const [query, name, matches] of table) {
		it(`"${query}" ${matches ? 'finds' : 'does not find'} "${name}"`, () => {
			assert.equal(new EntryFilter(query).matches({ names: [name] }), matches);
		});
	}

	it('finds words in any of the names, and as they stand in the description', () => {
		const entry = { names: [undefined, 'write_file', 'Write a file'], description: 'Overwrites what IS there.' };
		const found = (query: string): boolean => new EntryFilter(query).matches(entry);
		assert.deepEqual(['overwrites is', 'wf there', 'wf zz', '  there ', 'thr'].map(found), [
			true,
			true,
			false,
			true,
			false,
		]);
	});

	it('looks through a list once, and through the list that takes its place', () => {
		const filter = new EntryFilter('b');
		let looks = 0;
		const search = (name: string): { names: string[] } => {
			looks++;
			return { names: [name] };
		};
		const list = ['a', 'b', 'ab'];
		assert.deepEqual(filter.hits(list, search), ['b', 'ab']);
		assert.deepEqual([filter.hits(list, search) === filter.hits(list, search), looks], [true, 3]);
		assert.deepEqual([filter.hits(['b', 'c'], search), looks], [['b'], 5]);
	});

	it('one that was typed on finds in the hits before what it finds in all', () => {
		const texts = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '-', '1', 'ü', 'İ', ' '), maxLength: 12 });
		const search = (it: string): { names: string[]; description: string } => ({ names: [it], description: `${it}.` });
		fc.assert(
			fc.property(fc.array(texts), texts, texts, (list, query, more) => {
				const before = new EntryFilter(query);
				before.hits(list, search);
				const next = new EntryFilter(query + more, before);
				assert.deepEqual(next.hits(list, search), new EntryFilter(query + more).hits(list, search));
			}),
		);
	});
});
