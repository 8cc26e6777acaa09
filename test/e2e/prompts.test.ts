/** Running prompts with keyboard and mouse, from their page and from the list of slash commands. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

describe('prompts', function () {
	this.timeout(90_000);
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		bench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'prompts'),
			theme: 'dark',
			settings: { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' },
		});
		await bench.openView('MCP Workbench');
		for (const server of ['everything', 'garden']) {
			await bench.clickAction(bench.row(server), 'Start Server');
		}
		await bench.row('Prompts4').waitFor();
		await bench.row('Prompts13').waitFor();
	});
	after(() => bench.dispose());
	afterEach(async () => {
		await bench.page.keyboard.press('Escape');
	});

	/** Opens the list, types, and waits until the first line begins so. */
	async function slash(text: string, first: string): Promise<void> {
		for (let attempt = 1; ; attempt++) {
			try {
				await bench.runCommand('MCP Workbench: Run Prompt…');
				await bench.page.getByPlaceholder('/server.prompt').fill(text, { timeout: 3000 });
				break;
			} catch (error) {
				// On a busy machine the focus may come back from the palette too late, and closes the list.
				if (attempt === 3) {
					throw error;
				}
			}
		}
		await firstLine(first);
	}

	async function firstLine(beginning: string): Promise<string[]> {
		let items: string[] = [];
		await eventually(beginning, async () => {
			({ items } = await bench.readQuickInput());
			assert.ok(items[0]?.startsWith(beginning), items.join('\n'));
		});
		return items;
	}

	async function line(beginning: string): Promise<string[]> {
		let items: string[] = [];
		await eventually(beginning, async () => {
			({ items } = await bench.readQuickInput());
			assert.ok(
				items.some(it => it.startsWith(beginning)),
				items.join('\n'),
			);
		});
		return items;
	}

	async function answerCompletable(): Promise<void> {
		await slash('/ev co', '/everything.completable-prompt');
		await bench.screenshot('prompts-1-slash');
		await bench.page.keyboard.press('Enter');
		await line('Engineering');
		await bench.quickInput().pressSequentially('Eng');
		await line('Eng, Your input');
		await firstLine('Engineering');
		await bench.screenshot('prompts-2-argument');
		await bench.page.keyboard.press('Enter');
		await line('Alice');
		await bench.screenshot('prompts-3-context');
		await bench.pick('Alice');
		await line('Open as Document');
	}

	it('are found as slash commands, and completed with earlier answers as context', async () => {
		await answerCompletable();
		const frame = bench.resultFrame();
		await bench.toolPage('Team Management').waitFor();
		await bench.screenshot('prompts-4-uses');
		await bench.page.keyboard.press('Escape');
		assert.deepEqual(await frame.locator('.role').allTextContents(), ['User']);
		assert.match((await frame.locator('.block pre').textContent()) ?? '', /Alice/);
	});

	it('have a page that completes an argument with the other arguments as context', async () => {
		await bench.runCommand('View: Close All Editors');
		await bench.click(bench.row('Prompts4'));
		await bench.click(bench.row('/completable-prompt'));
		await bench.toolPage('Team Management').waitFor();
		const frame = bench.resultFrame();
		const option = (name: string) => frame.getByRole('option', { name, exact: true });
		await bench.field('department').fill('Eng');
		await option('Engineering').click();
		await bench.field('name').click();
		await option('Alice').waitFor();
		await bench.screenshot('prompts-5-completion');
		await bench.page.keyboard.press('ArrowDown');
		await bench.page.keyboard.press('Enter');
		await bench.page.keyboard.press('Control+Enter');
		await frame.locator('.role').waitFor();
		assert.match((await frame.locator('.block pre').textContent()) ?? '', /Alice.*Engineering/s);
		await bench.screenshot('prompts-6-messages');
		await bench.click(frame.getByRole('button', { name: 'Open as Document' }));
		await eventually('the document', async () => assert.match(await editorText(bench), /Alice/));
		await bench.runCommand('View: Revert and Close Editor');
	});

	it('are shown with all their contents', async () => {
		await slash('/garden.everything', '/garden.everything');
		await bench.page.keyboard.press('Enter');
		await line('Open as Document');
		const frame = bench.resultFrame();
		await bench.toolPage('/everything').waitFor();
		await frame.locator('.frame canvas').waitFor();
		assert.deepEqual(await frame.locator('.role').allTextContents(), ['User']);
		await frame.getByText('Content of unknown type "hologram"').waitFor();
		await bench.screenshot('prompts-7-preview');
		await bench.pick('Open as Document');
		await eventually('the document', async () => assert.match(await editorText(bench), /^Look at these\./));
		await bench.runCommand('View: Revert and Close Editor');
	});
});
