import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { clock, setClock } from '../../../../src/base/clock.js';
import { AbortError } from '../../../../src/base/errors.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { LockError, LockFiles } from '../../../../src/editor/storage/lockFiles.js';
import { LinkedFileError } from '../../../../src/editor/documents/unlinkedFiles.js';
import { textLimits, type Tool } from '../../../../src/mcp/index.js';
import type { WrittenLocks } from '../../../../src/core/approvals/approver.js';
import { WindowClosingError } from '../../../../src/core/servers/closing.js';
import { findLocked } from '../../../../src/core/approvals/toolLock.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { makeFolder, workspace } from '../../../support/vscodeDouble.js';
import { skip } from '../../../support/skip.js';

const definition = { id: 'w#garden', name: 'garden' } as ServerDefinition;
const tool: Tool = { name: 'water', inputSchema: {} };

for (const isReplaced of [false, true]) {
	describe(`Locks, of files that are ${isReplaced ? 'replaced' : 'written in place'}`, () => {
		const { own, later } = leakCheck();
		let folder: string;
		let file: string;
		let changed: Emitter<void>;
		let locks: LockFiles;
		beforeEach(() => {
			folder = makeFolder();
			file = path.join(folder, '.vscode', 'mcp-lock.json');
			changed = own(new Emitter<void>());
			locks = own(new LockFiles({ fileOf: () => vscode.Uri.file(file), onDidChangeFile: changed.event, isReplaced }));
		});
		afterEach(() => fs.rmSync(folder, { recursive: true }));

		const lockTool = (name: string, more: Partial<Tool> = {}): Promise<WrittenLocks> =>
			locks.lock(definition, [{ ...tool, ...more, name }], 'Be kind.');
		const files = (): string[] => fs.readdirSync(path.dirname(file));

		it('lock several tools at once, say what they wrote, and tell of it', async () => {
			setClock({ ...clock, now: () => Date.UTC(2026, 10, 27, 12) });
			later(async () => setClock());
			let changes = 0;
			own(locks.onDidChange(() => changes++));
			const written = await Promise.all(['c', 'a', 'b'].map(it => lockTool(it)));
			assert.deepEqual(
				written.map(it => it.added),
				[['c'], ['a'], ['b']],
			);
			assert.equal(written[0]?.file, vscode.Uri.file(file).toString());
			assert.deepEqual((await lockTool('a', { title: 'A' })).added, []);
			const lock = await locks.read(definition);
			assert.ok(lock.kind === 'read');
			assert.deepEqual(Object.keys(lock.lock['garden']?.tools ?? {}), ['a', 'b', 'c']);
			assert.deepEqual(findLocked(lock.lock, 'garden', { ...tool, name: 'a' }), {
				tool: { title: 'A', inputSchema: {} },
				instructions: 'Be kind.',
				lockedOn: '2026-11-27',
			});
			assert.equal(changes, 4);
			changed.fire();
			assert.equal(changes, 5, 'what others write counts too');
			assert.deepEqual(files(), ['mcp-lock.json']);
		});

		it('lock nothing for a call that was given up while another lock was written', async () => {
			const call = new AbortController();
			const first = lockTool('a');
			const second = locks.lock(definition, [{ ...tool, name: 'b' }], undefined, call.signal);
			call.abort();
			await assert.rejects(second, AbortError);
			await first;
			const lock = await locks.read(definition);
			assert.deepEqual(lock.kind === 'read' && Object.keys(lock.lock['garden']?.tools ?? {}), ['a']);
		});

		it('read a file again when it has changed, and parse the same text once', async () => {
			await lockTool('a');
			const first = await locks.read(definition);
			assert.equal(await locks.read(definition), first);
			fs.writeFileSync(file, '');
			assert.deepEqual(await locks.read(definition), { kind: 'read', lock: {} });
		});

		it('write nothing over what cannot be read', async () => {
			await lockTool('a');
			for (const text of ['{', `{ "version": 1, "servers": ${'['.repeat(100_000)}`]) {
				fs.writeFileSync(file, text);
				assert.equal((await locks.read(definition)).kind, 'broken');
				await assert.rejects(lockTool('d'), { name: 'LockError', problem: 'unreadable' });
				assert.equal(fs.readFileSync(file, 'utf8'), text);
			}
			fs.rmSync(file);
			fs.mkdirSync(file);
			assert.equal((await locks.read(definition)).kind, 'broken', 'what cannot be read allows nothing');
			await assert.rejects(lockTool('d'), LockError);
		});

		it('write nothing that would not be read again', async () => {
			let deep = {};
			for (let depth = 0; depth < 20_000; depth++) {
				deep = { deep };
			}
			await assert.rejects(lockTool('deep', { inputSchema: deep }), { problem: 'definition' });
			const two = [tool, { ...tool, name: 'deep', inputSchema: deep }];
			await assert.rejects(locks.lock(definition, two, undefined), { problem: 'definition' });
			const large = { inputSchema: { x: 'x'.repeat(1_000_000) } };
			await locks.lock(
				definition,
				Array.from({ length: 16 }, (_, at) => ({ ...tool, ...large, name: `${at}` })),
				undefined,
			);
			await assert.rejects(lockTool('one too many', large), { problem: 'fileTooLarge' });
			const fill = (length: number): Promise<WrittenLocks> =>
				lockTool('last', { inputSchema: { x: 'x'.repeat(length) } });
			await fill(0);
			const most = textLimits.lockFile - fs.statSync(file).size;
			await assert.rejects(fill(most + 1), { problem: 'fileTooLarge' });
			await fill(most);
			assert.equal((await locks.read(definition)).kind, 'read');
		});

		it('follow no link', async function () {
			if (process.platform === 'win32') {
				skip(this, 'links need a right on Windows that few have');
			}
			fs.mkdirSync(path.dirname(file));
			fs.symlinkSync(path.join(folder, 'profile'), file);
			assert.deepEqual((await locks.read(definition)).kind, 'broken');
			await assert.rejects(lockTool('a'), LockError);
			assert.deepEqual(fs.readdirSync(folder), ['.vscode']);
		});

		it('follow no link that is put there while they write', async function () {
			if (process.platform === 'win32') {
				skip(this, 'links need a right on Windows that few have');
			}
			fs.mkdirSync(path.dirname(file));
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
			try {
				await assert.rejects(lockTool('a'), LinkedFileError);
			} finally {
				workspace.fs = real;
			}
			assert.deepEqual(fs.readdirSync(folder), ['.vscode']);
		});

		it(`are ${isReplaced ? 'renamed over the file before' : 'never gone for programs that watch them'}`, async () => {
			await lockTool('a');
			const { fs: real } = workspace;
			let renames = 0;
			workspace.fs = { ...real, rename: (...args) => (renames++, real.rename(...args)) };
			try {
				await lockTool('b');
			} finally {
				workspace.fs = real;
			}
			assert.equal(renames, isReplaced ? 1 : 0);
		});

		it('leave no half of a file where it cannot be written', async () => {
			await lockTool('a');
			const text = fs.readFileSync(file, 'utf8');
			const { fs: real } = workspace;
			const fails = (): Promise<never> => Promise.reject(vscode.FileSystemError.NoPermissions('read-only'));
			workspace.fs = isReplaced ? { ...real, rename: fails } : { ...real, writeFile: fails };
			try {
				await assert.rejects(lockTool('b'), vscode.FileSystemError);
			} finally {
				workspace.fs = real;
			}
			assert.equal(fs.readFileSync(file, 'utf8'), text);
			assert.deepEqual(files(), ['mcp-lock.json']);
			assert.deepEqual((await lockTool('b')).added, ['b'], 'one that failed does not stop the next');
		});

		it('say nothing once the editor has hung up: what cannot be read then is not broken', async () => {
			const { fs: real } = workspace;
			workspace.fs = { ...real, stat: () => Promise.reject(new vscode.CancellationError()) };
			try {
				await assert.rejects(locks.read(definition), WindowClosingError);
				await assert.rejects(lockTool('a'), WindowClosingError);
			} finally {
				workspace.fs = real;
			}
		});
	});
}
