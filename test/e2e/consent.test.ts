/** Consent to a server of the workspace before its first start, and after it has changed. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { OwnWorkspace, pictureOnFailure, serverProcesses, titled } from './support.js';

const recorder = path.join(projectRoot, 'test', 'fixtures', 'servers', 'recorder.mjs');

describe('consent to servers of the workspace', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('consent', 'garden');
	let workbench: Workbench;

	before(async () => {
		workspace.write('settings.json', { 'notes.port': '8080' });
		configure();
		workbench = await openWorkbench({
			workspace: workspace.folder,
			inPlace: true,
			confirmServers: 'newOrChanged',
			// Room for the whole sheet.
			viewport: { width: 1280, height: 1100 },
		});
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
		assert.equal(seen[0], 'Reason, New server: not allowed before');
		assert.ok(
			seen.some(it => /^Program, node → \/.*\/node$/.test(it)),
			seen.join('\n'),
		);
		assert.ok(
			seen.join('').replaceAll('…, ', '').includes(`Environment, RECORD_FILE = ${workspace.folder}/recorder.jsonl`),
		);
		for (const fact of [
			`Working directory, ${workspace.folder}`,
			'Environment, NODE_OPTIONS = --no-warnings',
			'Environment, NOTES_TOKEN = sesame-stay-shut, This value looks like a secret and is readable in the file.',
			'Setting, notes.port = 8080',
			'Exposed folders, garden',
		]) {
			assert.ok(seen.includes(fact), seen.join('\n'));
		}
		await workbench.row('notesNeeds consent').waitFor();
		await picture('1-new');
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('waits while it is unanswered, and says so', async () => {
		await workbench.dismiss();
		await workbench.page.locator('.statusbar-item', { hasText: '0' }).first().waitFor();
		await picture('2-waiting');
		await workbench.row('notesNeeds consent').waitFor();
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('shows the full definition and its place in the file while it waits for an answer', async () => {
		await workbench.clickAction(workbench.row('notes'), 'Start Server');
		await step('Allow "notes" to start?');
		await workbench.pickToSee('Show in Full', workbench.tab('Start · notes'));
		const page = workbench.resultFrame();
		await page.getByText('NOTES_TOKEN = sesame-stay-shut').waitFor();
		await picture('3-in-full');
		await page.getByRole('button', { name: 'Return to Request' }).click();
		await step('Allow "notes" to start?');
		await workbench.pickToSee('Show in Full', workbench.tab('Start · notes'));
		await back('notes');
		await workbench.pickToSee('Configured in', workbench.tab('mcp.json'));
		await back('notes');
	});

	it('lets the server start, and is not requested again', async () => {
		await workbench.pick('Start');
		await workbench.row('notesRunning').waitFor();
		await workbench.clickAction(workbench.row('notes'), 'Stop Server');
		await workbench.row('notesStopped').waitFor();
		await workbench.clickAction(workbench.row('notes'), 'Start Server');
		await workbench.row('notesRunning').waitFor();
	});

	it('for a server at a URL shows the address, headers and OAuth client', async () => {
		await workbench.clickAction(workbench.row('tracker'), 'Start Server');
		await step('Allow "tracker" to start?');
		assert.deepEqual((await facts()).slice(0, 8), [
			'Reason, New server: not allowed before',
			'URL, http://127.0.0.1:9/mcp',
			'Headers, Authorization = "Bearer ${input:token}"',
			'Headers, X-Client = ${env:AWS_SECRET_ACCESS_KEY}',
			'OAuth client ID, garden-tracker',
			'OAuth scopes, repo admin:org',
			'Masked input, token → Header Authorization',
			'Exposed folders, garden',
		]);
		await picture('4-url');
		await workbench.pick('Deny');
		await workbench.row('trackerNeeds consent').waitFor();
	});
});
