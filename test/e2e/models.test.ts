/** A model calls a tool: the editor's confirmation, our sheet, and tools hidden from models, in dark and light. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('models', function () {
	this.timeout(180_000);
	let bench: Workbench;
	before(async () => {
		bench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'models') });
	});
	after(() => bench.dispose());
	pictureOnFailure(() => bench);

	const statusBar = (text: string): Locator => bench.page.locator('.statusbar-item', { hasText: text });
	const picture = (name: string): Promise<void> =>
		bench.screenshots(['dark', 'light'], theme => `models-${name}-${theme}`);

	it('are seen at work, asked about, and kept from a tool', async () => {
		const it = bench;
		await it.openView('MCP Workbench');
		await it.clickAction(it.row('garden'), 'Start Server');
		await it.toggle(it.row('Tools4'));
		await it.runCommand('Fixture: Call as a Model');
		const dialog = await it.dialog();
		// Zero-width spaces keep what looks like an address from becoming a link.
		const asked = ((await dialog.textContent()) ?? '').replaceAll('\u200B', '');
		assert.match(asked, /Call a tool of an MCP server\?/);
		assert.match(asked, /\$\(zap\) \[click\]\(command:fixture\.callEcho\) \*\*b\*\*/);
		await picture('1-editor');
		await it.press(dialog, 'Yes');
		const toast = await it.notification('A model wants to run water on garden');
		await statusBar('garden: water').waitFor();
		await picture('2-sign');
		await it.press(toast, 'Review');
		await eventually('the sheet', async () => {
			const { items } = await it.readQuickInput();
			assert.ok(items.includes('Caller, Model, About this call'), items.join('\n'));
		});
		await it.pick('Allow Once');
		await statusBar('Caller got: ["water",{"bed":').waitFor();
		await statusBar('garden: water').waitFor({ state: 'detached' });
		// One click shows the list, another turns a tool off, and Enter writes it.
		await it.clickAction(it.row('Tools'), 'Choose Tools…');
		await eventually('the list', async () => assert.equal((await it.readQuickInput()).items.length, 4));
		const total = async (): Promise<number> => Number(/≈ (\d+) tokens/.exec((await it.readQuickInput()).title)?.[1]);
		const before = await total();
		await it.click(it.page.locator('.quick-input-list .monaco-list-row', { hasText: 'weed' }));
		await eventually('a smaller total', async () => assert.ok((await total()) < before));
		await picture('3-choice');
		await it.page.keyboard.press('Enter');
		await it.notification('Written to .vscode/settings.json.');
		await it.row('Tools4 · 1 off · ≈').waitFor();
		await picture('4-off');
	});
});
