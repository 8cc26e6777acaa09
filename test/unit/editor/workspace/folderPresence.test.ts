import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../../src/base/async.js';
import { FolderPresence } from '../../../../src/editor/workspace/folderPresence.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const statMs = 2000;

describe('the presence of workspace folders', () => {
	const { own } = leakCheck();
	const { workspace } = vscode;
	const before = { ...workspace };
	let fired: number;

	beforeEach(() => stopTime(1000));
	afterEach(() => {
		releaseTime();
		Object.assign(workspace, before);
	});

	function create(uris: readonly string[], stat: (uri: vscode.Uri) => Promise<unknown>): FolderPresence {
		Object.assign(workspace, {
			workspaceFolders: uris.map((it, index) => ({ uri: vscode.Uri.parse(it), name: it, index })),
			onDidChangeWorkspaceFolders: () => ({ dispose() {} }),
			fs: { stat },
		});
		const presence = own(new FolderPresence());
		fired = 0;
		own(presence.onDidChange(() => fired++));
		return presence;
	}

	const gone = (): Promise<never> => Promise.reject(vscode.FileSystemError.FileNotFound());

	it('is known of every other folder while one disk does not respond, which is not asked again', async () => {
		const disk = deferred<never>();
		let asked = 0;
		const presence = create(['file:///dead', 'file:///gone'], ({ path }) => {
			asked += path === '/dead' ? 1 : 0;
			return path === '/dead' ? disk.promise : gone();
		});
		for (const _ of [1, 2, 3]) {
			const look = presence.refresh();
			await settled();
			passTime(statMs);
			await look;
		}
		assert.deepEqual([[...presence.missing], asked, fired], [['file:///gone'], 1, 1]);
		disk.reject(vscode.FileSystemError.FileNotFound());
		await settled();
		assert.deepEqual([[...presence.missing], asked, fired], [['file:///dead', 'file:///gone'], 2, 2]);
	});

	it('is no news of a missing folder that is there in two spellings', async () => {
		const presence = create(['file:///gone', 'file:///gone/'], gone);
		await presence.refresh();
		await presence.refresh();
		assert.deepEqual([[...presence.missing], fired], [['file:///gone'], 1]);
	});

	it('is assumed of a folder that cannot be looked at', async () => {
		const presence = create(['file:///x', 'untitled:x'], () => {
			throw new Error('no such provider');
		});
		await presence.refresh();
		assert.deepEqual([[...presence.missing], fired], [[], 0]);
	});
});
