// Icons of servers as files: equal icons share a file, and old files are removed.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { IconStore } from '../../../../src/editor/storage/iconStore.js';

describe('the store of icons', () => {
	let storage = '';
	beforeEach(() => {
		storage = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-icons-'));
	});
	afterEach(() => fs.rmSync(storage, { recursive: true }));

	const files = (): string[] => fs.readdirSync(path.join(storage, 'icons')).toSorted();
	const fileOf = (uri: string): string => vscode.Uri.parse(uri).fsPath;
	const save = (text: string, store = new IconStore(vscode.Uri.file(storage))): Promise<string> =>
		store.save(Buffer.from(text), 'image/png');

	it('keeps the same picture once', async () => {
		const store = new IconStore(vscode.Uri.file(storage));
		const first = await save('a', store);
		assert.match(first, /^file:.*\/icons\/[0-9a-f]{64}\.png$/);
		assert.equal(fs.readFileSync(fileOf(first), 'utf8'), 'a');
		assert.equal(await save('a', store), first);
		assert.notEqual(await save('b', store), first);
		assert.equal(files().length, 2);
	});

	it('removes what no server has sent for a month', async () => {
		const [old, used] = [fileOf(await save('old')), fileOf(await save('used'))];
		const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
		fs.utimesSync(old, longAgo, longAgo);
		fs.utimesSync(used, longAgo, longAgo);
		await save('used');
		assert.deepEqual(files(), [path.basename(used)]);
	});
});
