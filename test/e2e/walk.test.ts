/**
 * The first five minutes of a person with the demo workspace, in the real workbench: start a real
 * server, browse it, open a resource, run tools, answer for a call that someone else makes.
 */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';

describe('a walk through the demo', function () {
	this.timeout(60_000);
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({ workspace: path.join(projectRoot, 'demo'), inPlace: true });
	});

	after(() => workbench.dispose());

	it('lists the configured servers and starts nothing by itself', async () => {
		await workbench.openView('MCP Workbench');
		await workbench.row('everything').waitFor();
		await workbench.screenshot('walk-1-servers');
		assert.deepEqual(
			(await workbench.rows()).map(it => it.text),
			['everything stopped', 'filesystem stopped'],
		);
	});

	it('starts a server and shows what it offers', async () => {
		await workbench.clickAction(workbench.row('everything'), 'Start Server');
		await workbench.row('Prompts').waitFor();
		await workbench.row('Tools').click();
		await workbench.row('Echo').waitFor();
		await workbench.screenshot('walk-2-running');
		assert.deepEqual((await workbench.rows()).map(it => it.text).slice(0, 3), []);
	});
});
