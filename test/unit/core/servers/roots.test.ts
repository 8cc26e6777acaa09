import * as assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import {
	folderChoice,
	isExposed,
	type JudgedFolder,
	judgeFolders,
	normalFileUri,
	rootsOf,
	type WorkspaceFolder,
} from '../../../../src/core/servers/roots.js';

const one: WorkspaceFolder = { uri: 'file:///w/one', name: 'one' };
const two: WorkspaceFolder = { uri: 'file:///w/two/', name: 'two' };
const inside: WorkspaceFolder = { uri: 'file:///w/one/inside', name: 'inside' };
const far: WorkspaceFolder = { uri: 'vscode-vfs://github/a/b', name: 'far' };

describe('which folders a server is told of', () => {
	const table: readonly (readonly [
		name: string,
		folders: readonly WorkspaceFolder[],
		vanished: readonly string[],
		chosen: readonly string[] | undefined,
		told: string,
	])[] = [
		['all, where nothing was chosen', [one, two, inside], [], undefined, 'one two inside'],
		['no folder at all', [], [], undefined, ''],
		['those that were chosen by name', [one, two, inside], [], ['inside', 'one'], 'one inside'],
		['those that were chosen by URI, however it is written', [one, two], [], ['FILE:///w/x/../two'], 'two'],
		['none, if that is the choice', [one, two], [], [], ''],
		['not what is no file, even if it was chosen', [far, one], [], ['far', 'one'], 'one'],
		['not what has vanished', [one, two], ['file:///w/two'], undefined, 'one'],
		['not a name that no folder has', [one], [], ['gone'], ''],
		['none of two by the name that both have', [one, { ...two, name: 'one' }], [], ['one'], ''],
		['one of them by its URI', [one, { ...two, name: 'one' }], [], ['file:///w/two'], 'one'],
	];
	for (const [name, folders, vanished, chosen, told] of table) {
		it(name, () => {
			const roots = rootsOf(judgeFolders(folders, new Set(vanished), chosen ? [chosen] : []));
			assert.equal(roots.map(it => it.name).join(' '), told);
			assert.ok(roots.every(it => normalFileUri(it.uri) === it.uri));
		});
	}

	it('says why one is not told of, and what a choice would call it', () => {
		const same = { ...one, uri: 'file:///other/one' };
		assert.deepEqual(judgeFolders([one, same, two, far], new Set(['file:///w/two']), [['two', 'file:///w/one']]), [
			{ name: 'one', uri: 'file:///w/one', key: 'file:///w/one', isChosen: true, obstacle: undefined },
			{ name: 'one', uri: 'file:///other/one', key: 'file:///other/one', isChosen: false, obstacle: undefined },
			{ name: 'two', uri: 'file:///w/two', key: 'two', isChosen: true, obstacle: 'vanished' },
			{ name: 'far', uri: 'vscode-vfs://github/a/b', key: 'far', isChosen: false, obstacle: 'notFile' },
		]);
	});
});

describe('a choice of folders', () => {
	const choose = (
		folders: readonly WorkspaceFolder[],
		wanted: string,
		before?: readonly string[],
		vanished: readonly string[] = [],
	): readonly string[] | undefined => {
		const judged = judgeFolders(folders, new Set(vanished), before ? [before] : []);
		return folderChoice(
			judged,
			new Set(judged.filter(it => wanted.split(' ').includes(it.name)).map(it => it.uri)),
			before,
		);
	};

	it('is none where all are wanted: folders that come later belong to it', () => {
		assert.equal(choose([one, two, far], 'one two'), undefined);
		assert.equal(choose([one, two], 'one two', ['one', 'gone']), undefined);
	});

	it('names what is wanted, and keeps what it says of folders that are elsewhere', () => {
		assert.deepEqual(choose([one, two], 'two'), ['two']);
		assert.deepEqual(choose([one, two, far], ''), []);
		assert.deepEqual(choose([one, two], 'one', ['two', 'gone']), ['one', 'gone']);
	});

	it('holds for a folder that has vanished, and may come back', () => {
		assert.deepEqual(choose([one, two], 'two', undefined, ['file:///w/two']), ['two']);
		assert.equal(choose([one, two], 'one two', undefined, ['file:///w/two']), undefined);
	});

	it('tells folders of one name apart, and says the same when it is read again', () => {
		const folders = [one, { ...two, name: 'one' }, inside];
		const judged = judgeFolders(folders, new Set(), [['one']]);
		const wanted = new Set(['file:///w/two', 'file:///w/one/inside']);
		const choice = folderChoice(judged, wanted, ['one']);
		assert.deepEqual(choice, ['file:///w/two', 'inside']);
		const again = judgeFolders(folders, new Set(), choice ? [choice] : []).filter(isExposed);
		assert.deepEqual(
			again.map((it: JudgedFolder) => it.uri),
			[...wanted],
		);
	});
});

describe('the URI of a folder', () => {
	const table: readonly (readonly [written: string, normal: string | undefined, windowsPath?: string])[] = [
		['file:///home/me/work', 'file:///home/me/work'],
		['file:///home/me/work/', 'file:///home/me/work'],
		['file:///home/me//work//', 'file:///home/me//work'],
		['file:///home/me/../you/./work', 'file:///home/you/work'],
		['file:///home/%2E%2e/work', 'file:///work'],
		['file:///', 'file:///'],
		['file:///..', 'file:///'],
		['FILE:///home', 'file:///home'],
		['file://localhost/home', 'file:///home'],
		['file:///with%20blank/%C3%A9', 'file:///with%20blank/%C3%A9'],
		['file:///with blank/é', 'file:///with%20blank/%C3%A9'],
		['file:///home?a#b', 'file:///home'],
		['file:///c%3A/work', 'file:///c:/work', 'c:\\work'],
		['file:///C:/work/', 'file:///c:/work', 'c:\\work'],
		['file:///C%3a/a/../work', 'file:///c:/work', 'c:\\work'],
		['file:///C:', 'file:///c:/', 'c:\\'],
		['file:///c%3A/', 'file:///c:/', 'c:\\'],
		['file://Server/share/a/../b', 'file://server/share/b', '\\\\server\\share\\b'],
		['file:///c:x', 'file:///c:x'],
		['file:///a/c:/x', 'file:///a/c:/x'],
		['vscode-vfs://github/a/b', undefined],
		['a-file:///x', undefined],
		['untitled:one', undefined],
		['file', undefined],
		['one', undefined],
		['', undefined],
	];
	for (const [written, normal, windowsPath] of table) {
		it(`${written} is ${normal ?? 'no file'}`, () => {
			assert.equal(normalFileUri(written), normal);
			assert.equal(normalFileUri(normal ?? ''), normal, 'once is enough');
			if (windowsPath !== undefined && normal !== undefined) {
				assert.equal(fileURLToPath(normal, { windows: true }), windowsPath);
			}
		});
	}
});
