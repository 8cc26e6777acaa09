/** Pages to read, in the real workbench: what tools are, why calls are asked about, why a server failed. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import type { Theme } from '../host/themes.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, OwnWorkspace, pictureOnFailure, unnamed } from './support.js';

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
	const labels = (): Promise<string[]> => bench.resultFrame().locator('.toolbar .button').allTextContents();
	/** In all themes, and then narrow. */
	const pictures = async (name: string): Promise<void> => {
		assert.deepEqual(await unnamed(bench), []);
		await bench.screenshots(allThemes, theme => `pages-${name}-${theme}`);
		await bench.page.setViewportSize({ width: 760, height: 800 });
		const width = await bench
			.resultFrame()
			.locator('html')
			.evaluate<number, unknown>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
		assert.equal(width, 0, 'nothing is wider than the tab');
		await bench.screenshot(`pages-${name}-narrow`);
		await bench.page.setViewportSize({ width: 1280, height: 800 });
	};

	it('what a server says about a tool, in one tab that takes no focus', async () => {
		await bench.click(bench.row('weed'));
		await heading('weed').waitFor();
		await bench.click(bench.row('water'));
		await heading('water').waitFor();
		assert.deepEqual(await bench.page.locator('.tab').allTextContents(), ['water (details) · garden']);
		assert.notEqual(await bench.page.evaluate('document.activeElement?.tagName'), 'IFRAME');
		assert.deepEqual(await labels(), ['Run Tool…', 'Explain Decision', 'Open as JSON', 'Copy as Text']);
		await pictures('1-tool');
		await press('Run Tool…');
		await eventually('the form', async () => assert.match((await bench.readQuickInput()).message, /^bed/));
		await bench.dismiss();
	});

	it('makes nothing of the words of a server but text', async () => {
		await bench.click(bench.row('[free](command:x)'));
		await bench.resultFrame().locator('h1', { hasText: '$(zap) [free](command:x)' }).waitFor();
		assert.equal(await bench.resultFrame().locator('a, img, .codicon').count(), 0);
		const text = (await bench.resultFrame().locator('body').textContent()) ?? '';
		assert.ok(text.includes('\\u{202e}live') && !text.includes('\u202E'), text);
		await bench.screenshot('pages-2-hostile');
	});

	it('why calls of a tool are asked about; the title has the focus, then the buttons', async () => {
		await bench.click(bench.row('water'));
		await heading('water').waitFor();
		await press('Explain Decision');
		await heading('Decision for water on garden').waitFor();
		await eventually('the focus', async () =>
			assert.equal(await bench.resultFrame().locator('h1:focus').count(), 1, 'is on the title'),
		);
		await bench.page.keyboard.press('Tab');
		assert.equal(await bench.resultFrame().locator('.button:focus').textContent(), 'Open Policy');
		assert.deepEqual(await labels(), ['Open Policy', 'Add Rule…', 'Copy as Text']);
		assert.match((await bench.resultFrame().locator('.decides').textContent()) ?? '', /^First matching rule.* Decides/);
		await pictures('3-decision');
		await press('Open Policy');
		await bench.tab('mcp-policy.json').waitFor();
		await bench.runCommand('View: Close All Editors');
	});

	it('why a server failed, until the window is loaded again', async () => {
		await bench.clickAction(bench.row('missing'), 'Start Server');
		const toast = await bench.notification('missing failed. Command not found: no-such-command-anywhere.');
		await bench.press(toast, 'Details');
		await heading('Diagnosis of missing').waitFor();
		assert.deepEqual(await labels(), ['Edit Configuration', 'Try Again', 'Show Log', 'Copy as Text']);
		await pictures('4-failure');
		await press('Edit Configuration');
		await bench.tab('mcp.json').waitFor();
		await bench.runCommand('View: Close Editor');
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
