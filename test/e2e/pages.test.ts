/**
 * Pages to read, in the real workbench: that they open, post and lead elsewhere. What they show is tested in a bare page
 * (test/pages/page.test.ts).
 */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import type { Theme } from '../host/themes.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, OwnWorkspace, pictureOnFailure } from './support.js';

const server = path.join(projectRoot, 'test', 'fixtures', 'servers', 'changing.mjs');
const allThemes: readonly Theme[] = ['light', 'contrast', 'contrastLight', 'dark'];

describe('pages to read', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('pages', 'garden');
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		workspace.write('mcp.json', {
			servers: {
				garden: { command: 'node', args: [server] },
				missing: { command: 'no-such-command-anywhere', args: ['--port', 'two words'] },
			},
		});
		workspace.write('mcp-policy.json', { rules: [{ decision: 'ask', tool: 'water' }] });
		bench = await openWorkbench({ workspace: workspace.folder, inPlace: true });
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('garden'), 'Start Server');
		await bench.row('gardenRunning').waitFor();
		await bench.toggle(bench.row('Tools'));
		await bench.row('water').waitFor();
	});
	after(async () => {
		await bench.dispose();
		workspace.remove();
	});

	const heading = (name: string): Locator => bench.resultFrame().getByRole('heading', { name, exact: true });
	const press = (name: string): Promise<void> =>
		bench.click(bench.resultFrame().getByRole('button', { name, exact: true }));
	const pictures = (name: string): Promise<void> => bench.screenshots(allThemes, theme => `pages-${name}-${theme}`);

	it('show each tool in a tab of its own', async () => {
		await bench.click(bench.row('weed'));
		await heading('weed').waitFor();
		await bench.click(bench.row('water'));
		await heading('water').waitFor();
		assert.deepEqual(await bench.page.locator('.tab').allTextContents(), ['weed · garden', 'water · garden']);
		await pictures('1-tool');
		await bench.runCommand('View: Close All Editors');
	});

	it('show why a server failed, until the window is loaded again', async () => {
		await bench.clickAction(bench.row('missing'), 'Start Server');
		const toast = await bench.notification('missing failed. Command not found: no-such-command-anywhere.');
		await bench.press(toast, 'Details');
		await heading('Diagnosis of missing').waitFor();
		await pictures('4-failure');
		await press('Edit Configuration');
		await bench.tab('mcp.json').waitFor();
		await bench.runCommand('View: Close Editor');
		// The editor has loaded the hidden page again.
		await heading('Diagnosis of missing').waitFor();
		await bench.page.reload();
		await bench.row('missing').waitFor();
		// Tabs of files that were closed a moment ago may be there again: the editor stores later what is open.
		await eventually('no empty page', async () => {
			const tabs = await bench.page.locator('.tab').allTextContents();
			assert.deepEqual(
				tabs.filter(it => !/^mcp(-policy)?\.json/.test(it)),
				[],
			);
		});
	});
});
