/**
 * The first five minutes of a person who has nothing but the extension: from the empty view to the walkthrough, whose steps
 * lead to a first call of the demo server's tools. Each step is checked when what it says has happened, and not before.
 */
import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Hands } from './hands.js';
import { eventually, pictureOnFailure } from './support.js';

describe('the walkthrough', function () {
	this.timeout(180_000);
	const steps = ['view', 'server', 'start', 'tool', 'answer', 'history'];
	let workbench: Workbench;
	let hands: Hands;

	before(async () => {
		workbench = await openWorkbench({
			confirmServers: 'newOrChanged',
			// Whoever wants no history has run a tool all the same.
			settings: { 'mcpWorkbench.keepHistory': false },
			// Wide enough for the pictures beside the steps.
			viewport: { width: 1500, height: 850 },
		});
		hands = new Hands(workbench.page);
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const step = (id: string): Locator =>
		workbench.page.locator(`.getting-started-step[data-step-id$="#firstSteps#${id}"]`);
	const isChecked = async (id: string): Promise<boolean> => (await step(id).getAttribute('aria-checked')) === 'true';
	const checked = (...ids: string[]): Promise<void> =>
		eventually('the steps that are checked', async () => {
			const done = await Promise.all(steps.map(async id => ((await isChecked(id)) ? [id] : [])));
			assert.deepEqual(done.flat(), ids);
		});
	/** Opens a step, and leaves its picture. */
	const look = async (id: string, name = id): Promise<void> => {
		if ((await step(id).getAttribute('aria-expanded')) !== 'true') {
			await step(id).click();
		}
		const frame = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
		await frame.locator('svg').waitFor();
		await workbench.screenshot(`walkthrough-${name}`);
	};
	// What a button does may draw the page anew, which looks like a click that went astray.
	const press = (id: string, button: string): Promise<void> =>
		step(id).locator('.monaco-button', { hasText: button }).click();
	/** Beside the picture of the step, the result is a second view from the outside. */
	const result = (text: string): Promise<void> =>
		eventually(text, async () => {
			const counts = await Promise.all(workbench.page.frames().map(it => it.getByText(text).count()));
			assert.ok(counts.some(it => it > 0));
		});
	const question = (title: string): Promise<void> =>
		eventually(title, async () => assert.equal((await workbench.readQuickInput()).title, title));

	it('is led to by the empty view', async () => {
		await workbench.openView('MCP Workbench');
		const welcome = workbench.view('Servers').locator('.welcome-view-content');
		await welcome.getByText('Try the Demo Server').waitFor();
		await workbench.screenshot('walkthrough-welcome');
		await welcome.getByText('Open the walkthrough').click();
		await step('view').waitFor();
		// The view was open before the walkthrough was.
		await checked('view');
		await workbench.runCommand('View: Show Explorer');
	});

	it('shows the view', async () => {
		await look('view');
		await press('view', 'Show the View');
		await checked('view');
	});

	it('adds the demo server and starts it, without a question', async () => {
		await look('server');
		await look('start');
		await checked('view');
		await step('server').click();
		await press('server', 'Try the Demo Server');
		await workbench.row('demoRunning · 2026-07-28 · stdio').waitFor();
		await checked('view', 'server', 'start');
		await hands.expectFocus(/^Servers: demo, Running/);
	});

	it('leaves the keyboard to the first question of a command', async () => {
		await look('tool');
		for (const [command, question] of [
			['MCP Workbench: Run Tool…', /^ask: : .*demo · /],
			['MCP Workbench: Add Server…', /^ask: Add Server/],
		] as const) {
			await step('tool').focus();
			await hands.command(command);
			await hands.settleFocus(question);
			await hands.type('greet');
			await eventually('what was typed', async () => assert.equal(await workbench.quickInput().inputValue(), 'greet'));
			await hands.press('Escape');
			await hands.expectFocus(/^(?!ask)/);
		}
	});

	it('runs a tool, by keys from the first question to the result', async () => {
		await look('tool');
		await press('tool', 'Run Tool…');
		await hands.expectFocus(/^ask: : .*demo · /);
		await hands.type('demo · greet');
		await hands.expectFocus(/^ask: : .*demo · greet/);
		await hands.press('Enter');
		await hands.expectFocus(/^ask: greet · demo/);
		await hands.type('Ada');
		await checked('view', 'server', 'start');
		await hands.press('Enter');
		await hands.expectFocus('ask: greet · demo: Run');
		await hands.press('Enter');
		await result('Hello, Ada.');
		await workbench.screenshot('walkthrough-result');
		await checked('view', 'server', 'start', 'tool');
		await workbench.tab('greet · demo').click({ button: 'middle' });
		await workbench.tab('greet · demo').waitFor({ state: 'detached' });
	});

	it('answers a server', async () => {
		await look('answer');
		await press('answer', 'Run Tool…');
		await workbench.answer('demo · order-tea');
		await question('order-tea · demo');
		await workbench.pick('Run');
		await workbench.press(await workbench.notification('demo asks you: "Which tea would you like?"'), 'Answer');
		await question('Answer · demo');
		await workbench.pick('mint');
		await question('Answer · demo');
		await checked('view', 'server', 'start', 'tool');
		await workbench.pick('Submit');
		await result('A cup of mint tea, 0 lumps of sugar.');
		await checked('view', 'server', 'start', 'tool', 'answer');
		await workbench.tab('order-tea · demo').click({ button: 'middle' });
		await workbench.tab('order-tea · demo').waitFor({ state: 'detached' });
	});

	it('looks back, and ends with every step checked and nothing left', async () => {
		await look('history');
		await press('history', 'Show History');
		await checked(...steps);
		await workbench.screenshot('walkthrough-done');
		await press('history', 'Remove the Demo Server');
		await workbench.view('Servers').locator('.welcome-view-content').waitFor();
	});

	// The page forgets what it shows when the colours change.
	it('has pictures for light and for high contrast', async () => {
		for (const theme of ['light', 'contrast'] as const) {
			await workbench.setTheme(theme);
			await workbench.runCommand('MCP Workbench: Open the Walkthrough');
			for (const id of steps) {
				await look(id, `${id}-${theme}`);
			}
		}
	});
});
