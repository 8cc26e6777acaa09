import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { ApprovedTools } from '../../../../src/features/approvals/approvedTools.js';
import { LinkedFileError } from '../../../../src/editor/documents/repositoryFiles.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { textLimits, type Tool } from '../../../../src/mcp/index.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { WindowClosingError } from '../../../../src/core/servers/closing.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { makeFolder, workspace } from '../../../support/vscodeDouble.js';
import { skip } from '../../../support/skip.js';

const tool: Tool = { name: 'water', description: 'Waters.', inputSchema: {} };
const changed: Tool = { ...tool, description: 'Drowns.' };

describe('kept definitions of tools', () => {
	const { own } = leakCheck();
	let folder: string;
	let file: string;
	let definition: ServerDefinition;
	let fileChanged: Emitter<void>;
	let ofWorkspace: Map<string, unknown>;
	let ofAll: Map<string, unknown>;
	let approved: ApprovedTools;

	beforeEach(() => {
		folder = makeFolder();
		file = path.join(folder, '.vscode', 'mcp-lock.json');
		const folderUri = vscode.Uri.file(folder).toString();
		const source = { kind: 'vscodeFolder', uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName: 'w' };
		definition = { id: 'w#garden', name: 'garden', source } as ServerDefinition;
		fileChanged = own(new Emitter<void>());
		[ofWorkspace, ofAll] = [new Map(), new Map()];
		approved = own(make());
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	function make(): ApprovedTools {
		const [state, userState] = [stateOf(ofWorkspace), stateOf(ofAll)];
		return new ApprovedTools({ state, userState, onDidChangeFile: fileChanged.event });
	}

	function stateOf(values: Map<string, unknown>): EditorState {
		return new EditorState({
			get: (key: string) => values.get(key),
			update: async (key: string, value: unknown) => void values.set(key, JSON.parse(JSON.stringify(value))),
		} as unknown as vscode.Memento);
	}

	async function states(it: Tool = tool, isFresh = true): Promise<string[]> {
		const { state, lock, ran } = await approved.compare(definition, it, 'Be kind.', isFresh);
		return [state, lock, ran];
	}

	const update = (...tools: Tool[]): Promise<vscode.Uri | undefined> =>
		approved.updateLock(definition, tools, 'Be kind.');

	it('are stored in the state of the workspace for each tool that ran', async () => {
		let changes = 0;
		own(approved.onDidChange(() => changes++));
		assert.deepEqual(await states(), ['new', 'new', 'new']);
		await approved.accept(definition, tool, 'Be kind.');
		assert.deepEqual(
			[await states(), await states(changed)],
			[
				['same', 'new', 'same'],
				['changed', 'new', 'changed'],
			],
		);
		const again = own(make());
		const other = { ...definition, id: 'w#other' };
		assert.equal((await again.compare(definition, tool, 'Be kind.', true)).ran, 'same');
		assert.equal((await again.compare(other, tool, 'Be kind.', true)).ran, 'new');
		await approved.accept(other, changed, undefined);
		assert.deepEqual(await states(), ['same', 'new', 'same']);
		assert.deepEqual([changes, Object.keys(ofWorkspace.get('ranTools') as object)], [2, ['w#garden', 'w#other']]);
		assert.equal(fs.existsSync(file), false, 'a call writes no lock file');
	});

	it("of the person's own servers are those of all windows, and have no lock file", async () => {
		const source = { ...definition.source, kind: 'userSettings' };
		definition = { ...definition, source } as unknown as ServerDefinition;
		await approved.accept(definition, tool, 'Be kind.');
		assert.deepEqual([ofWorkspace.size, ofAll.size, await states(changed)], [0, 1, ['changed', 'new', 'changed']]);
		assert.equal(await update(tool), undefined);
	});

	it('of another form count as none, and are replaced', async () => {
		for (const value of [5, { 'w#garden': { tools: [] } }, { 'w#garden': { tools: { water: 5 } } }]) {
			ofWorkspace.set('ranTools', value);
			assert.deepEqual(await states(), ['new', 'new', 'new']);
			await approved.accept(definition, tool, 'Be kind.');
			assert.deepEqual(await states(), ['same', 'new', 'same']);
		}
	});

	it('do not include definitions that are too large to compare', async () => {
		await approved.accept(definition, { ...tool, description: 'x'.repeat(2_000_000) }, undefined);
		assert.equal(ofWorkspace.size, 0);
	});

	it('in the lock file are written only on request, and read again when the file has changed', async () => {
		assert.equal((await update(tool, { ...tool, name: 'dig' }))?.fsPath, file);
		assert.deepEqual(await states(), ['same', 'same', 'new']);
		assert.deepEqual(await states(changed), ['changed', 'changed', 'new']);
		await approved.accept(definition, changed, 'Be kind.');
		assert.deepEqual(await states(changed), ['changed', 'changed', 'same']);
		await update(changed);
		assert.deepEqual(await states(changed), ['same', 'same', 'same']);
		const text = fs.readFileSync(file, 'utf8');
		assert.match(text, /"dig"[^]*Drowns\./);
		fs.writeFileSync(file, '');
		assert.deepEqual(await states(changed, false), ['same', 'same', 'same'], 'as it is known');
		assert.deepEqual(await states(changed), ['same', 'new', 'same']);
		fs.writeFileSync(file, text);
		fileChanged.fire();
		assert.deepEqual(await states(changed, false), ['same', 'same', 'same']);
	});

	it('list the tools that have changed, also if only the instructions changed', async () => {
		await update(changed);
		const weed: Tool = { name: 'weed', inputSchema: {} };
		assert.deepEqual(await approved.listChanged(definition, [tool, weed], 'Be kind.'), ['water']);
		assert.deepEqual(await approved.listChanged(definition, [tool, weed], undefined), ['water', 'weed']);
	});

	it('are not written over an unreadable file', async () => {
		await update(tool);
		for (const text of ['{', `{ "version": 1, "servers": ${'['.repeat(100_000)}`]) {
			fs.writeFileSync(file, text);
			assert.deepEqual(await states(), ['unreadable', 'unreadable', 'new']);
			await assert.rejects(update(tool), { message: "The lock file can't be read." });
			assert.equal(fs.readFileSync(file, 'utf8'), text);
		}
		fs.rmSync(file);
		fs.mkdirSync(file);
		assert.deepEqual(await states(), ['unreadable', 'unreadable', 'new']);
	});

	it('are not written if they could not be read again', async () => {
		const large = (name: string): Tool => ({ name, inputSchema: { x: 'x'.repeat(1_000_000) } });
		await update(...Array.from({ length: 16 }, (_, at) => large(String(at))));
		const { size } = fs.statSync(file);
		assert.ok(size < textLimits.lockFile);
		await assert.rejects(update(large('one too many')), { message: 'The lock file would be too large.' });
		assert.equal(fs.statSync(file).size, size);
	});

	it('follow no link, even if it is created during the write', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		const { fs: real } = workspace;
		let stats = 0;
		workspace.fs = {
			...real,
			stat: async uri => {
				// The folder and the file before it is read, and the file itself.
				if (++stats === 4) {
					fs.symlinkSync(path.join(folder, 'profile'), file);
				}
				return real.stat(uri);
			},
		};
		fs.mkdirSync(path.dirname(file));
		try {
			await assert.rejects(update(tool), LinkedFileError);
		} finally {
			workspace.fs = real;
		}
		assert.deepEqual(await states(), ['unreadable', 'unreadable', 'new']);
		assert.deepEqual(fs.readdirSync(folder), ['.vscode']);
	});

	it('do not count as broken while the window closes', async () => {
		const { fs: real } = workspace;
		workspace.fs = { ...real, stat: () => Promise.reject(new vscode.CancellationError()) };
		try {
			await assert.rejects(states(), WindowClosingError);
			await assert.rejects(update(tool), WindowClosingError);
		} finally {
			workspace.fs = real;
		}
	});
});
