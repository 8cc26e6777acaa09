/** The history of calls: seen, filtered, made again, compared, cleared; there again after a reload. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

describe('the history of calls', function () {
	this.timeout(240_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);
	before(async () => {
		bench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'busy') });
		await bench.openView('MCP Workbench');
		await bench.row('many').waitFor();
	});
	after(() => bench.dispose());

	const history = (it: Workbench): ReturnType<Workbench['view']> => it.view('History');

	async function runTool(it: Workbench, tool: string): Promise<void> {
		await it.runTool(it.row(`${tool} (title)`, it.view('Servers')));
	}

	/** Tool and end of each line, without the time. */
	async function lines(it: Workbench): Promise<string[]> {
		return (await it.rows(history(it))).map(({ text }) => text.replace(/ · [^·]*$/, '').replace(/\d+ ms/, 'N ms'));
	}

	it('lists what was called, runs it again, compares two results and forgets them', async () => {
		const it = bench;
		await it.click(history(it).locator('.pane-header'));
		await history(it).getByText('No calls yet').waitFor();
		await it.screenshot('history-1-empty');
		await it.clickAction(it.row('many'), 'Start Server');
		await it.toggle(it.row('Tools6'));
		await runTool(it, 'list-plants');
		await eventually('the call', async () =>
			assert.deepEqual(await lines(it), ['list-plants (title) · list-plants many · N ms']),
		);
		await it.clickAction(it.row('list-plants', history(it)), 'Run Again');
		await eventually('the second', async () =>
			assert.deepEqual(await lines(it), [
				'list-plants (title) · list-plants many · N ms',
				'list-plants (title) · list-plants many · N ms',
			]),
		);
		await runTool(it, 'read-notes');
		await eventually('the failure', async () =>
			assert.deepEqual(await lines(it), [
				'read-notes (title) · read-notes many · Tool failed',
				'list-plants (title) · list-plants many · N ms',
				'list-plants (title) · list-plants many · N ms',
			]),
		);
		await it.screenshot('history-2-calls');

		await it.click(it.row('list-plants', history(it)));
		await eventually('the call', async () => {
			const text = await editorText(it);
			assert.match(
				text,
				/^list-plants \(title\) · list-plants · many\nTime: .*\nCaller: You\nDecision: Started by you\nOutcome: Done · \d+ ms\n/,
			);
		});
		await it.screenshot('history-3-call');

		const [first, second] = [it.row('read-notes', history(it)), it.row('list-plants', history(it))];
		await it.click(first);
		await it.click(second, { modifiers: ['ControlOrMeta'] });
		await it.chooseFromMenu(second, 'Use History Entry…');
		await it.pick('Compare Results…');
		await it.page.locator('.tab', { hasText: '↔' }).waitFor();
		await it.screenshot('history-4-compared');

		await it.clickAction(history(it), 'Filter History');
		await it.answer('READ');
		await eventually('the filtered', async () =>
			assert.deepEqual(await lines(it), ['read-notes (title) · read-notes many · Tool failed']),
		);
		await it.screenshot('history-5-filtered');
		await it.clickAction(history(it), 'Filter History');
		await it.answer('');
		await eventually('all', async () => assert.equal((await lines(it)).length, 3));

		await it.page.reload();
		await it.whenReady();
		await eventually('all, from the disk', async () => assert.equal((await lines(it)).length, 3));

		await it.runCommand('MCP Workbench: Clear History');
		await it.press(await it.dialog(), 'Clear History');
		await history(it).getByText('No calls yet').waitFor();
		await it.page.reload();
		await it.whenReady();
		await history(it).getByText('No calls yet').waitFor();
	});

	it('can be read in the light', async () => {
		const it = bench;
		await it.runCommand('View: Close All Editors');
		await it.setTheme('light');
		await it.clickAction(it.row('many'), 'Start Server');
		await it.toggle(it.row('Tools6'));
		await runTool(it, 'list-plants');
		await runTool(it, 'read-notes');
		await eventually('the calls', async () => assert.equal((await lines(it)).length, 2));
		await it.screenshot('history-6-light');
	});
});
