/** What people need who use no mouse or no screen: keybindings for commands, and names for screen readers. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { OwnWorkspace, pictureOnFailure, titled, unnamed } from './support.js';

const everything = path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('keybindings and names for screen readers', function () {
	this.timeout(120_000);
	const workspace = new OwnWorkspace('keys', 'keys');
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		workspace.write('mcp.json', { servers: { everything: { command: 'node', args: [everything] } } });
		workspace.write('mcp-policy.json', { rules: [{ decision: 'ask', tool: 'get-sum' }] });
		bench = await openWorkbench({ workspace: workspace.folder, inPlace: true });
		// As README has them.
		const uri = 'demo://resource/static/document/features.md';
		const keys = [
			{ key: 'ctrl+alt+1', command: 'mcpWorkbench.resource.open', args: { server: 'everything', uri } },
			{ key: 'ctrl+alt+2', command: 'mcpWorkbench.server.stop', args: { server: 'everything' } },
			{ key: 'ctrl+alt+3', command: 'mcpWorkbench.server.start', args: { server: 'everything' } },
		];
		fs.writeFileSync(path.join(bench.machine.userFolder, 'keybindings.json'), JSON.stringify(keys));
		await bench.open();
		await bench.openView('MCP Workbench');
		await bench.row('everything').waitFor();
	});
	after(async () => {
		fs.rmSync(path.join(bench.machine.userFolder, 'keybindings.json'));
		await bench.dispose();
		workspace.remove();
	});

	it('runs commands with arguments by keybindings', async () => {
		await bench.page.keyboard.press('Control+Alt+3');
		await bench.row('everythingRunning').waitFor();
		await bench.page.keyboard.press('Control+Alt+1');
		await bench.tab('features.md').waitFor();
		await bench.page.keyboard.press('Control+Alt+2');
		await bench.row('everythingStopped').waitFor();
		await bench.page.keyboard.press('Control+Alt+3');
		await bench.row('everythingRunning').waitFor();
	});

	it('has a name for every row, button and field', async () => {
		await bench.row('Tools19').waitFor();
		assert.deepEqual(await unnamed(bench), []);
		for (const { text, label } of await bench.rows()) {
			assert.ok(label.length >= text.trim().length / 2 && label !== '', `${text}: ${label}`);
		}
	});

	it('has a name for everything in the sheet of a call and in its result', async () => {
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.answer('get-sum');
		await bench.field('a').fill('1');
		await bench.field('b').fill('2');
		await bench.field('b').press('Control+Enter');
		await titled(bench, 'Allow "get-sum" on "everything"?');
		assert.deepEqual(await unnamed(bench), []);
		await bench.pick('Allow Once');
		await bench.resultFrame().locator('.status', { hasText: 'Done' }).waitFor();
		assert.deepEqual(await unnamed(bench), []);
	});

	it('counts what runs and what waits in the status bar', async () => {
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.answer('trigger-elicitation-request');
		await bench.row('Pending Requests').waitFor();
		const status = bench.page.locator('.statusbar-item[id$=".servers"]').locator('a').first();
		assert.equal(await status.getAttribute('aria-label'), '1 MCP server is running, 1 request is waiting for you');
	});
});
