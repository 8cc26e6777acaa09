// What the extension host runs (`extensionTestsPath`): the tests of one folder, see `test/host/suites.ts`.
import * as path from 'node:path';
import { runMocha } from '../support/runMocha.js';

export async function run(): Promise<void> {
	const failed = await runMocha({
		folder: path.join(__dirname, process.env['MCP_WORKBENCH_TEST_SUITE'] ?? ''),
		recursive: false,
		grep: process.env['MCP_WORKBENCH_TEST_GREP'],
		timeout: 60_000,
		isForeign: isOfBuiltInExtension,
	});
	if (failed > 0) {
		throw new Error(`${failed} failed`);
	}
}

/** It was made by what ships with the editor, such as the debugger of Node. */
function isOfBuiltInExtension(error: unknown): boolean {
	const [frame] = (error instanceof Error ? error.stack : undefined)?.match(/^\s+at .*$/m) ?? [];
	return frame !== undefined && /[\\/]extensions[\\/]ms-vscode\./.test(frame);
}
