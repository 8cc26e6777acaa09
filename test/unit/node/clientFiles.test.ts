import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { NodeClientFiles } from '../../../src/node/clientFiles.js';

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
		await assert.rejects(files.read(folder), { code: 'EISDIR' });
		const huge = path.join(folder, 'huge');
		fs.writeFileSync(huge, '');
		fs.truncateSync(huge, 60_000_000);
		await assert.rejects(files.read(huge), /60000000 bytes/);
	});

	it('knows the machine', () => {
		const files = new NodeClientFiles();
		assert.deepEqual(
			[files.platform, files.home, files.get('PATH')],
			[process.platform, os.homedir(), process.env['PATH']],
		);
	});
});
