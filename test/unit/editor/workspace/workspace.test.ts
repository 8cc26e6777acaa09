import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../../src/base/async.js';
import { WorkspaceRoots } from '../../../../src/editor/workspace/workspace.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('workspace folders as roots', () => {
	const { own } = leakCheck();
	const { workspace } = vscode;
	const before = { ...workspace };
	let fired: number;

	beforeEach(() => stopTime(1000));
	afterEach(() => {
		releaseTime();
		Object.assign(workspace, before);
	});

	function create(uris: readonly string[], stat: (uri: vscode.Uri) => Promise<unknown>): WorkspaceRoots {
		Object.assign(workspace, {
			workspaceFolders: uris.map((it, index) => ({ uri: vscode.Uri.parse(it), name: it, index })),
			onDidChangeWorkspaceFolders: () => ({ dispose() {} }),
			fs: { stat },
		});
		const roots = own(new WorkspaceRoots());
		fired = 0;
		own(roots.onDidChange(() => fired++));
		return roots;
	}

	const gone = (): Promise<never> => Promise.reject(vscode.FileSystemError.FileNotFound());
	const listed = (roots: WorkspaceRoots): string[] => roots.list(definition('test')).map(it => it.uri);

	it('are not exposed while they are missing on the disk', async () => {
		let stat: () => Promise<unknown> = gone;
		const roots = create(['file:///a', 'file:///a/'], () => stat());
		assert.deepEqual([listed(roots).length, fired], [2, 0]);
		await roots.refresh();
		await roots.refresh();
		assert.deepEqual([listed(roots), fired], [[], 1]);
		stat = async () => ({ type: vscode.FileType.Directory });
		await roots.refresh();
		assert.deepEqual([listed(roots).length, fired], [2, 2]);
	});

	it('are exposed if their disk does not respond', async () => {
		const disk = deferred<never>();
		const roots = create(['file:///dead', 'file:///gone'], ({ path }) => (path === '/dead' ? disk.promise : gone()));
		const look = roots.refresh();
		await settled();
		passTime(2000);
		await look;
		assert.deepEqual([listed(roots), fired], [['file:///dead'], 1]);
	});

	it('are exposed if they cannot be read', async () => {
		const roots = create(['file:///x', 'untitled:x'], () => {
			throw new Error('no such provider');
		});
		await roots.refresh();
		assert.deepEqual([listed(roots), fired], [['file:///x'], 0]);
	});
});
