/** `@mcp` in the editor's own chat, with a model of another extension, in dark and light. */
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { pictureOnFailure } from './support.js';
import { setTimeout as delay } from 'node:timers/promises';

describe('chat', function () {
	this.timeout(180_000);
	let bench: Workbench;
	before(async () => {
		bench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'models'),
			machine: { extensions: [path.join(projectRoot, 'test', 'fixtures', 'model')] },
			settings: { 'chat.disableAIFeatures': false },
		});
	});
	after(() => bench.dispose());
	pictureOnFailure(() => bench);

	it('answers', async () => {
		await bench.runCommand('Fixture: Answer in Chat');
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('garden'), 'Start Server');
		await bench.row('Tools4').waitFor();
		await bench.runCommand('MCP Workbench: Open Chat');
		await delay(3000);
		await bench.page.keyboard.type('/servers ');
		await delay(2000);
		await bench.page.keyboard.press('Enter');
		await delay(3000);
		await bench.screenshot('chat-1');
		await bench.runCommand('MCP Workbench: Open Chat');
		await bench.page.keyboard.type('Please water the roses.');
		await delay(1000);
		await bench.page.keyboard.press('Enter');
		await delay(4000);
		await bench.screenshot('chat-2');
		console.log(await bench.notifications());
	});
});
