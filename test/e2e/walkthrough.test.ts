/**
 * The first five minutes of a person who has nothing but the extension: from the empty view to the walkthrough, whose steps
 * lead to a first call of the demo server's tools. What completes a step is in the unit tests.
 */
import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('the walkthrough', function () {
	this.timeout(180_000);
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({
			confirmServers: 'newOrChanged',
			// Wide enough for the pictures beside the steps.
			viewport: { width: 1500, height: 850 },
		});
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const step = (id: string): Locator =>
		workbench.page.locator(`.getting-started-step[data-step-id$="#firstSteps#${id}"]`);
	/** Opens a step, waits for its picture, and presses its button. */
	const press = async (id: string, button: string): Promise<void> => {
		if ((await step(id).getAttribute('aria-expanded')) !== 'true') {
			await step(id).click();
		}
		const picture = workbench.page.locator('.getting-started-media img');
		await eventually('the picture', async () => {
			const width = await picture.evaluate(it => (it as unknown as { readonly naturalWidth: number }).naturalWidth);
			assert.ok(width > 0, `${width} pixels`);
		});
		await workbench.screenshot(`walkthrough-${id}`);
		// The button may redraw the page, which looks like a click that went astray.
		await step(id).locator('.monaco-button', { hasText: button }).click();
	};
	/** Beside the picture of the step, the result is a second view from the outside. */
	const result = (text: string): Promise<void> =>
		eventually(text, async () => {
			const counts = await Promise.all(workbench.page.frames().map(it => it.getByText(text).count()));
			assert.ok(counts.some(it => it > 0));
		});
	const closeTab = async (title: string): Promise<void> => {
		await workbench.tab(title).click({ button: 'middle' });
		await workbench.tab(title).waitFor({ state: 'detached' });
	};

	it('opens from the empty view', async () => {
		await workbench.openView('MCP Workbench');
		const welcome = workbench.view('Servers').locator('.welcome-view-content');
		await welcome.getByText('Try the Demo Server').waitFor();
		await workbench.screenshot('walkthrough-welcome');
		await welcome.getByText('Open the walkthrough').click();
		await step('server').waitFor();
	});

	it('adds the demo server and starts it without a question', async () => {
		await press('server', 'Try the Demo Server');
		await workbench.row('demoRunning · 2026-07-28 · stdio').waitFor();
		// What to do next is in sight, while the pointer is elsewhere.
		await workbench.row('Greet').locator('.action-label[aria-label^="Run Tool"]').waitFor();
	});

	it('runs a tool', async () => {
		await press('tool', 'Run Tool…');
		await workbench.answer('demo · greet');
		await workbench.runPage({ Who: 'Ada' });
		await result('Hello, Ada.');
		await closeTab('greet · demo');
	});

	it('ends with the result, and leads to the history', async () => {
		await workbench.runCommand('View: Show Explorer');
		await press('result', 'Show History');
		await workbench.row('Greet', workbench.view('History')).waitFor();
	});
});
