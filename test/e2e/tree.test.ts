/** A tree that is long and wide: filter, pages, what waits, light and dark, in a narrow window. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

const workspace = path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'busy');
const longName = 'a-server-whose-name-is-far-longer-than-any-side-bar-is-wide-in-practice';

describe('a long tree', function () {
	this.timeout(180_000);
	let workbench: Workbench | undefined;

	const open = async (options: WorkbenchOptions): Promise<Workbench> => {
		workbench = await openWorkbench({ workspace, ...options });
		await workbench.openView('MCP Workbench');
		await workbench.row('many').waitFor();
		return workbench;
	};
	const texts = async (it: Workbench): Promise<string[]> => (await it.rows()).map(row => row.text);
	const message = (it: Workbench): Locator => it.view().locator('.message');
	const statusBar = (it: Workbench): Locator => it.page.locator('.statusbar-item[id$=".servers"]');
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	it('is filtered, counted and paged, and stays as it is while lists change', async () => {
		const it = await open({ theme: 'light' });
		const firstRow = async (): Promise<number | undefined> => (await it.row('many').boundingBox())?.y;
		const top = await firstRow();
		assert.equal((await statusBar(it).innerText()).trim(), '0');
		await it.screenshot('tree-1-stopped');
		await it.clickAction(it.row('dies'), 'Start Server');
		await it.notification('dies failed');
		await it.runCommand('Notifications: Clear All Notifications');
		await it.clickAction(it.row('many'), 'Start Server');
		const groups = ['Tools 6 · ≈ 283 tokens', 'Resources 2,500', 'Templates 0', 'Prompts 1', 'Exposed Folders 1 of 1'];
		const others = ['dies Failed: Exit code 3', `${longName.slice(0, 39)}… Stopped`];
		const whole = ['many Running · 2025-11-25 · stdio', ...groups, ...others];
		await eventually('the groups', async () => assert.deepEqual(await texts(it), whole));
		assert.equal(await firstRow(), top, 'the rows moved under the pointer');
		assert.match((await statusBar(it).getAttribute('class')) ?? '', /warning/);
		assert.deepEqual((await statusBar(it).innerText()).match(/\d+/g), ['1', '1']);
		await it.screenshot('tree-2-running');

		await it.toggle(it.row('Tools'));
		await it.click(it.row('list-plants'));
		await it.page.locator('.tab', { hasText: 'list-plants' }).waitFor();
		await it.runTool(it.row('grow'));
		await eventually('the new tool', async () =>
			assert.ok((await texts(it)).some(line => line.startsWith('Tools 7 ·'))),
		);
		await it.row('grown-6').waitFor();
		const selected = it.view().locator('.monaco-list-row.selected');
		assert.match((await selected.innerText()).replaceAll('\n', ' '), /list-plants/);
		await it.screenshot('tree-3-changed');
		await it.toggle(it.row('Tools'));

		await it.toggle(it.row('Resources'));
		await it.row('many://library2,500').waitFor();
		await it.row('cellar1,500').waitFor();
		await it.screenshot('tree-4-folders');
		await it.toggle(it.row('cellar1,500'));
		await it.click(it.row('book-0.txt'), { button: 'right' });
		await it.page.locator('.monaco-menu').waitFor();
		await it.page.keyboard.press('Escape');
		await it.page.locator('.monaco-menu').waitFor({ state: 'detached' });
		await it.page.keyboard.press('End');
		await it.row(`${longName.slice(0, 39)}…`).waitFor();
		await it.click(it.row('Show 500 more'));
		await it.row('book-1000.txt').waitFor();
		await it.screenshot('tree-4b-more');

		await it.clickAction(it.view(), 'Filter');
		await it.quickInput().fill('plant');
		await eventually('the hits', async () => {
			assert.deepEqual(await texts(it), [
				'many Running · 2025-11-25 · stdio',
				'Tools 1 of 7',
				'list-plants (title) list-plants',
				'Prompts 1 of 1',
				'/tell Tell a story',
			]);
		});
		await eventually('the count', async () => {
			assert.equal(await message(it).innerText(), 'Filter: plant (2 of 2,508)');
		});
		await it.screenshot('tree-5-filter');
		await it.answer('plant xyz');
		const clear = it.view().locator('.monaco-button, a', { hasText: 'Clear Filter' });
		await clear.first().waitFor();
		assert.deepEqual(await texts(it), []);
		await it.screenshot('tree-6-no-hits');
		await it.click(clear.first());
		await it.row('book-0.txt').waitFor();
	});

	it('in the dark, in a narrow window', async () => {
		const it = await open({ viewport: { width: 480, height: 640 }, theme: 'dark' });
		await it.clickAction(it.row('many'), 'Start Server');
		await it.toggle(it.row('Tools'));
		await it.row('Pneumono').waitFor();
		await it.screenshot('tree-8-narrow');
		await it.row('delete_everything').hover();
		await it.ask('MCP Workbench: Filter Servers…');
		await it.quickInput().fill('notes');
		await it.row('Tools2 of 6').waitFor();
		await it.accept();
		await it.screenshot('tree-9-narrow-filter');
	});
});
