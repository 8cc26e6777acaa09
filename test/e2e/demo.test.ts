/** The demo workspace in the real workbench: what the walk of the gate (test/walk) doesn't prove. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure, serverLog, titled } from './support.js';

describe('the demo workspace', function () {
	this.timeout(180_000);
	const lock = path.join(projectRoot, 'demo', '.vscode', 'mcp-lock.json');
	let workbench: Workbench;

	before(async () => {
		// What was approved on another day may have been another version.
		fs.rmSync(lock, { force: true });
		workbench = await openWorkbench({
			workspace: path.join(projectRoot, 'demo'),
			inPlace: true,
			confirmServers: 'newOrChanged',
		});
		await workbench.openView('MCP Workbench');
		await workbench.clickAction(workbench.row('everything'), 'Start Server');
		await titled(workbench, 'Allow "everything" to start?');
		await workbench.pick('Start');
		await workbench.row('Tools19').waitFor();
	});

	after(async () => {
		await workbench.dispose();
		fs.rmSync(lock, { force: true });
	});
	pictureOnFailure(() => workbench);

	const callerWasTold = async (what: string): Promise<void> => {
		await workbench.page.locator('.statusbar-item', { hasText: what }).waitFor();
	};

	it('keeps what was typed when the form disappears', async () => {
		await workbench.toggle(workbench.row('Tools'));
		await workbench.runTool(workbench.row('Echo Tool'));
		await titled(workbench, 'echo · everything');
		await workbench.quickInput().fill('half a sent');
		await workbench.dismiss();
		await workbench.runTool(workbench.row('Echo Tool'));
		await eventually('what was typed', async () => {
			assert.equal(await workbench.quickInput().inputValue(), 'half a sent');
		});
		await workbench.dismiss();
	});

	it('gives its folders to a server of the newest revision in the middle of a call', async () => {
		await workbench.clickAction(workbench.row('garden'), 'Start Server');
		await titled(workbench, 'Allow "garden" to start?');
		await workbench.pick('Start');
		await workbench.row('gardenRunning').waitFor();
		await workbench.ask('MCP Workbench: Run Tool…');
		await workbench.answer('Inspect Folders');
		await workbench.pick('Run');
		await workbench.resultFrame().getByText('You work in 1 folder(s): demo').waitFor();
		await workbench.runCommand('View: Close All Editors');
		await workbench.clickAction(workbench.row('garden'), 'Stop Server');
		await workbench.row('gardenStopped').waitFor();
	});

	describe('when another extension calls a tool', () => {
		const review = async (): Promise<void> => {
			await workbench.runCommand('Fixture: Call Echo');
			const asked = await workbench.notification('An extension or keybinding wants to run echo on everything');
			await workbench.press(asked, 'Review');
			await titled(workbench, 'Allow "echo" on "everything"?');
		};

		it('keeps the request when its sheet is dismissed', async () => {
			await review();
			await workbench.dismiss();
			await workbench.row('Pending Requests').waitFor();
			await workbench.runCommand('MCP Workbench: Answer Pending Requests…');
			await workbench.pick('Deny');
			await callerWasTold('Caller was told: The call was denied.');
		});

		it('does not allow the call by Enter alone', async () => {
			await review();
			await workbench.page.keyboard.press('Enter');
			assert.equal((await workbench.readQuickInput()).title, 'Allow "echo" on "everything"?');
			await workbench.pick('Deny');
			await callerWasTold('Caller was told: The call was denied.');
		});

		it('gives it the API, and asks about its call by its name', async () => {
			await workbench.runCommand('Fixture: Use the API');
			const asked = await workbench.notification(
				'An extension that calls itself "fixture.caller" wants to run echo on everything',
			);
			await workbench.press(asked, 'Review');
			await eventually('the sheet', async () => {
				const { items } = await workbench.readQuickInput();
				const caller = 'Caller, Extension "fixture.caller" (unverified)';
				assert.ok(
					items.some(it => it.startsWith(caller)),
					items.join('\n'),
				);
			});
			await workbench.pick('Allow Once');
			await callerWasTold('Caller got: Echo: hello');
		});
	});

	it('logs the messages of a server once the log level is Trace', async () => {
		const setLogLevel = async (level: string): Promise<void> => {
			await workbench.ask('Developer: Set Log Level...');
			await workbench.pick('MCP Workbench: everything');
			await workbench.pick(level);
			await workbench.quickInput().waitFor({ state: 'hidden' });
		};
		const getRoots = async (): Promise<void> => {
			await workbench.runTool(workbench.row('Get Roots List'));
			await workbench.pick('Run');
			await workbench.resultFrame().getByText('Current MCP Roots').waitFor();
			await workbench.runCommand('View: Close All Editors');
		};
		// Tests begin at trace, for the check of what is sent (test/support/wireLog.ts).
		await setLogLevel('Info');
		const before = serverLog(workbench, 'everything').length;
		await getRoots();
		assert.doesNotMatch(serverLog(workbench, 'everything').slice(before), /jsonrpc/);
		await setLogLevel('Trace');
		await getRoots();
		await eventually('the messages', async () => {
			const log = serverLog(workbench, 'everything').slice(before);
			assert.match(log, /\[trace\] \[client → server\] \d+ B \{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call"/);
			assert.match(log, /\[trace\] \[server → client\] \d+ B \{.*file:\/\/.*demo/);
		});
	});
});
