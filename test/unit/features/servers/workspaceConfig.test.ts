/** Configuration files on a disk that doesn't respond: other places don't wait for it. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import type { ConfigSource, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { DemoState } from '../../../../src/features/servers/demoState.js';
import { WorkspaceConfig } from '../../../../src/features/servers/workspaceConfig.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const readMs = 5000;

describe('WorkspaceConfig', () => {
	const { own } = leakCheck();
	const { workspace, languages } = vscode;
	const before = { workspace: { ...workspace }, languages: { ...languages } };
	/** Resolves when the disk of the folder "slow" responds. */
	let slow: Deferred<void>;
	let reads: number;
	let config: WorkspaceConfig;
	/** The names of all servers, at each change. */
	let told: string[];

	beforeEach(() => {
		stopTime(1_000_000);
		slow = deferred();
		reads = 0;
		told = [];
		const noEvent = (): vscode.Disposable => ({ dispose: () => undefined });
		const watcher = { onDidCreate: noEvent, onDidChange: noEvent, onDidDelete: noEvent, dispose: () => undefined };
		const folder = (name: string): vscode.WorkspaceFolder => {
			return { uri: vscode.Uri.parse(`file:///${name}`), name, index: 0 };
		};
		Object.assign(workspace, {
			workspaceFolders: [folder('slow'), folder('fast')],
			createFileSystemWatcher: () => watcher,
			onDidSaveTextDocument: noEvent,
			fs: {
				stat: async ({ path }: vscode.Uri) => {
					if (!path.endsWith('/.vscode/mcp.json')) {
						throw vscode.FileSystemError.FileNotFound();
					}
					return { type: vscode.FileType.File, size: 10, ctime: 0, mtime: 0 };
				},
				readFile: async ({ path }: vscode.Uri) => {
					const [, name = ''] = path.split('/');
					if (name === 'slow') {
						reads++;
						await slow.promise;
					}
					return Buffer.from(JSON.stringify({ servers: { [name]: { command: 'x' } } }));
				},
			},
		});
		Object.assign(languages, {
			createDiagnosticCollection: () => ({ set: () => undefined, delete: () => undefined, dispose: () => undefined }),
			onDidChangeDiagnostics: noEvent,
			getDiagnostics: () => [],
		});
		config = own(new WorkspaceConfig(undefined));
		own(config.onDidChange(all => told.push(all.map(it => it.name).join())));
	});
	afterEach(() => {
		releaseTime();
		for (const key of ['createFileSystemWatcher', 'onDidSaveTextDocument']) {
			Reflect.deleteProperty(workspace, key);
		}
		Object.assign(workspace, before.workspace);
		Object.assign(languages, before.languages);
	});

	const pass = async (ms: number): Promise<void> => {
		await settled();
		passTime(ms);
		await settled();
	};

	it('servers of other folders are listed while the disk of one folder does not respond', async () => {
		const watched = config.watch();
		await pass(readMs - 1);
		assert.deepEqual(told, []);
		await pass(1);
		await watched;
		assert.deepEqual(told, ['fast']);
	});

	it('a disk that does not respond is read once, and its servers are listed when it responds', async () => {
		void config.watch();
		await pass(readMs);
		for (let time = 0; time < 3; time++) {
			void config.watch();
			await pass(0);
		}
		assert.deepEqual([told, reads], [['fast', 'fast', 'fast', 'fast'], 1]);
		slow.resolve();
		await settled();
		await pass(0);
		assert.deepEqual([told.at(-1), reads], ['slow,fast', 2]);
	});

	it('the demo server is marked, because it is in no file', async () => {
		slow.resolve();
		const entry = { command: 'node', args: ['demo.js'] };
		const isDemo = ({ name }: ServerDefinition): boolean => name === 'demo';
		const demo = { isAdded: true, entry, isDemo, onDidChange: () => ({ dispose: () => undefined }) };
		const other = own(new WorkspaceConfig(demo as unknown as DemoState));
		const sources: ConfigSource[] = [];
		own(other.onDidChange(all => sources.push(...all.map(it => it.source))));
		await other.watch();
		assert.deepEqual(
			sources.map(it => it.kind === 'userSettings' && it.isDemo),
			[false, false, true],
		);
	});
});
