/** The folders that a server is told of: seen, chosen with the mouse and with the keyboard, in light and dark. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Theme, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('roots', function () {
	this.timeout(90_000);
	let workbench: Workbench | undefined;
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	/** Three folders, a running server, and its group open. */
	async function open(theme: Theme): Promise<Workbench> {
		const it = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'multiRoot'),
			env: { MCP_WORKBENCH_PROJECT: projectRoot },
			theme,
		});
		workbench = it;
		await it.openView('MCP Workbench');
		await it.row('recorder').waitFor();
		fs.mkdirSync(path.join(path.dirname(it.workspace), 'third'));
		fs.writeFileSync(
			it.workspace,
			JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }, { path: 'third' }] }),
		);
		await it.clickAction(it.row('recorder'), 'Start Server');
		await eventually('the folders', async () => assert.ok((await texts(it)).includes('Roots 3 of 3 folders')));
		await it.row('Roots').click();
		await it.row('third').waitFor();
		return it;
	}

	const texts = async (it: Workbench): Promise<string[]> => (await it.rows()).map(row => row.text);
	const roots = async (it: Workbench): Promise<string[]> => {
		const lines = await texts(it);
		const first = lines.findIndex(line => line.startsWith('Roots'));
		return lines.slice(first, first + 4);
	};

	it('are checked and unchecked in the tree, and chosen from a list', async () => {
		const it = await open('light');
		assert.deepEqual(await roots(it), ['Roots 3 of 3 folders', 'first exposed', 'second exposed', 'third exposed']);
		await it.screenshot('roots-1-all');
		await it.row('second').locator('[role="checkbox"], .monaco-custom-toggle').first().click();
		const without = ['Roots 2 of 3 folders', 'first exposed', 'second not exposed', 'third exposed'];
		await eventually('the choice', async () => assert.deepEqual(await roots(it), without));
		const saved = (): unknown =>
			(JSON.parse(fs.readFileSync(it.workspace, 'utf8')) as { settings?: Record<string, unknown> }).settings?.[
				'mcpWorkbench.serverOptions'
			];
		await eventually('the setting', () => assert.deepEqual(saved(), { recorder: { roots: ['first', 'third'] } }));

		fs.rmSync(path.join(path.dirname(it.workspace), 'third'), { recursive: true });
		const gone = ['Roots 1 of 3 folders', ...without.slice(1, 3), 'third not found on the disk'];
		await eventually('the folder to go', async () => assert.deepEqual(await roots(it), gone));
		assert.equal(await it.row('third').locator('[role="checkbox"], .monaco-custom-toggle').count(), 0);
		await it.row('Roots').hover();
		await it.screenshot('roots-2-chosen');

		await it.row('recorder').click({ button: 'right' });
		await it.page.locator('.context-view .action-label', { hasText: 'Choose Exposed Folders…' }).waitFor();
		await it.screenshot('roots-3-menu');
		await it.page.keyboard.press('Escape');
		await it.runCommand('MCP Workbench: Choose Exposed Folders…');
		await it.pick('recorder');
		await eventually('the list', async () => {
			assert.equal((await it.readQuickInput()).title, 'Folders to expose · recorder');
		});
		await it.screenshot('roots-4-list');
		await it.page.keyboard.press('Escape');
	});

	it('are reached with the keyboard, in the dark', async () => {
		const it = await open('dark');
		await it.row('second').click();
		await it.page.keyboard.press('Shift+F10');
		await it.page.locator('.context-view .action-label', { hasText: 'Choose Exposed Folders…' }).waitFor();
		await it.page.keyboard.press('ArrowDown');
		await it.page.keyboard.press('Enter');
		await eventually('the list', async () => assert.equal((await it.readQuickInput()).items.length, 3));
		await it.page.keyboard.press('ArrowDown');
		await it.page.keyboard.press('ArrowDown');
		await it.page.keyboard.press('Space');
		await it.screenshot('roots-5-dark');
		await it.page.keyboard.press('Enter');
		await eventually('the choice', async () => assert.ok((await texts(it)).includes('second not exposed')));
		const { label } = (await it.rows()).find(row => row.text.startsWith('second')) ?? {};
		assert.equal(label, 'second, not exposed');
		const box = it.row('second').locator('[role="checkbox"]');
		assert.equal(await box.getAttribute('aria-label'), 'Tell the server of this folder');
		await it.screenshot('roots-6-dark');
	});
});
