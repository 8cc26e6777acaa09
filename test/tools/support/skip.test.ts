import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { programPath, projectRoot } from '../../host/paths.js';
import { countsVariable, type SuiteCounts } from '../../support/runMocha.js';

const tests = `
import { skip } from './test/support/skip.js';
describe('a boat', () => {
	it('swims', () => {});
	it('flies', function () { skip(this, 'it has no wings'); });
	it('dives', function () { this.skip(); });
	describe('on land', () => {
		before(function () { skip(this, 'it has no wheels'); });
		it('drives', () => {});
		describe('at night', () => { it('is lit', () => {}); });
	});
});`;

describe('a test that is skipped', () => {
	it('says why: the reason of its own, or of the suite it is in', function () {
		this.timeout(20_000);
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skip-'));
		try {
			const [outfile, counts] = [path.join(folder, 'a.test.js'), path.join(folder, 'counts.jsonl')];
			buildSync({ stdin: { contents: tests, resolveDir: projectRoot }, bundle: true, platform: 'node', outfile });
			const fromOut = path.relative(path.join(projectRoot, 'out'), folder);
			spawnSync(process.execPath, [programPath('mocha'), fromOut], {
				env: { ...process.env, [countsVariable]: counts },
			});
			const { passed, skipped } = JSON.parse(fs.readFileSync(counts, 'utf8')) as SuiteCounts;
			assert.equal(passed, 1);
			assert.deepEqual(
				skipped.map(it => `${it.title}: ${it.reason}`),
				[
					'a boat flies: it has no wings',
					'a boat dives: no reason was given',
					'a boat on land drives: it has no wheels',
					'a boat on land at night is lit: it has no wheels',
				],
			);
		} finally {
			fs.rmSync(folder, { recursive: true });
		}
	});
});
