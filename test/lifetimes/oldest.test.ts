/** The package in the oldest editor that it claims: what a person does first. The newest is that of every end-to-end test. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { eventually, pictureOnFailure, serverProcesses } from '../e2e/support.js';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';

describe('the package in the oldest editor', function () {
	this.timeout(180_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);
	after(() => bench.dispose());

	it('installs, lists a server, starts it and shows what a tool answers', async () => {
		bench = await openWorkbench({
			machine: { editor: 'oldest', extensions: [] },
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'results'),
		});
		await bench.openView('MCP Workbench');
		await bench.row('results').waitFor();
		assert.deepEqual(serverProcesses(bench), []);
		await bench.clickAction(bench.row('results'), 'Start Server');
		await bench.row('Tools').waitFor();
		assert.equal(serverProcesses(bench).length, 1);
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.page.getByPlaceholder('Select a tool to run').fill('results · text');
		await bench.pick('results · text');
		await eventually('the answer', async () =>
			assert.deepEqual(await bench.resultFrame().locator('.block pre').allTextContents(), [
				'# Notes\n\nShown *as it came*: `markdown` is text here.\n\n- one\n- two',
				'A second block.',
			]),
		);
		await bench.screenshot('oldest');
	});
});
