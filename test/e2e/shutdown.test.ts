/** However the editor ends, no server process is left behind, though these end only when they are made to. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverProcesses } from './support.js';

describe('shutting down', function () {
	this.timeout(60_000);
	let workbench: Workbench;

	beforeEach(async () => {
		workbench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'stubborn'),
			env: { MCP_WORKBENCH_PROJECT: projectRoot },
		});
		await workbench.openView('MCP Workbench');
		for (const server of ['polite', 'lingering', 'stubborn']) {
			await workbench.clickAction(workbench.row(server), 'Start Server');
			await workbench.row(`${server}running`).waitFor();
		}
		assert.equal(serverProcesses(workbench).length, 3);
	});

	/** In good order: the one that listens was told by the end of its stdin, not killed. */
	const allEnd = async (): Promise<void> => {
		await eventually('the end of all servers', () => assert.deepEqual(serverProcesses(workbench), []));
		const heard = fs.readFileSync(path.join(workbench.workspace, 'recorder.jsonl'), 'utf8').trim().split('\n');
		assert.equal(heard.at(-1), '{"ended":"stdin"}');
	};

	afterEach(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	it('ends every server when the window is reloaded', async () => {
		await workbench.runCommand('Developer: Reload Window');
		await allEnd();
	});

	it('ends every server when the window is closed', async () => {
		await workbench.page.close({ runBeforeUnload: true });
		await allEnd();
	});

	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		it(`ends every server when the editor gets ${signal}`, async () => {
			process.kill(workbench.server.pid, signal);
			await allEnd();
		});
	}
});
