/** The folders that are exposed to a server: listed, and selected with mouse and keyboard, in light and dark. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { retryAfterMs, persist } from '../host/gestures.js';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('roots', function () {
	this.timeout(180_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);
	after(() => bench.dispose());

	/** Three folders, a running server, and its group open. */
	before(async () => {
		bench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'multiRoot') });
		await persist(async attempt => {
			if (attempt > 0) {
				// Seldom, an editor in a browser opens a workspace file as if there were no folders in it.
				await bench.page.reload();
				await bench.whenReady();
			}
			await bench.openView('MCP Workbench');
			await bench.row('recorder').waitFor({ timeout: 2 * retryAfterMs });
		});
		addThird();
		await bench.clickAction(bench.row('recorder'), 'Start Server');
		await eventually('the folders', async () => assert.ok((await texts(bench)).includes('Exposed Folders 3 of 3')));
		await bench.toggle(bench.row('Exposed Folders'));
		await bench.row('third').waitFor();
	});

	function addThird(): void {
		fs.mkdirSync(path.join(path.dirname(bench.workspace), 'third'));
		fs.writeFileSync(
			bench.workspace,
			JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }, { path: 'third' }] }),
		);
	}

	const texts = async (it: Workbench): Promise<string[]> => (await it.rows()).map(row => row.text);
	const roots = async (it: Workbench): Promise<string[]> => {
		const lines = await texts(it);
		const first = lines.findIndex(line => line.startsWith('Exposed Folders'));
		return lines.slice(first, first + 4);
	};

	const all = ['Exposed Folders 3 of 3', 'first Exposed', 'second Exposed', 'third Exposed'];

	it('are checked and unchecked in the tree, and chosen from a list', async () => {
		const it = bench;
		await it.setTheme('light');
		assert.deepEqual(await roots(it), all);
		await it.screenshot('roots-1-all');
		await it.click(it.row('second').locator('[role="checkbox"], .monaco-custom-toggle').first());
		const without = ['Exposed Folders 2 of 3', 'first Exposed', 'second Not exposed', 'third Exposed'];
		await eventually('the choice', async () => assert.deepEqual(await roots(it), without));
		const saved = (): unknown =>
			(JSON.parse(fs.readFileSync(it.workspace, 'utf8')) as { settings?: Record<string, unknown> }).settings?.[
				'mcpWorkbench.tools'
			];
		await eventually('the setting', () => assert.deepEqual(saved(), { recorder: { roots: ['first', 'third'] } }));

		await it.row('Exposed Folders').hover();
		await it.screenshot('roots-2-chosen');

		await it.ask('MCP Workbench: Server Options…');
		await it.pick('recorder');
		await it.pick('Exposed Folders…');
		await eventually('the list', async () => {
			assert.equal((await it.readQuickInput()).title, 'Exposed folders · recorder');
		});
		await it.screenshot('roots-4-list');
		await it.dismiss();
	});
});
