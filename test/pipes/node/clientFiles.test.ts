import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { NodeClientFiles } from '../../../src/node/clientFiles.js';
import { skip } from '../../support/skip.js';

describe('NodeClientFiles', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-'));
	});

	after(() => fs.rmSync(folder, { recursive: true }));

	it('tells a file that is not there from one that cannot be read', async () => {
		const files = new NodeClientFiles();
		const file = path.join(folder, 'file.json');
		fs.writeFileSync(file, '\uFEFF{ "ä": 1 }');
		assert.equal(await files.read(file), '{ "ä": 1 }');
		assert.equal(await files.read(path.join(folder, 'missing')), undefined);
		assert.equal(await files.read(path.join(file, 'below a file')), undefined);
		await assert.rejects(files.read(folder), /not a regular file/);
		const huge = path.join(folder, 'huge');
		fs.writeFileSync(huge, '');
		fs.truncateSync(huge, 60_000_000);
		await assert.rejects(files.read(huge), /more than 50000000 bytes/);
	});

	it('lists a folder, and nothing of one that is not there', async () => {
		const files = new NodeClientFiles();
		const place = path.join(folder, 'Packages');
		fs.mkdirSync(path.join(place, 'Claude_x'), { recursive: true });
		assert.deepEqual([await files.list(place), await files.list(path.join(folder, 'missing'))], [['Claude_x'], []]);
	});

	it('reads no device and no pipe, which have no end', async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has neither in its file system');
		}
		const files = new NodeClientFiles();
		const [pipe, zero] = [path.join(folder, 'pipe'), path.join(folder, 'zero')];
		execFileSync('mkfifo', [pipe]);
		fs.symlinkSync('/dev/zero', zero);
		await assert.rejects(files.read(pipe), /not a regular file/);
		await assert.rejects(files.read(zero), /not a regular file/);
	});

	it('takes a file without a size for empty, as those of /proc are', async function () {
		if (process.platform !== 'linux') {
			skip(this, 'only Linux has such files');
		}
		assert.equal(await new NodeClientFiles().read('/proc/self/status'), '');
	});

	it('knows the machine', () => {
		const files = new NodeClientFiles();
		assert.deepEqual(
			[files.platform, files.home, files.get('PATH')],
			[process.platform, os.homedir(), process.env['PATH']],
		);
	});
});
