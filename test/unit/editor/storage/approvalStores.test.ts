/** Stores of approvals. Links to open documents are tested in `test/integration`. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import { createFile, openCurrent } from '../../../../src/editor/documents/fileEdit.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { ApprovedTools, type ApprovedToolsDeps } from '../../../../src/features/approvals/approvedTools.js';
import { Policies } from '../../../../src/features/approvals/policies.js';
import { LinkedFileError } from '../../../../src/editor/documents/repositoryFiles.js';
import type { Grant } from '../../../../src/core/approvals/approval.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { skip } from '../../../support/skip.js';

describe('stores of approvals', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-approval-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	function definition(): ServerDefinition {
		const folderUri = vscode.Uri.file(path.join(folder, 'w')).toString();
		return { name: 'garden', source: { kind: 'vscodeFolder', folderUri } } as unknown as ServerDefinition;
	}

	describe('through a symbolic link', () => {
		const inFolder = (...parts: string[]): string => path.join(folder, ...parts);
		const storage = (): { globalStorageUri: vscode.Uri; storageUri: undefined } => {
			return { globalStorageUri: vscode.Uri.file(inFolder('storage')), storageUri: undefined };
		};
		const valid = JSON.stringify({ version: 1, servers: {} });

		const names = ['mcp-lock.json', 'mcp-policy.json', 'mcp.json'];

		/** What a repository can contain instead of our files or their folder. */
		const rows: readonly (readonly [what: string, make: () => void])[] = [
			['to a file elsewhere', () => names.forEach(it => link(inFolder('elsewhere'), it, true))],
			['to a file that is not there', () => names.forEach(it => link(inFolder('nothing'), it))],
			['to a file in the same folder', () => names.forEach(it => link('other.json', it, true))],
			['to a device', () => names.forEach(it => link('/dev/zero', it))],
			['to itself', () => names.forEach(it => link(it, it))],
			[
				'of the whole folder',
				() => {
					fs.mkdirSync(inFolder('elsewhere'));
					linkFolder();
				},
			],
			['of the whole folder, to one that is not there', linkFolder],
		];

		function linkFolder(): void {
			fs.rmdirSync(inFolder('w', '.vscode'));
			fs.symlinkSync(inFolder('elsewhere'), inFolder('w', '.vscode'));
		}

		function link(target: string, name: string, isThere = false): void {
			if (isThere) {
				fs.writeFileSync(path.resolve(inFolder('w', '.vscode'), target), valid);
			}
			fs.symlinkSync(target, inFolder('w', '.vscode', name));
		}

		/** Every file below the folder with its text, links left alone. */
		function texts(): Record<string, string> {
			const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
			const regular = files.filter(it => fs.lstatSync(inFolder(it)).isFile());
			return Object.fromEntries(regular.map(it => [it, fs.readFileSync(inFolder(it), 'utf8')]));
		}

		for (const [what, make] of rows) {
			it(`are neither read nor written: ${what}`, async function () {
				if (process.platform === 'win32') {
					skip(this, 'links need a right on Windows that few have');
				}
				fs.mkdirSync(inFolder('w', '.vscode'), { recursive: true });
				make();
				const before = texts();
				const state = new EditorState({ get: () => undefined } as unknown as vscode.Memento);
				const onDidChangeFile: ApprovedToolsDeps['onDidChangeFile'] = () => ({ dispose() {} });
				const approved = new ApprovedTools({ state, userState: state, onDidChangeFile });
				const tool = { name: 'water', description: '$(touch ran)', inputSchema: {} };
				assert.equal((await approved.compare(definition(), tool, undefined, true)).lock, 'unreadable');
				await assert.rejects(approved.updateLock(definition(), [tool], undefined));
				assert.deepEqual(await new Policies(storage()).ofDefinition(definition()), { kind: 'broken' });
				for (const name of ['mcp-policy.json', 'mcp.json']) {
					const uri = vscode.Uri.file(inFolder('w', '.vscode', name));
					await assert.rejects(createFile(uri, 'x'), what === 'to itself' ? vscode.FileSystemError : LinkedFileError);
					await assert.rejects(openCurrent(uri), what === 'to itself' ? vscode.FileSystemError : LinkedFileError);
				}
				assert.deepEqual(texts(), before, 'nothing was written anywhere');
				approved.dispose();
			});
		}
	});

	it('keep answers that last, without those of a session', async () => {
		const kept = new Map<string, unknown>();
		const memento = {
			get: (key: string) => kept.get(key),
			update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
		} as unknown as vscode.Memento;
		const state = new EditorState(memento);
		const grants = new WorkspaceGrants<Grant>(state, 'grants');
		assert.deepEqual(grants.list(), []);
		const grant = (decision: Grant['decision'], lasts: Grant['lasts']): Grant => {
			return { id: crypto.randomUUID(), decision, serverId: 's', tools: { water: 'f' }, lasts, time: 1 };
		};
		await grants.add(grant('allow', 'session'));
		await grants.add(grant('deny', 'workspace'));
		for (let count = 0; count < 1000; count++) {
			await grants.add({ ...grant('allow', 'workspace'), time: count });
		}
		const again = new WorkspaceGrants<Grant>(state, 'grants').list();
		assert.deepEqual([again.length, again[0]?.decision, again[1]?.time], [1000, 'deny', 1], 'a no outlives every yes');
		assert.equal(grants.list().length, 1001);
		grants.dispose();
	});
});
