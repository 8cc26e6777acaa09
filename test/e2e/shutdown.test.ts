/** However the editor ends, no server process is left behind. The server here ends only when it is made to. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverProcesses } from './support.js';

describe('shutting down', function () {
	this.timeout(60_000);
	let workbench: Workbench;

	// server-everything goes on when its stdin is closed: it takes the whole sequence to end it.
	beforeEach(async () => {
		workbench = await openWorkbench({ workspace: path.join(projectRoot, 'demo'), inPlace: true });
		await workbench.openView('MCP Workbench');
		for (const server of ['everything', 'filesystem']) {
			await workbench.clickAction(workbench.row(server), 'Start Server');
			await workbench.row(`${server}running`).waitFor();
		}
		assert.equal(serverProcesses(workbench).length, 2);
	});

	afterEach(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	it('ends every server when the window is reloaded', async () => {
		await workbench.runCommand('Developer: Reload Window');
		await eventually('the end of all servers', () => assert.deepEqual(serverProcesses(workbench), []));
	});

	it('ends every server when the window is closed', async () => {
		await workbench.page.close({ runBeforeUnload: true });
		await eventually('the end of all servers', () => assert.deepEqual(serverProcesses(workbench), []));
	});

	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		it(`ends every server when the editor gets ${signal}`, async () => {
			process.kill(workbench.server.pid, signal);
			await eventually('the end of all servers', () => assert.deepEqual(serverProcesses(workbench), []));
		});
	}
});
