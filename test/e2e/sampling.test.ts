/** A server asks a model: the review before and after, the documents, and the way without any model. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Hands } from './hands.js';
import { editorText, eventually, pictureOnFailure, titled, unnamed } from './support.js';

describe('a server that asks a model', function () {
	this.timeout(180_000);
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'elicitation'),
			machine: { extensions: [path.join(projectRoot, 'test', 'fixtures', 'model')] },
		});
		await workbench.openView('MCP Workbench');
		await workbench.clickAction(workbench.row('everything'), 'Start Server');
		await workbench.row('everythingRunning').waitFor();
		// It tells of some of them a moment after it has started.
		await workbench.row('Tools19').waitFor();
		await workbench.toggle(workbench.row('Tools'));
		await workbench.row('Trigger Sampling Request').first().waitFor();
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const picture = (name: string): Promise<void> =>
		workbench.screenshots(['dark', 'light'], theme => `sampling-${name}-${theme}`);
	const start = async (): Promise<void> => {
		await workbench.runTool(workbench.row('Trigger Sampling Request'));
	};
	const review = async (): Promise<void> => {
		const toast = await workbench.notification('everything wants to ask a model:');
		await workbench.press(toast, 'Review');
		await titled(workbench, 'everything wants to ask a model');
	};

	it('is reviewed before and after', async () => {
		await workbench.runCommand('Fixture: Answer a Server');
		await start();
		await workbench.answer('What colour is grass?');
		await workbench.pick('Run');
		await workbench.row('Pending Requests').waitFor();
		await review();
		await picture('1-request');
		await workbench.pick('Edit Request…');
		await workbench.page.locator('.tab', { hasText: 'Edit Request · everything' }).waitFor();
		await picture('2-document');
		await workbench.toggle(workbench.row('Pending Requests'));
		await workbench.row('Wants to ask a model').waitFor();
		await workbench.runCommand('MCP Workbench: Use This Text');
		await titled(workbench, 'everything wants to ask a model');
		await workbench.pick('Allow Once');
		await workbench.row('A model is answering').waitFor();
		await picture('3-running');
		// Whoever turns to something else is told when there is an answer.
		await workbench.runCommand('Fixture: Go On');
		const answered = await workbench.notification('A model has answered the request from everything');
		await workbench.row('Answer needs review').waitFor();
		await workbench.press(answered, 'Review');
		await titled(workbench, 'Answer for everything');
		await picture('4-answer');
		await workbench.pick('Send to Server');
		await workbench.resultFrame().getByText('Grass is green').first().waitFor();
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
	});

	it('is reviewed before and after by keys alone', async () => {
		const hands = new Hands(workbench.page);
		await hands.watchPointer();
		const answer = async (focus: RegExp): Promise<void> => {
			await hands.ask('MCP Workbench: Answer Pending Requests…', focus);
		};
		const choose = async (line: RegExp, focus: RegExp | string): Promise<void> => {
			await hands.pressUntil('ArrowDown', line);
			await hands.go('Enter', focus);
		};
		// The text of a document comes after its editor.
		const hasText = (text: string): Promise<void> =>
			eventually(text, async () => assert.ok((await editorText(workbench)).includes(text)));
		await hands.command('Fixture: Answer a Server');
		const line = await hands.focusView('Servers');
		await hands.ask('MCP Workbench: Run Tool…', /^ask: : .*, everything · /);
		await hands.type('trigger-sampling-request');
		await hands.expectFocus(/· trigger-sampling-request/);
		// It may change something: Enter alone does not repeat the last call.
		await hands.go('Enter', /^ask: trigger-sampling-request · everything: prompt \*/);
		await choose(/: Run$/, line);
		await workbench.row('Pending Requests').waitFor();
		const request = /^ask: everything wants to ask a model: Message, /;
		await answer(request);
		assert.deepEqual(await unnamed(workbench), []);
		const { items } = await workbench.readQuickInput();
		const choices = items
			.filter(it => /^(Allow|Decline|Answer by|Edit M|Always)/.test(it))
			.map(it => it.replace(/,.*/, ''));
		assert.deepEqual(choices.slice(0, 2), ['Allow Once', 'Decline']);
		await hands.go('Escape', line);
		await answer(request);
		await choose(/: Edit Request…$/, /^editor: .*Edit Request · everything\.json/);
		await hasText('What colour is grass?');
		// The token limit is the last line but one.
		await hands.press('Control+End');
		await hands.press('ArrowUp');
		await hands.press('ArrowUp');
		await hands.press('End');
		await hands.type('0');
		await hands.command('MCP Workbench: Use This Text');
		await hands.expectFocus(/: Message \(edited\), .*/);
		await choose(
			/: Allow Once/,
			/^ask: Scripted is answering the request from everything \(\d+ s\): Continue in Background/,
		);
		await choose(/: Continue in Background/, /^result: /);
		await hands.command('Fixture: Go On');
		await workbench.row('Answer needs review').waitFor();
		await answer(/^ask: Answer for everything: Answer, Grass is green, because of \*chlorophyll\*\./);
		assert.deepEqual(await unnamed(workbench), []);
		await choose(/: Edit Answer…$/, /^editor: .*Edit Answer · everything/);
		await hasText('chlorophyll');
		await hands.press('Control+End');
		await hands.type(' Says the gardener.');
		await hands.command('MCP Workbench: Use This Text');
		await hands.expectFocus(/: Answer \(edited\), /);
		await choose(/: Send to Server$/, /^result: /);
		await workbench.resultFrame().getByText('Says the gardener').first().waitFor();
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
		assert.equal(await hands.wasTouched(), false, 'a pointer was used');
		await hands.command('View: Close All Editors');
		await hands.focusView('Servers');
	});

	it('is answered by hand', async () => {
		// A message that was answered by a command stays, and leads nowhere.
		await workbench.runCommand('Notifications: Clear All Notifications');
		await start();
		// With what it was run with before.
		await workbench.pick('Run');
		await review();
		await workbench.pick('Answer by Hand…');
		await workbench.page.locator('.tab', { hasText: 'Edit Answer · everything' }).waitFor();
		await workbench.page.locator('.codelens-decoration', { hasText: 'Use This Text' }).waitFor();
		await workbench.page.keyboard.type('Green, says the gardener.');
		await picture('5-by-hand');
		await workbench.runCommand('MCP Workbench: Use This Text');
		await titled(workbench, 'Answer for everything');
		await workbench.pick('Send to Server');
		await workbench.resultFrame().getByText('says the gardener').first().waitFor();
	});
});
