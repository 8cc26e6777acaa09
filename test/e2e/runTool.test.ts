/**
 * Running tools in the real workbench: forms, ends of servers and time-outs. One workbench is opened for all tests,
 * because opening one takes most of the time.
 */
import * as assert from 'node:assert/strict';
import type { Workbench } from '../host/workbench.js';
import { pictureOnFailure } from './support.js';
import { ToolRuns } from './toolRuns.js';

describe('running tools', function () {
	this.timeout(180_000);
	let runs: ToolRuns;
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		runs = await ToolRuns.open();
		({ bench } = runs);
	});
	after(() => bench.dispose());

	describe('with a form', () => {
		it('runs, and again with other arguments', async () => {
			await runs.choose('large');
			await bench.runPage();
			const frame = bench.resultFrame();
			await frame.locator('.block .note', { hasText: 'Showing the first 20 KB of 1 MB.' }).waitFor();
			await bench.field('megabytes').fill('2');
			await bench.field('megabytes').press('Control+Enter');
			await frame.locator('.block .note', { hasText: '20 KB of 2 MB.' }).waitFor();
		});

		it('shows the beginning of 100 MB at once', async () => {
			await bench.runPage({ megabytes: '100' });
			const frame = bench.resultFrame();
			await frame.locator('.block .note', { hasText: '20 KB of 100 MB.' }).waitFor();
			await frame.locator('.block').getByRole('button', { name: 'Open in Editor' }).click();
			const toast = await bench.notification('The content is too large for an editor (100 MB).');
			await toast.locator('.monaco-button', { hasText: 'Save…' }).waitFor();
		});

		it('keeps what was typed when the server ends during the call', async () => {
			await runs.choose('dies');
			await bench.runPage({ why: 'because' });
			const frame = bench.resultFrame();
			await frame.locator('.status', { hasText: 'Failed · ' }).waitFor();
			assert.match((await frame.locator('.failure > p').textContent()) ?? '', /closed|exited|ended/);
			assert.equal(await bench.field('why').inputValue(), 'because');
		});

		it("opens the log at the server's end, which the next start has pushed out of sight", async () => {
			await bench.row('resultsRunning').waitFor();
			await bench.resultFrame().getByRole('button', { name: 'Show Log' }).click();
			await bench.page.locator('.part.panel .view-line', { hasText: 'Ended unexpectedly: exit code 3.' }).waitFor();
			await bench.runCommand('View: Hide Panel');
		});

		it('has fields for nested arguments, also as JSON', async () => {
			await runs.choose('nested');
			const frame = bench.resultFrame();
			await bench.field('bed').fill('north');
			await frame.getByRole('button', { name: 'Edit as JSON' }).click();
			assert.deepEqual(JSON.parse(await bench.field('JSON').inputValue()), { where: { bed: 'north' } });
			await bench.screenshot('arguments-1-json');
			await frame.getByRole('button', { name: 'Edit as Form' }).click();
			await bench.runPage();
			await frame.locator('.block pre', { hasText: '{"where":{"bed":"north"}}' }).waitFor();
		});
	});

	describe('with a time-out', () => {
		before(async () => {
			await runs.tidy();
			// It has died, and comes back by itself.
			await bench.row('resultsRunning').waitFor();
		});

		it('cancels the request when the person says so', async () => {
			await runs.choose('silent');
			const toast = await bench.notification("results: silent hasn't responded for 1 s.");
			await bench.press(toast, 'Cancel Request');
			const frame = bench.resultFrame();
			await frame.locator('.status', { hasText: 'Failed' }).waitFor();
			assert.equal(
				await frame.locator('.failure > p').textContent(),
				'The request failed: No response to tools/call within 1 s.',
			);
		});
	});
});
