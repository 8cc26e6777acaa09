/** What a person sees of a server of the workspace before it starts for the first time, and after it has changed. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, OwnWorkspace, pictureOnFailure, serverProcesses, titled } from './support.js';

/** Would like to be read as something else, and to hide its end. */
const hostile = `require('$(check) [fine](command:x) \u202Esj.dne\u2066')\n${' '.repeat(300)}${'漢W'.repeat(100)};evil()`;
const recorder = path.join(projectRoot, 'test', 'fixtures', 'servers', 'recorder.mjs');

describe('consent to servers of the workspace', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('consent', 'garden');
	let workbench: Workbench;

	before(async () => {
		workspace.write('settings.json', { 'notes.port': '8080' });
		configure();
		workbench = await openWorkbench({ workspace: workspace.folder, inPlace: true, confirmServers: 'newOrChanged' });
		await workbench.openView('MCP Workbench');
	});
	after(async () => {
		await workbench.dispose();
		workspace.remove();
	});
	pictureOnFailure(() => workbench);

	function configure(): void {
		const env = {
			RECORD_FILE: '${workspaceFolder}/recorder.jsonl',
			NOTES_TOKEN: 'sesame-stay-shut',
			NODE_OPTIONS: '--no-warnings',
		};
		const args = [recorder, '--port', '${config:notes.port}'];
		const headers = { Authorization: 'Bearer ${input:token}', 'X-Client': '${env:AWS_SECRET_ACCESS_KEY}' };
		const oauth = { clientId: 'garden-tracker', scopes: ['repo', 'admin:org'] };
		workspace.write('mcp.json', {
			servers: {
				notes: { command: 'node', args, env, cwd: '${workspaceFolder}' },
				tasks: { command: 'node', args, env },
				hostile: { command: 'node', args: ['-e', hostile] },
				tracker: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers, oauth },
			},
			inputs: [{ id: 'token', type: 'promptString', password: true }],
		});
	}

	const step = (title: string): Promise<void> => titled(workbench, title);
	/** A screen reader is told the heading with the first row below it. */
	const facts = async (): Promise<string[]> =>
		(await workbench.readQuickInput()).items.map(it => it.replace(/, (?:Changed|About this server|Decision)$/, ''));
	const back = async (name: string): Promise<void> => {
		await workbench.press(await workbench.notification('is waiting for your decision.'), 'Return to Request');
		await step(`Allow "${name}" to start?`);
	};
	const picture = (name: string): Promise<void> =>
		workbench.screenshots(['light', 'dark'], theme => `consent-${theme}-${name}`);

	it('is shown with every fact before it starts', async () => {
		await workbench.row('notes').waitFor();
		await workbench.clickAction(workbench.row('notes'), 'Start Server');
		await step('Allow "notes" to start?');
		const seen = await facts();
		assert.equal(seen[0], 'Reason, New server');
		assert.ok(
			seen.some(it => /^Program, node → \/.*\/node$/.test(it)),
			seen.join('\n'),
		);
		for (const fact of [
			`Working directory, ${workspace.folder}`,
			'Environment, NODE_OPTIONS = --no-warnings',
			'Environment, RECORD_FILE = ${workspaceFolder}/recorder.jsonl',
			'Environment, NOTES_TOKEN',
			'Setting, notes.port = 8080',
			'Exposed folders, garden',
		]) {
			assert.ok(seen.includes(fact), seen.join('\n'));
		}
		await workbench.row('notesNeeds consent').waitFor();
		await picture('1-new');
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('that is left alone waits, and says so', async () => {
		await workbench.dismiss();
		await workbench.page.locator('.statusbar-item', { hasText: '0' }).first().waitFor();
		await picture('2-waiting');
		await workbench.row('notesNeeds consent').waitFor();
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('shows all of it, and the place in its file, while it waits for the answer', async () => {
		await workbench.clickAction(workbench.row('notes'), 'Start Server');
		await step('Allow "notes" to start?');
		await workbench.pickToSee('Show in Full', workbench.tab('Start · notes'));
		const page = workbench.resultFrame();
		await page.getByText('"NOTES_TOKEN": Not shown').waitFor();
		assert.doesNotMatch(await page.locator('body').innerText(), /sesame/);
		await picture('3-in-full');
		await page.getByRole('button', { name: 'Return to Request' }).click();
		await step('Allow "notes" to start?');
		await workbench.pickToSee('Show in Full', workbench.tab('Start · notes'));
		await back('notes');
		await workbench.pickToSee('Configured in', workbench.tab('mcp.json'));
		await back('notes');
	});

	it('starts when it is allowed, and is not asked about again', async () => {
		await workbench.pick('Start');
		await workbench.row('notesRunning').waitFor();
		await workbench.clickAction(workbench.row('notes'), 'Stop Server');
		await workbench.row('notesStopped').waitFor();
		await workbench.clickAction(workbench.row('notes'), 'Start Server');
		await workbench.row('notesRunning').waitFor();
	});

	it('that is at a URL shows where it connects to, and what it asks for', async () => {
		await workbench.clickAction(workbench.row('tracker'), 'Start Server');
		await step('Allow "tracker" to start?');
		assert.deepEqual((await facts()).slice(0, 10), [
			'Reason, New server',
			'URL, http://127.0.0.1:9/mcp',
			'Sent to the server, Input token → Header Authorization',
			'Sent to the server, Environment variable AWS_SECRET_ACCESS_KEY →',
			'…, Header X-Client',
			'Headers, Authorization, X-Client',
			'OAuth client ID, garden-tracker',
			'OAuth scopes, repo admin:org',
			'Inputs, token',
			'Exposed folders, garden',
		]);
		await picture('4-url');
		await workbench.pick('Deny');
		await workbench.row('trackerNeeds consent').waitFor();
	});

	it('that would deceive is shown as what it is, and where its lines end', async () => {
		await workbench.clickAction(workbench.row('hostile'), 'Start Server');
		await step('Allow "hostile" to start?');
		const cut = await workbench.page
			.locator('.quick-input-list .monaco-list-row .monaco-icon-label-container')
			.evaluateAll(rows => rows.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent));
		assert.deepEqual(cut, [], 'the end of a line cannot be seen');
		const seen = await facts();
		assert.ok(seen.filter(it => /^(Arguments|…), /.test(it)).length >= 6, seen.join('\n'));
		assert.ok(
			seen.some(it => it.startsWith('Arguments, -e "require(\'$\u200B(check) [fine]')),
			seen.join('\n'),
		);
		assert.ok(!seen.some(it => /[\u202E\u2066]/.test(it)), seen.join('\n'));
		assert.ok(
			seen.some(it => it.startsWith("Show in Full, Some details of this server aren't fully shown")),
			seen.join('\n'),
		);
		assert.equal(await workbench.page.locator('.quick-input-list .codicon-check').count(), 0);
		await picture('7-hostile');
		await workbench.pick('Start');
		await workbench.resultFrame().getByText('evil()').first().waitFor();
		await back('hostile');
		await workbench.pick('Deny');
		await workbench.row('hostileNeeds consent').waitFor();
	});

	it('that have changed when they come back by themselves are held back, and reviewed one after another', async () => {
		await workbench.clickAction(workbench.row('tasks'), 'Start Server');
		await step('Allow "tasks" to start?');
		await workbench.pick('Start');
		await workbench.row('tasksRunning').waitFor();
		workspace.write('settings.json', { 'notes.port': '4711', 'window.title': 'another port' });
		await eventually('the settings', async () => assert.equal(await workbench.page.title(), 'another port'));
		for (const { pid } of serverProcesses(workbench)) {
			process.kill(pid, 'SIGKILL');
		}
		const toast = await workbench.notification('2 requests are waiting for you.');
		await picture('5-held-back');
		await workbench.press(toast, 'Review');
		await workbench.pick('notes');
		await step('Allow "notes" to start?');
		assert.deepEqual((await facts()).slice(0, 2), ['Summary, Setting notes.port', 'Setting, notes.port = 4711']);
		await picture('6-changed');
		await workbench.pick('Deny');
		// The only one that is left is not listed first.
		await step('Allow "tasks" to start?');
		await workbench.pick('Start');
		await workbench.row('tasksRunning').waitFor();
		await workbench.row('notesNeeds consent').waitFor();
	});
});
