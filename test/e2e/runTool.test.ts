/**
 * Running tools in the real workbench: forms, documents of arguments and time-outs. One workbench is opened for all tests,
 * because opening one takes most of the time.
 */
import * as assert from 'node:assert/strict';
import type { Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure } from './support.js';
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
		it('runs again, and with other arguments', async () => {
			let frame = await runs.run('large');
			await frame.locator('.block .note', { hasText: 'Showing the first 20 KB of 1 MB.' }).waitFor();
			const button = frame.getByRole('button', { name: 'Edit and Run…' });
			await button.click();
			await runs.fill('megabytes', '2');
			await bench.pick('Run');
			frame = bench.resultFrame();
			await frame.locator('.block .note', { hasText: '20 KB of 2 MB.' }).waitFor();
			await frame.locator('h1').evaluate(it => it.setAttribute('data-seen', ''));
			await frame.getByRole('button', { name: 'Run Again' }).click();
			await frame.locator('h1:not([data-seen])').waitFor();
			await frame.locator('.block .note', { hasText: '20 KB of 2 MB.' }).waitFor();
		});

		it('shows the beginning of 100 MB at once', async () => {
			const frame = bench.resultFrame();
			await frame.getByRole('button', { name: 'Edit and Run…' }).click();
			await runs.fill('megabytes', '100');
			await bench.pick('Run');
			await frame.locator('.block .note', { hasText: '20 KB of 100 MB.' }).waitFor();
			await frame.locator('.block').getByRole('button', { name: 'Open in Editor' }).click();
			const toast = await bench.notification('The content is too large for an editor (100 MB).');
			await toast.locator('.monaco-button', { hasText: 'Save…' }).waitFor();
		});

		it('keeps what was typed when the server ends during the call', async () => {
			await runs.choose('dies');
			await runs.fill('why', 'because');
			await bench.pick('Run');
			const frame = bench.resultFrame();
			await frame.locator('.status', { hasText: 'Failed · ' }).waitFor();
			assert.match((await frame.locator('.failure > p').textContent()) ?? '', /closed|exited|ended/);
			await frame.getByRole('button', { name: 'Edit and Run…' }).click();
			await eventually('the form', async () => {
				assert.equal((await bench.readQuickInput()).items[0], 'why, "because"');
			});
			await bench.dismiss();
		});

		it("opens the log at the server's end, which the next start has pushed out of sight", async () => {
			await bench.row('resultsRunning').waitFor();
			await bench.resultFrame().getByRole('button', { name: 'Show Log' }).click();
			await bench.page.locator('.part.panel .view-line', { hasText: 'Ended unexpectedly: exit code 3.' }).waitFor();
			await bench.runCommand('View: Hide Panel');
		});
	});

	describe('with a time-out', () => {
		before(async () => {
			await runs.tidy();
			// It has died, and comes back by itself.
			await bench.row('resultsRunning').waitFor();
		});

		it('cancels the request when the person says so', async () => {
			await runs.begin('silent');
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

	describe('with a document of arguments', () => {
		before(() => runs.tidy());

		const write = async (args: object): Promise<void> => {
			await bench.page.locator('.editor-instance .view-lines').first().click();
			await bench.page.keyboard.press('Control+A');
			await bench.page.keyboard.insertText(
				JSON.stringify({ $schema: 'mcp-workbench-schema:/results/nested.json', ...args }),
			);
		};
		/** Here the editor saves by itself. */
		const closeSaved = async (): Promise<void> => {
			await bench.page.locator('.tab.dirty').waitFor({ state: 'detached' });
			await bench.runCommand('View: Close All Editors');
		};
		const runButton = (): Promise<void> =>
			bench.click(bench.page.locator('.editor-actions .action-label[aria-label^="Use This Text"]'));

		it("opens one for arguments that fields can't hold, with the schema of the tool", async () => {
			await runs.choose('nested');
			await bench.page.locator('.tab', { hasText: 'nested.json' }).waitFor();
			await bench.page.getByText('Run "nested" on "results"').waitFor();
			// It begins with what is required, and the cursor is in the first value.
			await eventually('the beginning', async () => assert.match(await editorText(bench), /"bed": ""/));
			await bench.page.keyboard.type('south');
			await eventually('the value', async () => assert.match(await editorText(bench), /"bed": "south"/));
			await bench.page.keyboard.press('ArrowDown');
			await bench.page.keyboard.press('End');
			await bench.page.keyboard.type(', "');
			await bench.page.keyboard.press('Control+Space');
			const suggestions = bench.page.locator('.suggest-widget.visible .monaco-list-row');
			await suggestions.filter({ hasText: 'plants' }).waitFor();
			await bench.screenshot('arguments-1-document');
			await bench.page.keyboard.press('Escape');
		});

		it('runs the arguments of the document', async () => {
			await write({ where: { bed: 'north' } });
			await runButton();
			// Other extensions can write in it: it is no word of a person.
			await bench.screenshot('arguments-3-asked');
			await bench.pick('Allow Once');
			await bench.resultFrame().locator('.block pre', { hasText: '{"where":{"bed":"north"}}' }).waitFor();
			await bench.screenshot('arguments-3-ran');
			await runs.choose('nested');
			await bench.page.locator('.tab.active', { hasText: 'nested.json' }).waitFor();
			assert.match(await editorText(bench), /north/, 'what was written is not lost');
			await closeSaved();
		});
	});
});
