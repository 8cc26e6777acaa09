/** A call that is under way when a window ends: whoever waits for it is told why it comes to nothing. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from '../e2e/support.js';
import { recordedLines } from '../support/recordedLines.js';

describe('a window that closes', function () {
	this.timeout(180_000);
	let bench: Workbench;
	before(async () => {
		bench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'models') });
	});
	after(() => bench.dispose());
	pictureOnFailure(() => bench);

	it('is why the calls of another extension end, and not a rule of the person', async () => {
		const policy = path.join(bench.workspace, '.vscode', 'mcp-policy.json');
		fs.writeFileSync(policy, JSON.stringify({ rules: [{ decision: 'allow' }] }));
		await bench.runCommand('Fixture: Work to the End');
		const file = path.join(bench.workspace, 'ends.jsonl');
		const lines = (): string[] => recordedLines(file);
		await eventually('that they go on', () => assert.deepEqual(lines(), ['It goes on.']));
		await bench.runCommand('Developer: Reload Window');
		const end = ['It ended: cancelled, The window is closing.'];
		await eventually('their end', () => assert.deepEqual(lines().slice(1), end));
		await bench.whenReady();
	});
});
