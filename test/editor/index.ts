// What the extension host runs (`extensionTestsPath`): the test files of one window, see `test/editor/windows.ts`.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { hearActivation } from '../integration/activation.js';
import { isOfBuiltInExtension } from '../support/builtInErrors.js';
import { runMocha } from '../support/runMocha.js';
import { filesVariable, passedVariable } from '../support/suiteInWindow.js';
import { putAway } from './support.js';

/** Stops at the first file that fails: what follows runs in a new window. */
export async function run(): Promise<void> {
	hearActivation();
	const files = JSON.parse(process.env[filesVariable] ?? '[]') as string[];
	for (const file of files) {
		console.log(`--- ${file}`);
		const failed = await runMocha({
			folder: path.join(__dirname, path.dirname(file)),
			recursive: false,
			files: [path.basename(file)],
			grep: process.env['MCP_WORKBENCH_TEST_GREP'],
			timeout: 60_000,
			isForeign: isOfBuiltInExtension,
			hooks: { beforeAll: () => Promise.resolve(), afterAll: putAway },
		});
		if (failed > 0) {
			throw new Error(`${failed} failed`);
		}
		fs.appendFileSync(process.env[passedVariable] ?? '', `${file}\n`);
	}
}
