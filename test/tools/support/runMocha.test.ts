import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../../host/paths.js';
import { countsVariable, type SuiteCounts } from '../../support/runMocha.js';

const runner = `
import { runMocha } from './test/support/runMocha.js';
const [folder, fails] = process.argv.slice(2);
const afterAll = () => fails === 'fails' ? Promise.reject(new Error('it does not end')) : Promise.resolve();
void runMocha({ folder, recursive: false, timeout: 1000, hooks: { beforeAll: () => Promise.resolve(), afterAll } })
	.then(failed => process.exit(failed));
`;

describe('a hook of a whole folder', () => {
	it('fails the folder by its name, until it passes in another run', function () {
		this.timeout(20_000);
		// Below `out`, where the runner finds mocha.
		const folder = fs.mkdtempSync(path.join(projectRoot, 'out', 'boats-'));
		try {
			const [outfile, counts] = [path.join(folder, 'runner.js'), path.join(folder, 'counts.jsonl')];
			const options = { bundle: true, platform: 'node', packages: 'external' } as const;
			buildSync({ ...options, stdin: { contents: runner, resolveDir: projectRoot }, outfile });
			fs.writeFileSync(path.join(folder, 'a.test.js'), `describe('a boat', () => { it('swims', () => {}); });`);
			const run = (how: string): { readonly code: number | null; readonly ofHooks: SuiteCounts | undefined } => {
				fs.rmSync(counts, { force: true });
				const env = { ...process.env, [countsVariable]: counts };
				const { status: code } = spawnSync(process.execPath, [outfile, folder, how], { env });
				const lines = fs.readFileSync(counts, 'utf8').trim().split('\n');
				const all = lines.map(it => JSON.parse(it) as SuiteCounts);
				assert.equal(all.find(it => it.suite === 'a boat')?.passed, 1);
				return { code, ofHooks: all.find(it => it.file === folder) };
			};
			const failed = run('fails');
			assert.equal(failed.code, 1);
			assert.equal(failed.ofHooks?.failed, 1);
			assert.match(failed.ofHooks.failures.join(), /^boats-\w+: "after all" hook: afterAll .*\n.*it does not end/);
			const passed = run('passes');
			assert.deepEqual([passed.code, passed.ofHooks?.suite, passed.ofHooks?.failed], [0, failed.ofHooks.suite, 0]);
		} finally {
			fs.rmSync(folder, { recursive: true });
		}
	});
});
