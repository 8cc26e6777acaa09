/**
 * The first minutes of a person with the demo workspace: the packaged extension in the real workbench, with the mouse.
 * Each test goes on where the one before it has ended.
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure, serverLog, serverProcesses } from '../e2e/support.js';
import { Mouse } from './mouse.js';

describe('a walk through the demo with the mouse', function () {
	this.bail(true);
	const lock = path.join(projectRoot, 'demo', '.vscode', 'mcp-lock.json');
	let workbench: Workbench;
	let mouse: Mouse;

	before(async () => {
		// An approval of another day may be for another version.
		fs.rmSync(lock, { force: true });
		workbench = await openWorkbench({
			workspace: path.join(projectRoot, 'demo'),
			inPlace: true,
			confirmServers: 'newOrChanged',
		});
		mouse = new Mouse(workbench);
	});
	after(async () => {
		await workbench.dispose();
		fs.rmSync(lock, { force: true });
	});
	pictureOnFailure(() => workbench);

	const rows = async (): Promise<string[]> => (await workbench.rows()).map(it => it.text);
	const everyRow = (expected: readonly string[]): Promise<void> =>
		eventually('the rows', async () => assert.deepEqual(await rows(), expected));
	const tab = (title: string): Promise<void> => workbench.tab(title).waitFor();

	it('lists the configured servers and starts none', async () => {
		await workbench.openView('MCP Workbench');
		await everyRow(['everything Stopped', 'filesystem Stopped', 'garden Stopped', 'tracker Stopped']);
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('shows what a server will run before it starts', async () => {
		await mouse.clickAction(workbench.row('everything'), 'Start Server');
		await mouse.step('Allow "everything" to start?');
		await eventually('the facts', async () => {
			const { items } = await workbench.readQuickInput();
			assert.match(items[1] ?? '', /^Program, node → \/.*node$/);
			const folder = items.findIndex(it => it.startsWith('Working directory, '));
			const program = '../node_modules/@modelcontextprotocol/server-everything/dist/index.js';
			assert.equal(
				items.slice(2, folder).join('').replaceAll('…, ', ''),
				`Arguments, ${path.join(projectRoot, 'demo')}/${program}`,
			);
			assert.deepEqual(items.toSpliced(1, folder - 1), [
				'Reason, New server: not allowed before, About this server',
				`Working directory, ${path.join(projectRoot, 'demo')}`,
				'Exposed folders, demo',
				'Configured in, .vscode/mcp.json in folder "demo"',
				'Start, Decision',
				'Deny',
				'Show in Full',
			]);
		});
		await workbench.row('everythingNeeds consent').waitFor();
		assert.deepEqual(serverProcesses(workbench), []);
	});

	it('starts the server and shows what it offers', async () => {
		await mouse.pick('Start');
		await everyRow([
			'everything Running · 2025-11-25 · stdio',
			'Tools 19 · ≈ 2,519 tokens',
			'Resources 7',
			'Templates 2',
			'Prompts 4',
			'Exposed Folders 1 of 1',
			'filesystem Stopped',
			'garden Stopped',
			'tracker Stopped',
		]);
		assert.equal(serverProcesses(workbench).length, 1);
	});

	it('opens a resource as text in its language', async () => {
		await mouse.toggle(workbench.row('Resources'));
		await mouse.clickRow(workbench.row('architecture.md'));
		await tab('architecture.md');
		await eventually('the text', async () => {
			assert.match(await editorText(workbench), /^# Everything Server – Architecture/);
		});
		await workbench.page.locator('.statusbar-item', { hasText: 'Markdown' }).waitFor();
		await mouse.toggle(workbench.row('Resources'));
	});

	it('asks for the arguments of a tool on its page, and checks them', async () => {
		await mouse.toggle(workbench.row('Tools'));
		await mouse.openTool(workbench.row('Get Sum'));
		await workbench.field('a').fill('12x');
		await workbench.field('b').fill('30');
		await workbench.resultFrame().locator('.form').getByText('Enter a number').first().waitFor();
		await workbench.field('a').fill('12');
	});

	it('runs the tool and shows its result', async () => {
		await workbench.field('a').press('Control+Enter');
		await tab('get-sum · everything');
		await workbench.resultFrame().getByText('The sum of 12 and 30 is 42.').waitFor();
	});

	it('shows the progress of a call, which can be canceled', async () => {
		await mouse.openTool(workbench.row('Trigger Long'));
		await workbench.runPage();
		const frame = workbench.resultFrame();
		await frame.locator('.progress', { hasText: /\d of 5/ }).waitFor();
		await frame.getByRole('button', { name: 'Cancel', exact: true }).click();
		await frame.locator('.status.cancelled').waitFor();
		await tab('trigger-long-running-operation · everything');
		await workbench.row('everythingRunning').waitFor();
	});

	it('denies a call of another extension', async () => {
		await workbench.page.keyboard.press('Control+Alt+Shift+E');
		const asked = await workbench.notification('An extension or keybinding wants to run echo on everything');
		await mouse.press(asked, 'Deny');
		await callerWasTold('Caller was told: The call to echo was denied.');
	});

	it('shows every fact of such a call as text', async () => {
		await workbench.page.keyboard.press('Control+Alt+Shift+E');
		await mouse.press(await workbench.notification('wants to run echo on everything'), 'Review');
		await mouse.step('Allow "echo" on "everything"?');
		await eventually('the facts', async () => {
			const { items } = await workbench.readQuickInput();
			const shown = items.join('\n');
			for (const line of [
				/^"message", "\$\u200B\(zap\)␣, Arguments\n…, \[click\]\(command:fixture\.callEcho\)␣\n…, \\u\{202e\}txt"$/m,
				/^Show in Full, 1 of 1 arguments aren't fully shown \(\d+ B in total\)$/m,
				/^Caller, Extension or keybinding, About this call$/m,
				/^Server claims, Unverified: Read-only, /m,
				/^Reason, No rule allows this call, so you're asked$/m,
				/^Allow Once, Opens the full view first, Decision\nDeny$/m,
			]) {
				assert.match(shown, line);
			}
		});
		assert.equal(await workbench.page.locator('.quick-input-list .codicon-zap').count(), 0, 'the text makes no icon');
	});

	it('allows the call after its hidden arguments were shown', async () => {
		await mouse.pick('Allow Once');
		await eventually('the full view', async () => assert.match(await editorText(workbench), /202e/));
		await mouse.press(await workbench.notification('is waiting for your decision.'), 'Return to Request');
		await mouse.step('Allow "echo" on "everything"?');
		await mouse.pick('Allow Once');
		await callerWasTold('Caller got: 1 block');
	});

	it('runs a server of the newest revision beside the older one', async () => {
		await mouse.toggle(workbench.row('everythingRunning'));
		await mouse.clickAction(workbench.row('garden'), 'Start Server');
		await mouse.step('Allow "garden" to start?');
		await mouse.pick('Start');
		await workbench.row('gardenRunning · 2026-07-28 · stdio').waitFor();
		assert.equal(serverProcesses(workbench).length, 2);
	});

	// covers: tools.outputSchema
	it('checks a structured result against the output schema of the tool', async () => {
		await mouse.toggle(workbench.row('Tools'));
		await mouse.openTool(workbench.row('Plant'));
		await workbench.field('bed').selectOption('south');
		await workbench.runPage({ plant: 'kale' });
		await tab('plant · garden');
		const frame = workbench.resultFrame();
		await frame.getByText('Matches the output schema').waitFor();
		await frame.locator('.tree .row', { hasText: 'plants:3' }).waitFor();
	});

	it('shows the log of a server', async () => {
		await workbench.chooseFromMenu(workbench.row('everything'), 'Show Log');
		await workbench.page.locator('.output .view-lines, .output-view .view-lines').first().waitFor();
		await eventually('the log', () => {
			const log = serverLog(workbench, 'everything');
			assert.match(log, /\[info\] Running: mcp-servers\/everything 2\.0\.0, protocol revision 2025-11-25\./);
			assert.match(log, /\[info\] \[stderr\] Starting default \(STDIO\) server/);
			assert.match(log, /\[info\] \[server, everything-server\] Roots updated: 1 root/);
		});
	});

	it('stops the servers and leaves no process', async () => {
		for (const server of ['garden', 'everything']) {
			await mouse.clickAction(workbench.row(server), 'Stop Server');
			await workbench.row(`${server}Stopped`).waitFor();
		}
		await everyRow(['everything Stopped', 'filesystem Stopped', 'garden Stopped', 'tracker Stopped']);
		assert.deepEqual(serverProcesses(workbench), []);
	});

	async function callerWasTold(text: string): Promise<void> {
		await workbench.page.locator('.statusbar-item', { hasText: text }).waitFor();
	}
});
