/**
 * The view of results in the real workbench: that it opens, posts and keeps its state. What it shows, and what its buttons
 * do, is tested in a bare page (test/pages/result.test.ts).
 */
import * as assert from 'node:assert/strict';
import type { Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure } from './support.js';
import { ToolRuns } from './toolRuns.js';

describe('the view of a result', function () {
	this.timeout(180_000);
	let runs: ToolRuns;
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		runs = await ToolRuns.open();
		({ bench } = runs);
	});
	after(() => bench.dispose());

	it('opens on the page of each tool', async () => {
		let frame = await runs.run('text');
		await frame.locator('.block pre', { hasText: 'A second block.' }).waitFor();
		frame = await runs.run('media');
		// The editor of these tests reduces motion, so images are drawn at rest.
		await frame.locator('.frame canvas').waitFor();
		await frame.locator('.frame audio').waitFor();
		assert.deepEqual(await bench.page.locator('.tab').allTextContents(), ['text · results', 'media · results']);
	});

	it('keeps what is expanded while its tab is hidden', async () => {
		const frame = await runs.run('structured');
		const tree = frame.getByRole('tree', { name: 'Structured result' });
		await tree.getByText('soil').click();
		const notes = tree.getByText('"Heavy clay; dig in compost before the first frost."');
		await notes.waitFor();
		await bench.click(frame.getByRole('button', { name: 'Open in Editor' }).first());
		await bench.tab('structured.json').waitFor();
		await notes.waitFor({ state: 'hidden' });
		await bench.click(bench.tab('structured · results'));
		await notes.waitFor();
		await bench.runCommand('View: Close All Editors');
	});

	it('opens links and embedded resources in the editor', async () => {
		const frame = await runs.run('links');
		await frame.locator('.block.link').getByRole('button', { name: 'Open in Editor' }).click();
		await bench.tab('south.md').waitFor();
		await eventually('the resource', async () => assert.match(await editorText(bench), /^# The southern bed/));
		await bench.click(bench.tab('links · results'));
		await frame.locator('.block.text').getByRole('button', { name: 'Open in Editor' }).click();
		await bench.tab('spring.md').waitFor();
		await bench.runCommand('View: Close All Editors');
	});
});
