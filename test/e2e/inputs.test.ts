/** What a person is asked before a server starts, and what becomes of the answers. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverLog, titled } from './support.js';
import { recordedLines } from '../support/recordedLines.js';

const key = 'sesame-open-4711';

describe('inputs of a server', function () {
	this.timeout(180_000);
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({ workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'inputs') });
		await workbench.openView('MCP Workbench');
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const step = (title: string): Promise<void> => titled(workbench, title);
	/** With what the servers were started, in order. */
	const started = (): { args: string[]; env: Record<string, string> }[] =>
		recordedLines(path.join(workbench.workspace, 'recorder.jsonl'))
			.map(it => JSON.parse(it) as { args: string[]; env: Record<string, string> })
			.filter(it => 'env' in it);

	it('are asked for one after another, and say where they go', async () => {
		await workbench.row('asking').waitFor();
		await workbench.clickAction(workbench.row('asking'), 'Start Server');
		await step('Argument 2 · asking (1/3)');
		const { message } = await workbench.readQuickInput();
		assert.ok(message.startsWith('who — Whom to greet · Kept for this workspace (Required. Enter text.)'), message);
		await workbench.row('askingNeeds input').waitFor();
		await workbench.screenshot('inputs-1-text');
		await workbench.answer('Ben');
		await step('Environment variable TEST_TOKEN · asking (2/3)');
		await workbench.click(workbench.page.locator('.quick-input-titlebar .action-label[aria-label*="Back"]'));
		await step('Argument 2 · asking (1/3)');
		assert.equal(await workbench.quickInput().inputValue(), 'Ben');
		await workbench.answer('Bea');
		await step('Environment variable TEST_TOKEN · asking (2/3)');
		assert.equal(await workbench.quickInput().getAttribute('type'), 'password');
		await workbench.quickInput().fill(key);
		await workbench.screenshot('inputs-2-password');
		await workbench.answer(key);
		await step('Environment variable TEST_SIZE · asking (3/3)');
		assert.deepEqual((await workbench.readQuickInput()).items, ['small', 'Large']);
		await workbench.screenshot('inputs-3-choice');
		await workbench.pick('small');
		await workbench.row('askingRunning').waitFor();
		const [{ args, env } = { args: [], env: {} }] = started();
		assert.deepEqual([args[0], env['TEST_TOKEN'], env['TEST_SIZE']], ['--who=Bea', key, 'small']);
	});

	it('leave no trace of a password but where secrets are kept', async () => {
		await eventually('the log', () => assert.match(serverLog(workbench, 'asking'), /My key is <redacted>/));
		const folder = workbench.session.folder;
		const files = fs
			.readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map(it => path.join(folder, it))
			.filter(it => path.basename(it) !== 'recorder.jsonl' && fs.statSync(it, { throwIfNoEntry: false })?.isFile());
		assert.ok(files.some(it => it.endsWith('.log')));
		assert.deepEqual(
			files.filter(it => fs.readFileSync(it).includes(key)),
			[],
		);
	});
});
