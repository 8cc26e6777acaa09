import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
	assertBoundedFile,
	readBoundedText,
	RefusedFileError,
} from '../../../../src/editor/documents/repositoryFiles.js';
import { skip } from '../../../support/skip.js';

describe('boundedFile', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-'));
	});

	after(() => fs.rmSync(folder, { recursive: true }));

	const uriOf = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder, name));
	const refusal = (name: string): Promise<unknown> =>
		readBoundedText(uriOf(name), 5).then(
			text => text,
			(error: unknown) => (error instanceof RefusedFileError ? error.problem : (error as vscode.FileSystemError).code),
		);

	it('reads regular files up to the limit, also through a link', async () => {
		fs.writeFileSync(path.join(folder, 'fits'), '\uFEFFab');
		fs.writeFileSync(path.join(folder, 'long'), '123456');
		assert.equal(await refusal('fits'), 'ab');
		assert.deepEqual(await refusal('long'), { code: 'tooLarge', maxBytes: 5 });
		assert.deepEqual(await refusal('missing'), 'FileNotFound');
		assert.equal((await assertBoundedFile(uriOf('fits'), 5)).size, 5);
	});

	it('opens no folder, pipe or device, and no link to one', async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has no pipes and devices in its file system');
		}
		execFileSync('mkfifo', [path.join(folder, 'pipe')]);
		fs.symlinkSync('/dev/zero', path.join(folder, 'zero'));
		fs.symlinkSync('pipe', path.join(folder, 'toPipe'));
		fs.symlinkSync('fits', path.join(folder, 'toFits'));
		fs.symlinkSync('nowhere', path.join(folder, 'toNowhere'));
		fs.mkdirSync(path.join(folder, 'inner'));
		const notRegular = { code: 'notRegular' };
		assert.equal(await refusal('toFits'), 'ab');
		for (const name of ['pipe', 'toPipe', 'zero', 'inner', 'toNowhere']) {
			assert.deepEqual(await refusal(name), notRegular, name);
		}
	});

	it('takes a file without a size for empty, as those of /proc are, which may have no end', async function () {
		if (process.platform !== 'linux') {
			skip(this, 'only Linux has such files');
		}
		fs.symlinkSync('/proc/self/status', path.join(folder, 'proc'));
		assert.equal(await refusal('proc'), '');
	});
});
