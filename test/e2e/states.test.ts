/** What a person sees when there is nothing, when something is wrong, and when trust is missing. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverProcesses } from './support.js';

const workspaces = path.join(projectRoot, 'test', 'fixtures', 'workspaces');

describe('what a person sees', function () {
	this.timeout(60_000);
	let workbench: Workbench | undefined;

	const open = async (options: WorkbenchOptions): Promise<Workbench> => {
		workbench = await openWorkbench({ env: { MCP_WORKBENCH_PROJECT: projectRoot }, ...options });
		await workbench.openView('MCP Workbench');
		return workbench;
	};
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	it('where nothing is configured: what to do next', async () => {
		const it = await open({ workspace: path.join(workspaces, 'unconfigured'), theme: 'light' });
		const button = it.view().locator('.monaco-button', { hasText: 'Open Server Configuration' });
		await button.waitFor();
		await it.screenshot('states-1-welcome');
		await button.click();
		await it.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
		await eventually('something to begin with', async () => {
			assert.match(await it.page.locator('.view-lines').first().innerText(), /my-server/);
		});
		await it.screenshot('states-2-new-configuration');
	});

	it('where servers fail: what happened, and what can be done', async () => {
		const it = await open({ workspace: path.join(workspaces, 'single'), theme: 'light' });
		await it.row('missing').waitFor();
		await it.clickAction(it.row('missing'), 'Start Server');
		const toast = await it.notification('missing failed: command not found: no-such-command-anywhere.');
		assert.deepEqual(await toast.locator('.monaco-button').allTextContents(), [
			'Try Again',
			'Show Log',
			'Edit Configuration',
		]);
		await it.clickAction(it.row('dies'), 'Start Server');
		await it.notification('dies failed: it exited with code 3. It said: "cannot find my key"');
		await it.clickAction(it.row('recorder'), 'Start Server');
		await it.row('Resources').waitFor();
		await it.screenshot('states-3-failures');
		assert.deepEqual(
			(await it.rows()).map(row => row.text),
			[
				'recorder running · 2025-11-25 · stdio',
				'Tools 1',
				'Resources 1',
				'Resource Templates 0',
				'missing failed: command not found: no-such-command-anywhere',
				'dies failed: it exited with code 3',
				'lost stopped',
				'unknown stopped',
				'silent stopped',
				'remote stopped',
			],
		);

		await toast.locator('.monaco-button', { hasText: 'Edit Configuration' }).click();
		await it.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
		await eventually('the place', async () => {
			assert.match((await it.page.locator('.statusbar-item', { hasText: 'Ln ' }).textContent()) ?? '', /^Ln 9,/);
		});
		await it.runCommand('Problems: Focus on Problems View');
		await it.page.locator('.markers-panel .monaco-list-row', { hasText: 'must be an array of strings' }).waitFor();
		await it.screenshot('states-4-problems');
	});

	it('where the workspace is not trusted: why nothing starts, and it comes to life with trust', async () => {
		const it = await open({ workspace: path.join(workspaces, 'restricted'), workspaceTrust: true });
		await it.row('recorder').waitFor();
		assert.deepEqual(
			(await it.rows()).map(row => row.text),
			['recorder needs trust'],
		);
		assert.deepEqual(serverProcesses(it), []);
		await it.clickAction(it.row('recorder'), 'Manage Workspace Trust');
		await it.screenshot('states-5-untrusted');
		await it.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
		await eventually('a server that can be started', async () => {
			assert.deepEqual(
				(await it.rows()).map(row => row.text),
				['recorder stopped'],
			);
		});
	});

	it('in a narrow window', async () => {
		const it = await open({ workspace: path.join(workspaces, 'single'), viewport: { width: 480, height: 640 } });
		await it.row('recorder').waitFor();
		await it.clickAction(it.row('recorder'), 'Start Server');
		await it.row('Resources').waitFor();
		await it.screenshot('states-6-narrow');
	});
});
