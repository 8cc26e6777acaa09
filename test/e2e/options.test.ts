/** Server options, and disabling tools. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('server options', function () {
	this.timeout(180_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);
	before(async () => {
		bench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'busy') });
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('many'), 'Start Server');
		await bench.row('Prompts1').waitFor();
	});
	after(() => bench.dispose());

	it('a tool is disabled and enabled again in its row', async () => {
		const it = bench;
		await it.setTheme('light');
		await it.chooseFromMenu(it.row('many'), 'Server Options…');
		await eventually('the options', async () => assert.equal((await it.readQuickInput()).items.length, 3));
		await it.screenshot('options-5-list-light');
		await it.dismiss();
		await it.toggle(it.row('Tools6'));
		await it.chooseFromMenu(it.row('grow'), 'Enable or Disable Tool');
		await it.row('grow (title)grow · Disabled').waitFor();
		await it.screenshot('options-3-disabled');
		await it.ask('MCP Workbench: Run Tool…');
		await eventually('the tools', async () => {
			const { items } = await it.readQuickInput();
			assert.equal(items[0], 'grow (title), many · grow · Disabled, Does grow.');
			assert.ok(items.some(line => line.startsWith('Start "dies", Shows its tools')));
		});
		await it.screenshot('options-4-tools');
		await it.pick('grow (title)');
		const page = it.resultFrame();
		await page.getByText('The tool is disabled.').first().waitFor();
		await page.getByRole('button', { name: 'Enable', exact: true }).click();
		await page.getByText('The tool is disabled.').first().waitFor({ state: 'hidden' });
		await page.getByRole('button', { name: /^Run/ }).first().click();
		await it.row('grow (title)grow').waitFor();
		await it.row('grown-6').waitFor();
	});
});
