import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EntryFilter } from '../../../../src/core/search/entryFilter.js';

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
