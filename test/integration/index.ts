// What the extension host runs (`extensionTestsPath`): the tests of one folder, see `test/host/suites.ts`.
import * as path from 'node:path';
import { runMocha } from '../support/runMocha.js';

export async function run(): Promise<void> {
	const { failed } = await runMocha({
		folder: path.join(__dirname, process.env['MCP_WORKBENCH_TEST_SUITE'] ?? ''),
		recursive: false,
		grep: process.env['MCP_WORKBENCH_TEST_GREP'],
		timeout: 60_000,
	});
	if (failed > 0) {
		throw new Error(`${failed} failed`);
	}
}
