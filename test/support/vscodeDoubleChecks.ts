/** What the editor's API must do for host files, told as tests: the real editor and the double of unit tests pass them. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { skip } from './skip.js';

type Editor = Pick<typeof vscode, 'Uri' | 'FileType' | 'FileSystemError'> & {
	readonly workspace: { readonly fs: Pick<vscode.FileSystem, 'stat' | 'readFile' | 'writeFile' | 'rename'> };
};

export function checkEditor({ Uri, FileType, FileSystemError, workspace }: Editor): void {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-editor-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const uriOf = (name: string): vscode.Uri => Uri.file(path.join(folder, name));
	const typeOf = async (name: string): Promise<number> => (await workspace.fs.stat(uriOf(name))).type;
	const codeOf = (work: PromiseLike<unknown>): PromiseLike<string> =>
		work.then(
			() => 'none',
			(error: unknown) => (error instanceof FileSystemError ? error.code : String(error)),
		);
	const textOf = async (name: string): Promise<string> =>
		new TextDecoder().decode(await workspace.fs.readFile(uriOf(name)));

	it('tells links from files and folders, wherever they lead', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.writeFileSync(path.join(folder, 'file'), 'abc');
		fs.mkdirSync(path.join(folder, 'folder'));
		for (const [name, target] of [
			['toFile', 'file'],
			['toFolder', 'folder'],
			['toNothing', 'nothing'],
			['toDevice', '/dev/zero'],
		] as const) {
			fs.symlinkSync(target, path.join(folder, name));
		}
		const { File, Directory, Unknown, SymbolicLink } = FileType;
		assert.deepEqual(await Promise.all(['file', 'folder', 'toFile', 'toFolder', 'toNothing', 'toDevice'].map(typeOf)), [
			File,
			Directory,
			File | SymbolicLink,
			Directory | SymbolicLink,
			Unknown | SymbolicLink,
			Unknown | SymbolicLink,
		]);
		assert.equal((await workspace.fs.stat(uriOf('toFile'))).size, 3);
		fs.writeFileSync(path.join(folder, 'folder', 'inner'), '');
		assert.equal(await typeOf('toFolder/inner'), File, 'only the last part of a path is looked at');
	});

	it('names what is wrong', async () => {
		assert.equal(await codeOf(workspace.fs.stat(uriOf('nothing'))), 'FileNotFound');
		assert.equal(await codeOf(workspace.fs.readFile(uriOf('nothing'))), 'FileNotFound');
		assert.equal(await codeOf(workspace.fs.stat(uriOf('no/where'))), 'FileNotFound');
		fs.mkdirSync(path.join(folder, 'folder'));
		assert.equal(await codeOf(workspace.fs.readFile(uriOf('folder'))), 'FileIsADirectory');
		fs.writeFileSync(path.join(folder, 'a'), '');
		fs.writeFileSync(path.join(folder, 'b'), '');
		assert.equal(await codeOf(workspace.fs.rename(uriOf('a'), uriOf('b'))), 'FileExists');
	});

	it('writes files, with the folders above them, and puts one in the place of another', async () => {
		await workspace.fs.writeFile(uriOf('x/y/file'), new TextEncoder().encode('one'));
		await workspace.fs.writeFile(uriOf('x/y/file'), new TextEncoder().encode('two'));
		assert.equal(await textOf('x/y/file'), 'two');
		fs.writeFileSync(path.join(folder, 'other'), 'three');
		await workspace.fs.rename(uriOf('other'), uriOf('x/y/file'), { overwrite: true });
		assert.deepEqual([await textOf('x/y/file'), fs.existsSync(path.join(folder, 'other'))], ['three', false]);
	});

	it('reads and writes URIs', () => {
		const uri = Uri.parse('file:///w/my%20project/%C3%A4%23?a%3Db#c');
		assert.deepEqual(
			[uri.scheme, uri.authority, uri.path, uri.query, uri.fragment],
			['file', '', '/w/my project/ä#', 'a=b', 'c'],
		);
		assert.equal(uri.toString(), 'file:///w/my%20project/%C3%A4%23?a%3Db#c');
		assert.equal(Uri.joinPath(uri, '..', 'x', './y').path, '/w/my project/x/y');
		assert.equal(Uri.parse('untitled:/tmp/a').toString(), 'untitled:/tmp/a');
		assert.equal(Uri.parse('mcp-test://host/a(b)').toString(), 'mcp-test://host/a%28b%29');
		assert.equal(Uri.file('/a b/c').with({ scheme: 'untitled' }).toString(), 'untitled:/a%20b/c');
	});
}
