import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { contentOf, type EntryFolder, rootFolder } from '../../../../src/editor/tree/treeNodes.js';

/** All levels as text, indented; folders end with their number of entries. */
function outline(folder: EntryFolder<string>, indent = ''): string[] {
	const { folders, entries } = contentOf(folder, it => it);
	return [
		...folders.flatMap(it => [`${indent}${it.label} (${it.all.length})`, ...outline(it, `${indent}  `)]),
		...entries.map(it => `${indent}${it}`),
	];
}

const table: readonly (readonly [what: string, uris: readonly string[], lines: readonly string[]])[] = [
	['nothing', [], []],
	[
		'one folder for a chain of folders',
		['demo://resource/static/a.md', 'demo://resource/static/b.md'],
		['demo://resource/static (2)', '  demo://resource/static/a.md', '  demo://resource/static/b.md'],
	],
	[
		'files beside folders, folders first',
		['file:///a/x', 'file:///a/b/y', 'file:///a/b/c/z', 'file:///a/b/c/w'],
		[
			'file:///a (4)',
			'  b (3)',
			'    c (2)',
			'      file:///a/b/c/z',
			'      file:///a/b/c/w',
			'    file:///a/b/y',
			'  file:///a/x',
		],
	],
	[
		'several hosts',
		['https://one.example/a', 'https://one.example/b', 'https://two.example/c'],
		[
			'https:// (3)',
			'  one.example (2)',
			'    https://one.example/a',
			'    https://one.example/b',
			'  two.example (1)',
			'    https://two.example/c',
		],
	],
	['what is alone in its scheme', ['notes://today', 'plants://list/all'], ['notes://today', 'plants://list/all']],
	['schemes without slashes', ['urn:a:b', 'urn:a:c'], ['urn: (2)', '  urn:a:b', '  urn:a:c']],
	[
		'names that only begin alike',
		['db:///users/1', 'db:///usage/1'],
		['db:/// (2)', '  users (1)', '    db:///users/1', '  usage (1)', '    db:///usage/1'],
	],
	[
		'directories, with the slash at their end',
		['file:///a/b/', 'file:///a/c'],
		['file:///a (2)', '  file:///a/b/', '  file:///a/c'],
	],
	[
		'slashes of queries and fragments',
		['x://a/b?path=/c/d', 'x://a/b#e/f'],
		['x://a (2)', '  x://a/b?path=/c/d', '  x://a/b#e/f'],
	],
	['what is no URI', ['a/b', 'a/c', ''], ['a (2)', '  a/b', '  a/c', '']],
	[
		'encoded names',
		['x://my%20files/a', 'x://my%20files/b'],
		['x://my files (2)', '  x://my%20files/a', '  x://my%20files/b'],
	],
	['names encoded wrongly', ['x://%ff%/a', 'x://%ff%/b'], ['x://%ff% (2)', '  x://%ff%/a', '  x://%ff%/b']],
	['a URI sent twice', ['x://a/b', 'x://a/b'], ['x://a (2)', '  x://a/b', '  x://a/b']],
];

describe('folders of a list of URIs', () => {
	for (const [what, uris, lines] of table) {
		it(what, () => assert.deepEqual(outline(rootFolder(uris)), lines));
	}

	it('hold every entry once, at its place, whatever the URIs are', () => {
		const part = fc.constantFrom('a', 'b', 'cc', '', '/', '?', '#', ':', '%2f');
		const uri = fc.tuple(fc.constantFrom('', 'x:', 'x://', 'y:///', '/'), fc.array(part, { maxLength: 8 }));
		fc.assert(
			fc.property(fc.array(uri), uris => {
				const list = uris.map(([scheme, parts]) => scheme + parts.join('/'));
				const found: string[] = [];
				const open = [rootFolder(list)];
				for (let folder = open.pop(); folder; folder = open.pop()) {
					const { folders, entries } = contentOf(folder, it => it);
					const { prefix } = folder;
					found.push(...entries);
					assert.equal(new Set(folders.map(it => it.prefix)).size, folders.length);
					for (const it of folders) {
						assert.ok(it.prefix.length > prefix.length && it.all.every(entry => entry.startsWith(it.prefix)));
						assert.notEqual(it.label, '');
					}
					open.push(...folders);
				}
				assert.deepEqual(found.toSorted(), list.toSorted());
			}),
		);
	});

	it('go as deep as a server likes', () => {
		const deep = Array.from({ length: 300 }, (_, index) => `x://${'d/'.repeat(index)}f`);
		let folder = contentOf(rootFolder(deep), it => it).folders[0];
		let levels = 0;
		for (; folder; folder = contentOf(folder, it => it).folders[0]) {
			levels++;
		}
		assert.equal(levels, 300);
	});
});
