/** A server asks a model: the review before and after, the documents, and the way without any model. */
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { pictureOnFailure, titled } from './support.js';

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
		await titled(workbench, '"everything" wants to ask a model');
	};

	it('is reviewed before and after', async () => {
		await workbench.runCommand('Fixture: Answer a Server');
		await start();
		await workbench.runPage({ prompt: 'What colour is grass?' });
		await workbench.row('Pending Requests').waitFor();
		await review();
		await picture('1-request');
		await workbench.pick('Edit Request…');
		await workbench.page.locator('.tab', { hasText: 'Edit Request · everything' }).waitFor();
		await picture('2-document');
		await workbench.toggle(workbench.row('Pending Requests'));
		await workbench.row('Wants to ask a model').waitFor();
		await workbench.runCommand('MCP Workbench: Use This Text');
		await titled(workbench, '"everything" wants to ask a model');
		await workbench.pick('Allow Once');
		await workbench.row('A model is answering').waitFor();
		await picture('3-running');
		// Whoever turns to something else is told when there is an answer.
		await workbench.runCommand('Fixture: Go On');
		const answered = await workbench.notification('A model has answered the request from everything');
		await workbench.row('Answer needs review').waitFor();
		await workbench.press(answered, 'Review');
		await titled(workbench, 'Answer for "everything"');
		await picture('4-answer');
		await workbench.pick('Send to Server');
		await workbench.resultFrame().getByText('Grass is green').first().waitFor();
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
	});

	it('is answered by hand', async () => {
		// A message that was answered by a command stays, and leads nowhere.
		await workbench.runCommand('Notifications: Clear All Notifications');
		await start();
		// With what it was run with before.
		await workbench.runPage();
		await review();
		await workbench.pick('Answer by Hand…');
		await workbench.page.locator('.tab', { hasText: 'Edit Answer · everything' }).waitFor();
		await workbench.page.locator('.codelens-decoration', { hasText: 'Use This Text' }).waitFor();
		await workbench.page.keyboard.type('Green, says the gardener.');
		await picture('5-by-hand');
		await workbench.runCommand('MCP Workbench: Use This Text');
		await titled(workbench, 'Answer for "everything"');
		await workbench.pick('Send to Server');
		await workbench.resultFrame().getByText('says the gardener').first().waitFor();
	});
});
