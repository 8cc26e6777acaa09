import * as assert from 'node:assert/strict';
import { reachOf } from '../../../src/model/reach.js';

const roots = [
	{ uri: 'file:///home/me/project', name: 'project' },
	{ uri: 'file:///home/me/project/inner%20one', name: 'inner' },
	{ uri: 'file:///c%3A/work', name: 'work' },
	{ uri: 'https://a/b', name: 'no folder' },
];

const table: readonly (readonly [text: string, roots: readonly string[], isOutside: boolean])[] = [
	['/home/me/project', ['project'], false],
	['/home/me/project/', ['project'], false],
	['/home/me/project/a.txt', ['project'], false],
	['/home/me//project/./x/../a.txt', ['project'], false],
	['/home/me/project/inner one/a', ['project', 'inner'], false],
	['file:///home/me/project/inner%20one/a', ['project', 'inner'], false],
	['file://localhost/home/me/project/a', ['project'], false],
	['FILE:/home/me/project/a?x#y', ['project'], false],
	['/home/me/project-2/a', [], true],
	['/home/me/project/../other', [], true],
	['/home/me/project/%2e%2e/x', ['project'], false],
	['file:///home/me/project/%2e%2e/x', [], true],
	['/Home/Me/Project/a', [], true],
	['/', [], true],
	['/etc/passwd', [], true],
	['~/project', [], true],
	['~', [], true],
	['../x', [], true],
	['a/../../x', [], true],
	['..', [], true],
	['C:\\work\\a', ['work'], false],
	['c:/work/a', ['work'], false],
	['C:\\work\\..\\x', [], true],
	['\\\\server\\share', [], true],
	['file://server/home/me/project/a', [], true],
	['a/b', [], false],
	['notes.md', [], false],
	['and/or', [], false],
	['https://example.com/home/me/project', [], false],
	['/home/me/project\nand more', [], false],
	['', [], false],
];

describe('the folders that arguments name', () => {
	for (const [text, reached, isOutside] of table) {
		it(JSON.stringify(text), () => {
			const expected = { roots: reached, outside: isOutside ? [text] : [] };
			assert.deepEqual(reachOf({ path: text }, roots, false), expected);
			assert.deepEqual(reachOf({ deep: [{ list: [1, null, text] }] }, roots, false), expected);
			assert.deepEqual(reachOf({ [text]: true }, roots, false), expected);
		});
	}

	it('are the same in other letters where the disk does not tell them apart', () => {
		assert.deepEqual(reachOf({ a: '/Home/ME/project/x' }, roots, true), { roots: ['project'], outside: [] });
	});

	it('hold everything where the root is the disk', () => {
		const disk = [{ uri: 'file:///', name: 'disk' }];
		assert.deepEqual(reachOf({ a: '/etc', b: '..' }, disk, false), { roots: ['disk'], outside: ['..'] });
	});
});
