/**
 * Running tools in the real workbench: forms, documents of arguments and time-outs. One workbench is opened for all tests,
 * because opening one takes most of the time.
 */
import * as assert from 'node:assert/strict';
import type { Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure, pressLens } from './support.js';
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

		for (const tool of ['no-schema', 'invalid-schema', 'recursive-schema']) {
			it(`runs a tool with ${tool}`, async () => {
				const frame = await runs.run(tool);
				assert.equal(await frame.locator('.block pre').textContent(), '{}');
			});
		}

		it('searches a form of five hundred fields', async () => {
			await runs.choose('500-properties');
			await bench.quickInput().fill('p499');
			await runs.fill('p499', 'last');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: '{"p499":"last"}' }).waitFor();
		});

		it('runs a tool with an unreadable name', async () => {
			await runs.choose('\uFFFD\uFFFD\uFFFD');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: 'A name nobody can read.' }).waitFor();
			assert.equal(await bench.resultFrame().locator('h1').textContent(), '\uFFFD\uFFFD\uFFFD · results');
		});

		it('finds one among ten thousand tools', async () => {
			await bench.clickAction(bench.row('crowd'), 'Start Server');
			await bench.row('crowdRunning').waitFor();
			await runs.choose('tool-9876', 'crowd');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: 'tool-9876' }).waitFor();
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

		it('goes on while the person waits', async () => {
			await runs.begin('silent');
			const toast = await bench.notification("results: silent hasn't responded for 1 s.");
			await bench.press(toast, 'Wait');
			const progress = await bench.notification(/results: silent: /);
			await bench.press(progress, 'Cancel');
			await progress.waitFor({ state: 'detached' });
			await bench.resultFrame().locator('h1', { hasText: 'silent' }).waitFor();
			await bench.resultFrame().locator('.status.cancelled', { hasText: 'Canceled' }).waitFor();
		});

		it('starts the time again with each progress', async () => {
			await runs.begin('steps');
			await bench.notification(/results: steps: .*\d of 8 · "digging"/);
			await bench.resultFrame().locator('.block pre', { hasText: 'dug' }).waitFor();
			assert.deepEqual(
				(await bench.notifications()).filter(it => it.includes("steps hasn't responded")),
				[],
			);
		});
	});

	describe('with a document of arguments', () => {
		before(() => runs.tidy());

		const problems = (): Promise<string | null> =>
			bench.page.locator('.part.statusbar [id="status.problems"] a').getAttribute('aria-label');
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
			bench.click(bench.page.locator('.editor-actions .action-label[aria-label^="Run Tool with These Arguments"]'));

		it("opens one for arguments that fields can't hold, with the schema of the tool", async () => {
			await runs.choose('nested');
			await bench.page.locator('.tab', { hasText: 'nested.json' }).waitFor();
			await bench.page.getByText('Run nested on results').waitFor();
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

		it('asks before it sends arguments that break the schema', async () => {
			await write({ where: { bed: 'south' }, plants: [{ kind: 'oak' }] });
			await eventually('the squiggle', async () => assert.match((await problems()) ?? '', /1 Warning|Warnings: 1/i));
			await runButton();
			const toast = await bench.notification("The arguments don't match the tool's input schema at /plants/0/kind");
			await bench.screenshot('arguments-2-broken');
			await bench.press(toast, 'Run Anyway');
			await bench.pick('Allow Once');
			await bench.resultFrame().locator('.block pre', { hasText: '"oak"' }).waitFor();
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

		it('goes from the form to a document and back', async () => {
			await runs.choose('flat');
			await bench.answer('south');
			await bench.pick('depth');
			await eventually('the question', async () =>
				assert.match((await bench.readQuickInput()).message, /^depth (?:—|\()/),
			);
			await bench.quickInput().fill('deep');
			await bench.click(bench.page.locator('.quick-input-widget .action-label[aria-label^="Edit as JSON"]'));
			await eventually('the document', async () => {
				const text = await editorText(bench);
				assert.match(text, /"bed": "south"/);
				assert.match(text, /"depth": "deep"/, 'what does not fit is not lost');
			});
			await eventually('the new arguments', async () => {
				// The document's first selection may be made a moment after its text is there, and undo this one.
				await bench.page.keyboard.press('Control+A');
				await bench.page.keyboard.insertText('{ "bed": "west", "depth": 3, "password": "sesame", "more": [1] }');
				assert.doesNotMatch(await editorText(bench), /south/);
			});
			await pressLens(bench, 'Return to Form', bench.quickInput());
			await eventually('the form', async () => {
				assert.deepEqual((await bench.readQuickInput()).items.slice(0, 3), [
					'bed *, "west"',
					'depth, 3',
					'password, ••••••',
				]);
			});
			await bench.screenshot('arguments-4-form');
			await bench.pick('Run');
			// The document gave the arguments: the sheet shows all of them.
			await bench.pick('Allow Once');
			await bench
				.resultFrame()
				.locator('.block pre', { hasText: '{"bed":"west","depth":3,"password":"sesame","more":[1]}' })
				.waitFor();
			await bench.click(bench.tab('flat.json'));
			await closeSaved();
		});

		it('remembers the last arguments except secrets', async () => {
			await bench.page.reload();
			await bench.whenReady();
			await bench.openView('MCP Workbench');
			await runs.start();
			await runs.choose('flat');
			await bench.click(bench.page.locator('.quick-input-widget .action-label[aria-label^="Use Last Arguments"]'));
			await eventually('the form', async () => {
				assert.deepEqual((await bench.readQuickInput()).items.slice(0, 3), [
					'bed *, "west"',
					'depth, 3',
					'password, Left out',
				]);
			});
			await bench.dismiss();
		});
	});
});
