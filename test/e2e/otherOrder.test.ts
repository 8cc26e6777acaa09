/**
 * The first minutes of a person who takes the steps of the walkthrough in another order, by keys: a tool first, then a text of
 * their own, then the walkthrough, and at the end no server.
 */
import * as assert from 'node:assert/strict';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Hands } from './hands.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

describe('the first steps in another order', function () {
	this.timeout(180_000);
	let workbench: Workbench;
	let hands: Hands;

	before(async () => {
		workbench = await openWorkbench({ confirmServers: 'newOrChanged' });
		hands = new Hands(workbench.page);
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const rollDice = async (): Promise<void> => {
		await hands.ask('MCP Workbench: Run Tool…', /^ask: : .*demo · /);
		await hands.type('demo · roll-dice');
		await hands.expectFocus(/^ask: : .*demo · roll-dice/);
		await hands.go('Enter', 'ask: roll-dice · demo: Run');
		await hands.press('Enter');
		await hands.expectFocus(/^(?!ask)/);
	};

	it('a result opens in the empty window', async () => {
		await hands.command('MCP Workbench: Try the Demo Server');
		await hands.expectFocus(/^Servers: demo, Running/);
		await rollDice();
		await workbench.tab('roll-dice · demo').waitFor();
	});

	it('the next result opens beside the text that is written meanwhile, which keeps the focus', async () => {
		await workbench.runCommand('File: New Untitled Text File');
		await hands.expectFocus(/^editor: .*Untitled-1/);
		await hands.type('my');
		await rollDice();
		await workbench.page.locator('.editor-group-container').nth(1).waitFor();
		await hands.expectFocus(/^editor: .*Untitled-1/);
		await hands.type(' text');
		await eventually('what is typed', async () => assert.equal(await editorText(workbench), 'my text'));
		await workbench.screenshot('other-order-beside');
	});

	it('what was done before the walkthrough was opened is checked', async () => {
		await hands.command('MCP Workbench: Open the Walkthrough');
		const steps = workbench.page.locator('.getting-started-step[aria-checked="true"]');
		await eventually('the steps that are checked', async () => {
			const ids = await Promise.all((await steps.all()).map(it => it.getAttribute('data-step-id')));
			assert.deepEqual(
				ids.map(it => it?.replace(/.*#/, '')),
				['view', 'server', 'start', 'tool'],
			);
		});
	});

	it('where the last server is removed, the text of the empty view has the focus', async () => {
		await hands.focusView('Servers');
		await hands.pressUntil('ArrowDown', /^Servers: demo, Running/);
		await hands.go('Shift+F10', 'menu: no line');
		await hands.pressUntil('ArrowUp', /^menu: Remove Server/);
		await hands.press('Enter');
		await workbench.page.locator('.monaco-dialog-box', { hasText: 'Remove "demo"' }).waitFor();
		await hands.press('Enter');
		await workbench.view('Servers').locator('.welcome-view-content').waitFor();
		await hands.expectFocus(/Welcome/);
	});
});
