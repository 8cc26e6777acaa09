/** What the editor's API must do for host files, told as tests: the real editor and the double of unit tests pass them. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { skip } from './skip.js';

type Editor = Pick<
	typeof vscode,
	| 'ConfigurationTarget'
	| 'DataTransfer'
	| 'DataTransferItem'
	| 'FileSystemError'
	| 'FileType'
	| 'TextEditorSelectionChangeKind'
	| 'ThemeColor'
	| 'ThemeIcon'
	| 'TreeItem'
	| 'TreeItemCheckboxState'
	| 'TreeItemCollapsibleState'
	| 'Uri'
	| 'version'
> & {
	readonly workspace: {
		readonly fs: Pick<vscode.FileSystem, 'stat' | 'readFile' | 'readDirectory' | 'writeFile' | 'rename'>;
		readonly getConfiguration: typeof vscode.workspace.getConfiguration;
	};
	readonly env: Pick<typeof vscode.env, 'clipboard'>;
	readonly lm: Pick<typeof vscode.lm, 'selectChatModels'>;
	readonly l10n: Pick<typeof vscode.l10n, 't'>;
};

/** @param editor its settings must have the defaults of `package.json` */
export function checkEditor(editor: Editor): void {
	const { Uri, FileType, FileSystemError, workspace } = editor;
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

	it('rejects a link to itself', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.symlinkSync('toItself', path.join(folder, 'toItself'));
		await assert.rejects(async () => workspace.fs.stat(uriOf('toItself')), FileSystemError);
	});

	it("lists a folder, with the type of each link's target", async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.writeFileSync(path.join(folder, 'file'), '');
		fs.mkdirSync(path.join(folder, 'folder'));
		fs.symlinkSync('folder', path.join(folder, 'toFolder'));
		const entries = await workspace.fs.readDirectory(Uri.file(folder));
		const { File, Directory, SymbolicLink } = FileType;
		assert.deepEqual(Object.fromEntries(entries), {
			file: File,
			folder: Directory,
			toFolder: Directory | SymbolicLink,
		});
		assert.equal(await codeOf(workspace.fs.readDirectory(uriOf('nothing'))), 'FileNotFound');
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

	it('gives the default of a setting, and the value that the user has set', async () => {
		const section = (): vscode.WorkspaceConfiguration => workspace.getConfiguration('mcpWorkbench');
		const preset = section().inspect('requestTimeout')?.defaultValue;
		assert.equal(typeof preset, 'number');
		const { Global } = editor.ConfigurationTarget;
		try {
			for (const value of [7, 'many', undefined]) {
				await section().update('requestTimeout', value, Global);
				const { key, defaultValue, globalValue } = section().inspect('requestTimeout') ?? {};
				assert.deepEqual([key, defaultValue, globalValue], ['mcpWorkbench.requestTimeout', preset, value]);
				const whole = workspace.getConfiguration(undefined, null);
				assert.deepEqual(
					[section().get('requestTimeout'), whole.get('mcpWorkbench.requestTimeout')],
					[value ?? preset, value ?? preset],
				);
			}
			assert.deepEqual([section().get('none'), section().get('none', 3)], [undefined, 3]);
		} finally {
			await section().update('requestTimeout', undefined, Global);
		}
	});

	it('has the parts of tree items', () => {
		const { ThemeIcon, ThemeColor, TreeItem, TreeItemCheckboxState, TreeItemCollapsibleState } = editor;
		const { Keyboard, Mouse, Command } = editor.TextEditorSelectionChangeKind;
		assert.deepEqual([Keyboard, Mouse, Command], [1, 2, 3]);
		const { id, color } = new ThemeIcon('flame', new ThemeColor('charts.red'));
		assert.deepEqual([id, color?.id], ['flame', 'charts.red']);
		assert.deepEqual([ThemeIcon.File.id, ThemeIcon.Folder.id], ['file', 'folder']);
		const { None, Collapsed, Expanded } = TreeItemCollapsibleState;
		assert.deepEqual(
			[None, Collapsed, Expanded, TreeItemCheckboxState.Unchecked, TreeItemCheckboxState.Checked],
			[0, 1, 2, 0, 1],
		);
		const { label, collapsibleState, tooltip } = new TreeItem('garden', Expanded);
		assert.deepEqual([label, collapsibleState, tooltip], ['garden', Expanded, undefined]);
	});

	it('stores dragged data by MIME type, ignoring case', async () => {
		const data = new editor.DataTransfer();
		assert.equal(data.get('text/uri-list'), undefined);
		data.set('text/URI-list', new editor.DataTransferItem('a:b\r\nc:d'));
		data.set('application/json', new editor.DataTransferItem({ a: 1 }));
		assert.equal(await data.get('text/uri-list')?.asString(), 'a:b\r\nc:d');
		assert.equal(await data.get('application/json')?.asString(), '{"a":1}');
	});

	it('reads the text that was written to the clipboard', async () => {
		for (const text of ['Two\nlines, \u{1F600} ä\u202E', 'nothing']) {
			await editor.env.clipboard.writeText(text);
			assert.equal(await editor.env.clipboard.readText(), text);
		}
	});

	it('replaces the placeholders of a message, and keeps those without a value', () => {
		const { t } = editor.l10n;
		assert.equal(t('{0} of {1}: {0}, {2}', 'a{1}', 0), 'a{1} of 0: a{1}, {2}');
	});

	it('has a version', () => assert.match(editor.version, /^1\.\d+\.\d+/));

	it('has no language models of an unknown vendor', async () => {
		assert.deepEqual(await editor.lm.selectChatModels({ vendor: 'mcp-workbench-nobody' }), []);
	});
}
