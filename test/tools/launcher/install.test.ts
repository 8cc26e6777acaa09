import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installOnce } from '../../host/install.js';

describe('installOnce', () => {
	let root = '';
	let options = {};
	beforeEach(() => {
		root = fs.mkdtempSync(path.join(os.tmpdir(), 'install-'));
		options = { root, report: () => {} };
	});
	afterEach(() => {
		fs.rmSync(root, { recursive: true });
	});

	it('installs once for all who ask at the same time', async () => {
		let runs = 0;
		const install = async (target: string): Promise<void> => {
			runs++;
			await delay(20);
			fs.writeFileSync(path.join(target, 'file'), 'complete');
		};
		const folders = await Promise.all([1, 2, 3].map(() => installOnce('thing', install, options)));
		assert.equal(runs, 1);
		assert.deepEqual(new Set(folders), new Set([path.join(root, 'thing')]));
		assert.deepEqual(fs.readdirSync(root), ['thing']);
		assert.equal(fs.readFileSync(path.join(root, 'thing', 'file'), 'utf8'), 'complete');
	});

	it('leaves nothing that looks installed when it fails, and begins anew', async () => {
		await assert.rejects(installOnce('thing', installHalf, options), /no network/);
		assert.equal(fs.existsSync(path.join(root, 'thing')), false);
		await installOnce('thing', async () => {}, options);
		assert.deepEqual(fs.readdirSync(root), ['thing']);
		assert.deepEqual(fs.readdirSync(path.join(root, 'thing')), []);
	});

	it('takes over the lock of a process that is dead', async () => {
		const { pid } = spawnSync(process.execPath, ['--version']);
		fs.writeFileSync(path.join(root, 'thing.lock'), String(pid));
		await installOnce('thing', async () => {}, options);
		assert.deepEqual(fs.readdirSync(root), ['thing']);
	});
});

async function installHalf(target: string): Promise<void> {
	fs.writeFileSync(path.join(target, 'half'), '');
	return Promise.reject(new Error('no network'));
}
