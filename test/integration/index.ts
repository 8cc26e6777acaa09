// What the extension host runs (`extensionTestsPath`): the suites of one window, see `test/host/suites.ts`.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { isOfBuiltInExtension } from '../support/builtInErrors.js';
import { runMocha } from '../support/runMocha.js';
import { passedVariable, type SuiteInWindow, suitesVariable } from '../support/suiteInWindow.js';
import { hearActivation } from './activation.js';
import { SharedWindow } from './window.js';

/** Ends with the first suite that fails: it may have left anything, and what follows has another window. */
export async function run(): Promise<void> {
	hearActivation();
	const suites: SuiteInWindow[] = JSON.parse(process.env[suitesVariable] ?? '[]');
	const window = suites.some(it => it.fixture !== undefined) ? new SharedWindow() : undefined;
	for (const { name, folder, files, fixture } of suites) {
		console.log(`--- ${name}`);
		const failed = await runMocha({
			folder: path.join(__dirname, folder),
			recursive: false,
			files,
			grep: process.env['MCP_WORKBENCH_TEST_GREP'],
			timeout: 60_000,
			isForeign: isOfBuiltInExtension,
			...(window &&
				fixture !== undefined && {
					hooks: { beforeAll: () => window.fill(fixture), afterAll: () => window.empty() },
				}),
		});
		if (failed > 0) {
			throw new Error(`${failed} failed`);
		}
		fs.appendFileSync(process.env[passedVariable] ?? '', `${name}\n`);
	}
}
