/**
 * The view of results, in the real workbench: every kind of content, hostile ones too, light, dark and narrow.
 * Over 600 lines: one workbench is opened for all of it, and opening one is what takes the time.
 */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure, pressLens, unnamed } from './support.js';

describe('the view of a result', function () {
	this.timeout(180_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		bench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'results'),
			settings: {
				'mcpWorkbench.limits.messageSize': 256,
				// What tests type is meant as it stands.
				'editor.autoClosingBrackets': 'never',
				'editor.autoClosingQuotes': 'never',
				'editor.autoSurround': 'never',
				'mcpWorkbench.serverOptions': { results: { toolTimeouts: { silent: 1, steps: 1 } } },
			},
		});
		await bench.openView('MCP Workbench');
		await start();
	});
	after(() => bench.dispose());

	async function start(): Promise<void> {
		await bench.clickAction(bench.row('results'), 'Start Server');
		await bench.row('Tools').waitFor();
	}

	/** What another group of tests has left open would be in the pictures. */
	async function tidy(): Promise<void> {
		await bench.runCommand('View: Close All Editors');
		await bench.runCommand('Notifications: Clear All Notifications');
	}

	/** Runs a tool that needs no arguments, and waits until its result is there. */
	async function run(tool: string, facts: string | RegExp): Promise<FrameLocator> {
		await chooseTool(tool);
		await bench.pick('Run');
		const frame = bench.resultFrame();
		await frame.locator('h1', { hasText: tool.slice(0, 20) }).waitFor();
		await frame.locator('.status', { hasText: facts }).waitFor();
		assert.deepEqual(await unnamed(bench), []);
		return frame;
	}

	async function chooseTool(tool: string, server = 'results'): Promise<void> {
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.page.getByPlaceholder('Select a tool to run').fill(`${server} · ${tool}`);
		// Of ten thousand, those that fit are found a moment later.
		await bench.pick(`${server} · ${tool}`);
		// The list stays until the next question comes, which stands in the same place.
		await bench.page.getByPlaceholder('Select a tool to run').waitFor({ state: 'hidden' });
	}

	/** Gives a field of the review a value; the next input stands in the same place as the list. */
	async function fill(field: string, value: string): Promise<void> {
		await bench.pick(field);
		await eventually('the question', async () =>
			assert.match((await bench.readQuickInput()).message, new RegExp(`^${field} (?:—|\\()`)),
		);
		await bench.answer(value);
		await eventually('the review', async () =>
			assert.ok((await bench.readQuickInput()).items.some(it => it.includes(value))),
		);
	}

	describe('in the dark', () => {
		it('shows texts as they came, and takes no focus', async () => {
			const frame = await run('text', /^Done · \d/);
			assert.deepEqual(await frame.locator('.block pre').allTextContents(), [
				'# Notes\n\nShown *as it came*: `markdown` is text here.\n\n- one\n- two',
				'A second block.',
			]);
			await bench.page.locator('.tab', { hasText: 'text · results' }).waitFor();
			assert.notEqual(await bench.page.evaluate('document.activeElement?.tagName'), 'IFRAME');
			await bench.screenshot('result-1-text');
		});

		it('shows images and sound, without their base64', async () => {
			const frame = await run('media', 'Done');
			// The editor of these tests reduces motion: images are drawn at rest.
			const image = frame.getByRole('img', { name: /^Image · image\/png · / });
			await eventually('the image', async () => {
				assert.equal(await image.evaluate(it => (it as unknown as { width: number }).width), 240);
			});
			assert.equal(await frame.locator('.frame canvas').count(), 1);
			await frame.locator('.frame audio').waitFor();
			await bench.screenshot('result-2-media');
		});

		it('says why an image is not shown', async () => {
			const frame = await run('broken-media', 'Done');
			await eventually('the reasons', async () => {
				assert.deepEqual(await frame.locator('.block p.note').allTextContents(), [
					"The content can't be shown because its base64 data is invalid.",
					"Not shown because the content is image/gif, which doesn't match its type.",
					"Content of this type can't be shown here. Save it to open it in another program.",
					"The editor can't display this content. Save it to open it in another program.",
				]);
			});
			assert.equal(await frame.locator('img').count(), 0);
		});

		it('unfolds what is structured, and says that it is as promised', async () => {
			const frame = await run('structured', 'Done');
			assert.equal(await frame.locator('.check.valid').textContent(), 'Matches the output schema');
			const tree = frame.getByRole('tree', { name: 'Structured result' });
			await tree.getByText('beds').click();
			await tree.getByText('soil').click();
			await tree.getByText('"Heavy clay; dig in compost before the first frost."').waitFor();
			// Not with all that is below it.
			await tree.getByRole('treeitem', { name: 'soil: {3}', exact: true }).waitFor();
			await bench.screenshot('result-3-structured');
		});

		it('is walked through by keyboard, and told to screen readers', async () => {
			const frame = bench.resultFrame();
			const items = frame.getByRole('tree', { name: 'Structured result' }).getByRole('treeitem');
			await items.first().focus();
			const focused = async (): Promise<string> => (await frame.locator(':focus > .row').textContent()) ?? '';
			const pressed: string[] = [];
			for (const key of [
				'ArrowDown',
				'ArrowDown',
				'ArrowLeft',
				'ArrowRight',
				'ArrowRight',
				'ArrowLeft',
				'ArrowLeft',
				'ArrowUp',
			]) {
				await bench.page.keyboard.press(key);
				pressed.push(`${key}: ${await focused()}`);
			}
			assert.deepEqual(pressed, [
				'ArrowDown: name:"south"',
				'ArrowDown: beds:(3) [{3}, {3}, {3}]',
				'ArrowLeft: beds:(3) [{3}, {3}, {3}]',
				'ArrowRight: beds:(3) [{3}, {3}, {3}]',
				'ArrowRight: 0:{3}',
				'ArrowLeft: beds:(3) [{3}, {3}, {3}]',
				'ArrowLeft: beds:(3) [{3}, {3}, {3}]',
				'ArrowUp: name:"south"',
			]);
			await frame.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Run Again' }).focus();
			await bench.page.keyboard.press('ArrowRight');
			assert.equal(await frame.locator(':focus').textContent(), 'Edit and Run…');
			assert.match((await frame.getByRole('status').textContent()) ?? '', /^Done/);
		});

		// covers: tools.outputSchema
		it('shows where structured content breaks its promise', async () => {
			const frame = await run('promise', /^Done, but the result doesn't match the output schema · /);
			await frame.locator('.status.mismatch .icon-warning').waitFor();
			const check = (await frame.locator('.check.invalid').textContent()) ?? '';
			assert.match(check, /^Doesn't match the output schema at \/soil.*\(and 1 more\)$/);
			const tree = frame.getByRole('tree', { name: 'Structured result' });
			await tree.getByText('soil').click();
			await tree.getByText('Value must be of type string').waitFor();
			await bench.screenshot('result-4-mismatch');
		});

		it('tells an error of the tool from one of the protocol', async () => {
			let frame = await run('tool-error', /^The tool reported an error · /);
			assert.equal(await frame.locator('.block pre').textContent(), 'There is no bed of that name: "north".');
			await bench.screenshot('result-5-tool-error');
			frame = await run('protocol-error', /^Failed · /);
			assert.equal(
				await frame.locator('.failure > p').textContent(),
				'The server didn\'t run the tool: "Bed "north" is not known here"',
			);
			const code = frame.locator('.failure pre');
			assert.equal(await code.isVisible(), false, 'the code is behind a disclosure');
			await frame.locator('summary').click();
			assert.match((await code.textContent()) ?? '', /"code": -32602/);
			await bench.screenshot('result-6-protocol-error');
		});

		it('opens links and embedded resources in the editor', async () => {
			const frame = await run('links', 'Done');
			await bench.screenshot('result-7-links');
			await frame.locator('.block.link').getByRole('button', { name: 'Open in Editor' }).click();
			await bench.page.locator('.tab', { hasText: 'south.md' }).waitFor();
			await eventually('the resource', async () => assert.match(await editorText(bench), /^# The southern bed/));
			await bench.click(bench.tab('links · results'));
			await frame.locator('.block.text').getByRole('button', { name: 'Open in Editor' }).click();
			await bench.page.locator('.tab', { hasText: 'spring.md' }).waitFor();
			await bench.runCommand('View: Close All Editors');
		});

		it('shows what it does not know as JSON', async () => {
			const frame = await run('unknown', 'Done');
			await frame.locator('h3', { hasText: 'Content of unknown type "hologram"' }).waitFor();
			await frame.locator('.block .row', { hasText: 'depth:3' }).waitFor();
		});

		it('leads to its line in the history, and to a comparison with another result', async () => {
			const frame = await run('structured', 'Done');
			await frame.getByRole('button', { name: 'Show in History' }).click();
			const selected = bench.view('History').locator('.monaco-list-row.selected');
			await eventually('its line', async () => assert.match((await selected.textContent()) ?? '', /^structured/));
			await bench.screenshot('result-13-in-history');
			await frame.getByRole('button', { name: 'Compare Results…' }).click();
			await bench.page.getByPlaceholder('Select a call to compare with').waitFor();
			await bench.pick('unknown');
			await bench.page.locator('.tab', { hasText: '↔' }).waitFor();
			await bench.page.locator('.monaco-diff-editor').waitFor();
			await bench.runCommand('View: Close All Editors');
		});

		it('runs nothing, follows nothing and hides nothing of what a server writes', async () => {
			const frame = await run('attack', 'Done');
			const text = (await frame.locator('.block pre').textContent()) ?? '';
			assert.match(text, /^<script>document\.title = "owned"<\/script>\n<img src=x onerror/);
			assert.match(text, /\\u\{202e\}txt\.exe\\u\{202c\} \\u\{200b\}hidden\\u\{0007\}/);
			// The one script is ours; there is nothing else that could load or lead anywhere.
			assert.equal(await frame.locator('body script, body iframe, body img, body a').count(), 0);
			assert.notEqual(await frame.locator('html').evaluate('document.title'), 'owned');
			await frame.locator('.block.link').getByRole('button', { name: 'Open in Editor' }).click();
			await bench.page.locator('.tab', { hasText: 'workbench.action.quit' }).waitFor();
			await bench.row('results').waitFor();
			await bench.runCommand('View: Close All Editors');
		});

		it('runs again, and with other arguments', async () => {
			let frame = await run('large', 'Done · ');
			await frame.locator('.block .note', { hasText: 'Showing the first 20 KB of 1 MB.' }).waitFor();
			const button = frame.getByRole('button', { name: 'Edit and Run…' });
			await button.click();
			await fill('megabytes', '2');
			await bench.pick('Run');
			frame = bench.resultFrame();
			await frame.locator('.block .note', { hasText: '20 KB of 2 MB.' }).waitFor();
			await bench.screenshot('result-8-large');
			const before = await frame.locator('.status').textContent();
			await frame.getByRole('button', { name: 'Run Again' }).click();
			await eventually('another result', async () =>
				assert.notEqual(await frame.locator('.status').textContent(), before),
			);
		});

		it('shows the beginning of 100 MB at once', async () => {
			const frame = bench.resultFrame();
			await frame.getByRole('button', { name: 'Edit and Run…' }).click();
			await fill('megabytes', '100');
			await bench.pick('Run');
			await frame.locator('.block .note', { hasText: '20 KB of 100 MB.' }).waitFor();
			await frame.locator('.block').getByRole('button', { name: 'Open in Editor' }).click();
			const toast = await bench.notification('The content is too large for an editor (100 MB).');
			await toast.locator('.monaco-button', { hasText: 'Save…' }).waitFor();
		});

		it('pages through a list of a hundred thousand', async () => {
			const frame = await run('large-tree', 'Done');
			const tree = frame.getByRole('tree', { name: 'Structured result' });
			await tree.getByText('numbers').click();
			await tree.getByText('Show more (99900 left)').click();
			await tree.getByText('Show more (99800 left)').waitFor();
			assert.equal(await tree.getByRole('treeitem').count(), 1 + 1 + 200 + 1);
		});

		for (const tool of ['no-schema', 'invalid-schema', 'recursive-schema']) {
			it(`runs a tool with ${tool}`, async () => {
				const frame = await run(tool, 'Done');
				assert.equal(await frame.locator('.block pre').textContent(), '{}');
			});
		}

		it('has a form of five hundred fields, to be searched', async () => {
			await chooseTool('500-properties');
			await bench.quickInput().fill('p499');
			await fill('p499', 'last');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: '{"p499":"last"}' }).waitFor();
		});

		it('runs a tool whose name nobody can read, and shows it as such', async () => {
			await chooseTool('\uFFFD\uFFFD\uFFFD');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: 'A name nobody can read.' }).waitFor();
			assert.equal(await bench.resultFrame().locator('h1').textContent(), '\uFFFD\uFFFD\uFFFD · results');
		});

		it('finds one among ten thousand tools', async () => {
			await bench.clickAction(bench.row('crowd'), 'Start Server');
			await bench.row('crowdRunning').waitFor();
			await chooseTool('tool-9876', 'crowd');
			await bench.pick('Run');
			await bench.resultFrame().locator('.block pre', { hasText: 'tool-9876' }).waitFor();
		});

		it('says that a server has ended in the middle, and keeps what was typed', async () => {
			await chooseTool('dies');
			await fill('why', 'because');
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

	describe('time', () => {
		before(async () => {
			await tidy();
			// It has died, and comes back by itself.
			await bench.row('resultsRunning').waitFor();
		});

		async function begin(tool: string): Promise<void> {
			await chooseTool(tool);
			await bench.pick('Run');
		}

		it('runs out when the person says so, not before', async () => {
			await begin('silent');
			const toast = await bench.notification("results: silent hasn't responded for 1 s.");
			await bench.screenshot('result-12-timeout');
			await bench.press(toast, 'Cancel Request');
			const frame = bench.resultFrame();
			await frame.locator('.status', { hasText: 'Failed' }).waitFor();
			assert.equal(
				await frame.locator('.failure > p').textContent(),
				'The request failed: No response to tools/call within 1 s.',
			);
		});

		it('is not over while the person waits on', async () => {
			await begin('silent');
			const toast = await bench.notification("results: silent hasn't responded for 1 s.");
			await bench.press(toast, 'Wait');
			const progress = await bench.notification(/results: silent: [2-9] s/);
			await bench.press(progress, 'Cancel');
			await progress.waitFor({ state: 'detached' });
			await bench.resultFrame().locator('h1', { hasText: 'silent' }).waitFor();
			await bench.resultFrame().locator('.status.cancelled', { hasText: 'Canceled' }).waitFor();
		});

		it('is seen in the history and in the tree while the call runs, which is cancelled there', async () => {
			await bench.runCommand('MCP Workbench: Focus on History View');
			await bench.page.keyboard.press('Home');
			await begin('silent');
			const history = bench.view('History');
			const row = bench.row('silent', history);
			await eventually('how long it runs', async () =>
				assert.match((await bench.rows(history))[0]?.text ?? '', /^silent results · [1-9] s$/),
			);
			await bench.screenshot('result-14-running');
			await bench.clickAction(row, 'Cancel Call');
			await bench
				.resultFrame()
				.locator('.status.cancelled', { hasText: /^Canceled · / })
				.waitFor();
			await eventually('its end', async () =>
				assert.match((await bench.rows(history))[0]?.text ?? '', /^silent results · Canceled · /),
			);
			await bench.screenshot('result-15-cancelled');
		});

		it('begins anew with each progress, and progress is shown', async () => {
			await begin('steps');
			await bench.notification(/results: steps: \d s · \d of 8 · "digging"/);
			await bench.resultFrame().locator('.block pre', { hasText: 'dug' }).waitFor();
			assert.deepEqual(
				(await bench.notifications()).filter(it => it.includes("steps hasn't responded")),
				[],
			);
		});
	});

	describe('arguments', () => {
		before(tidy);

		const problems = (): Promise<string | null> =>
			bench.page.locator('.part.statusbar [id="status.problems"] a').getAttribute('aria-label');
		const write = async (args: object): Promise<void> => {
			await bench.page.locator('.editor-instance .view-lines').first().click();
			await bench.page.keyboard.press('Control+A');
			await bench.page.keyboard.insertText(JSON.stringify(args));
		};
		/** Here the editor saves by itself. */
		const closeSaved = async (): Promise<void> => {
			await bench.page.locator('.tab.dirty').waitFor({ state: 'detached' });
			await bench.runCommand('View: Close All Editors');
		};
		const runButton = (): Promise<void> =>
			bench.click(bench.page.locator('.editor-actions .action-label[aria-label^="Run Tool with These Arguments"]'));

		it('that fields cannot hold are a document, with the schema of the tool', async () => {
			await chooseTool('nested');
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

		it('that break the schema are asked about before they are sent', async () => {
			await write({ where: { bed: 'south' }, plants: [{ kind: 'oak' }] });
			await eventually('the squiggle', async () => assert.match((await problems()) ?? '', /1 Warning|Warnings: 1/i));
			await runButton();
			const toast = await bench.notification("The arguments don't match the tool's input schema at /plants/0/kind");
			await bench.screenshot('arguments-2-broken');
			await bench.press(toast, 'Run Anyway');
			await bench.pick('Allow Once');
			await bench.resultFrame().locator('.block pre', { hasText: '"oak"' }).waitFor();
		});

		it('run as they stand in the document', async () => {
			await write({ where: { bed: 'north' } });
			await runButton();
			// Other extensions can write in it: it is no word of a person.
			await bench.screenshot('arguments-3-asked');
			await bench.pick('Allow Once');
			await bench.resultFrame().locator('.block pre', { hasText: '{"where":{"bed":"north"}}' }).waitFor();
			await bench.screenshot('arguments-3-ran');
			await chooseTool('nested');
			await bench.page.locator('.tab.active', { hasText: 'nested.json' }).waitFor();
			assert.match(await editorText(bench), /north/, 'what was written is not lost');
			await closeSaved();
		});

		it('go from the form to a document and back', async () => {
			await chooseTool('flat');
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

		it('are remembered, but for secrets', async () => {
			await bench.page.reload();
			await bench.whenReady();
			await bench.openView('MCP Workbench');
			await start();
			await chooseTool('flat');
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

	describe('that moves', () => {
		before(async () => {
			await tidy();
			// As everybody has it: what the system says.
			bench.set('workbench.reduceMotion', 'auto');
		});
		after(async () => {
			bench.set('workbench.reduceMotion', 'on');
			await bench.page.emulateMedia({ reducedMotion: null });
		});

		/** How many images may move, and how many are drawn at rest. */
		const seen = async (moving: number, still: number): Promise<void> => {
			const frame = bench.resultFrame();
			await eventually(`${moving} that may move and ${still} at rest`, async () => {
				const shown = [await frame.locator('.frame img').count(), await frame.locator('.frame canvas').count()];
				assert.deepEqual(shown, [moving, still]);
			});
		};

		it('stands still, at its first frame, where motion is reduced', async () => {
			const frame = await run('moving', 'Done');
			await seen(3, 0);
			const moving = frame.locator('.frame img').first();
			assert.match((await moving.getAttribute('src')) ?? '', /^blob:/);
			assert.match((await moving.getAttribute('alt')) ?? '', /^Image · image\/png · /);
			await bench.page.emulateMedia({ reducedMotion: 'reduce' });
			await seen(0, 3);
			await run('moving', 'Done');
			await seen(0, 3);
			const still = frame.getByRole('img', { name: /^Image · image\/png · / }).first();
			const corner = `(() => {
				const it = document.querySelector('.frame canvas');
				return [...it.getContext('2d').getImageData(0, 0, 1, 1).data, it.width, it.height];
			})()`;
			assert.deepEqual(await still.evaluate<number[], unknown>(corner), [255, 0, 0, 255, 120, 60]);
			assert.deepEqual(await unnamed(bench), []);
			await bench.screenshot('result-14-at-rest');
		});
	});

	describe('in the light, with little room', () => {
		before(async () => {
			await tidy();
			await bench.setTheme('light');
			await bench.page.setViewportSize({ width: 820, height: 800 });
		});

		it('breaks long names and words, and scrolls nothing sideways', async () => {
			const frame = await run('a-tool-whose-name-goes-on', 'Done');
			await bench.screenshot('result-9-narrow-long');
			const { scroll, client } = await frame
				.locator('html')
				.evaluate(it => ({ scroll: it.scrollWidth, client: it.clientWidth }));
			assert.ok(scroll <= client, `${scroll} > ${client}`);
		});

		it('shows the same in its own colours', async () => {
			const frame = await run('media', 'Done');
			await frame.locator('.frame canvas').waitFor();
			await bench.screenshot('result-10-light-media');
			await run('promise', 'Done');
			await bench.screenshot('result-11-light-mismatch');
		});
	});
});
