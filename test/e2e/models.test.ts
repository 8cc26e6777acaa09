/** A model calls a tool: what the editor shows, what we show, and how a tool is kept from models, in dark and light. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Theme, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('models', function () {
	this.timeout(90_000);
	let workbench: Workbench | undefined;
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	for (const theme of ['dark', 'light'] satisfies Theme[]) {
		it(`are seen at work, asked about, and kept from a tool (${theme})`, async () => {
			const workspace = path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'models');
			const extensions = [path.join(projectRoot, 'test', 'fixtures', 'caller')];
			const env = { MCP_WORKBENCH_PROJECT: projectRoot };
			const it = (workbench = await openWorkbench({ workspace, extensions, env, theme }));
			const statusBar = (text: string): Locator => it.page.locator('.statusbar-item', { hasText: text });
			await it.openView('MCP Workbench');
			await it.clickAction(it.row('garden'), 'Start Server');
			await it.row('Tools4').click();
			await it.runCommand('Fixture: Call as a Model');
			const dialog = await it.dialog();
			// Zero-width spaces keep what looks like an address from becoming a link.
			const asked = ((await dialog.textContent()) ?? '').replaceAll('\u200B', '');
			assert.match(asked, /Call a tool of an MCP server\?/);
			assert.match(asked, /\$\(zap\) \[click\]\(command:fixture\.callEcho\) \*\*b\*\*/);
			await it.screenshot(`models-1-editor-${theme}`);
			await dialog.locator('.monaco-button', { hasText: 'Yes' }).click();
			const toast = await it.notification('garden: water waits for you.');
			await statusBar('garden: water').waitFor();
			await it.screenshot(`models-2-sign-${theme}`);
			await toast.locator('.monaco-button', { hasText: 'Review' }).click();
			await eventually('the sheet', async () => {
				const { items } = await it.readQuickInput();
				assert.ok(items.includes('asked by, a model'), items.join('\n'));
			});
			await it.pick('Allow Once');
			await statusBar('Caller got: ["water",{"bed":').waitFor();
			await statusBar('garden: water').waitFor({ state: 'detached' });
			await it.row('weed').click({ button: 'right' });
			await it.page.locator('.monaco-menu .action-item', { hasText: 'Hide from Models' }).hover();
			await it.page.keyboard.press('Enter');
			await it.row('weedhidden from models').waitFor();
			await it.runCommand('MCP Workbench: Choose Tools for Models…');
			await eventually('the list', async () => assert.equal((await it.readQuickInput()).items.length, 4));
			await it.screenshot(`models-3-choice-${theme}`);
		});
	}
});
