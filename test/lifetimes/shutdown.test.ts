/** However the editor ends, no server process is left behind, though these end only when they are made to. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { MachineOptions } from '../host/machine.js';
import { projectRoot } from '../host/paths.js';
import { spawn } from 'node:child_process';
import { copyWorkspace } from '../host/runIntegration.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, extensionLog, pictureOnFailure, serverProcesses } from '../e2e/support.js';
import { recordedLines } from '../support/recordedLines.js';

describe('shutting down', function () {
	this.timeout(180_000);
	let workbench: Workbench;
	const fixture = path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'stubborn');

	async function open(machine?: MachineOptions): Promise<void> {
		workbench = await openWorkbench({ workspace: fixture, ...(machine && { machine }) });
		await workbench.openView('MCP Workbench');
		for (const server of ['polite', 'lingering', 'stubborn']) {
			await workbench.clickAction(workbench.row(server), 'Start Server');
			await workbench.row(`${server}Running`).waitFor();
		}
		assert.equal(serverProcesses(workbench).length, 3);
	}

	/** In good order: the one that listens was told by the end of its stdin, not killed. */
	const allEnd = async (): Promise<void> => {
		await eventually('the end of all servers', () => assert.deepEqual(serverProcesses(workbench), []));
		const heard = recordedLines(path.join(workbench.workspace, 'recorder.jsonl'));
		assert.equal(heard.at(-1), '{"ended":"stdin"}');
	};

	afterEach(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	it('ends every server when the window is reloaded', async () => {
		await open();
		await workbench.runCommand('Developer: Reload Window');
		await allEnd();
	});

	it('ends every server when the window is closed', async () => {
		await open();
		await workbench.page.close({ runBeforeUnload: true });
		await allEnd();
	});

	it('ends the processes that a killed extension host has left, and no others', async () => {
		await open();
		const isStubborn = (it: { command: string }): boolean => it.command.includes('stubborn.mjs');
		const [orphan] = serverProcesses(workbench).filter(isStubborn);
		assert.ok(orphan);
		const other = await workbench.openBeside(copyWorkspace(fixture, workbench.machine.newFolder()));
		await other.openView('MCP Workbench');
		await other.clickAction(other.row('stubborn'), 'Start Server');
		await other.row('stubbornRunning').waitFor();
		const theirs = serverProcesses(workbench).find(it => isStubborn(it) && it.pid !== orphan.pid);
		assert.ok(theirs && theirs.parent !== orphan.parent);
		// The same command, but nobody's server.
		const foreign = spawn('node', [path.join(projectRoot, 'test', 'fixtures', 'servers', 'stubborn.mjs')]);
		try {
			process.kill(orphan.parent, 'SIGKILL');
			// The editor starts another extension host by itself, and there the extension.
			await eventually('the end of the orphan', () =>
				assert.deepEqual(
					serverProcesses(workbench).map(it => it.pid),
					[theirs.pid],
				),
			);
			const said = `Ended a server that a killed extension host had left behind: process ${orphan.pid}.`;
			await eventually('a line in the log', () => assert.ok(extensionLog(workbench).includes(said)));
			assert.deepEqual([foreign.exitCode, foreign.signalCode], [null, null]);
		} finally {
			foreign.kill('SIGKILL');
		}
	});

	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		it(`ends every server when the editor gets ${signal}`, async () => {
			await open({});
			process.kill(workbench.server.pid, signal);
			await allEnd();
		});
	}
});
