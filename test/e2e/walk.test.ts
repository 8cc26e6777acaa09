/**
 * The first five minutes of a person with the demo workspace, in the real workbench with the packaged
 * extension: start a real server, browse it, open a resource, run tools, answer for a call that someone
 * else makes, read the log, stop.
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, pictureOnFailure, serverLog, serverProcesses, titled } from './support.js';

describe('a walk through the demo', function () {
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
	});

	after(async () => {
		await workbench.dispose();
		fs.rmSync(lock, { force: true });
	});
	pictureOnFailure(() => workbench);

	/** Waits until the quick input has that title: a step is another input in the same place. */
	const step = (title: string): Promise<void> => titled(workbench, title);
	const tree = async (): Promise<string[]> => (await workbench.rows()).map(it => it.text);

	describe('by hand', () => {
		it('lists the configured servers and starts nothing by itself', async () => {
			await workbench.openView('MCP Workbench');
			await workbench.row('everything').waitFor();
			await workbench.screenshot('walk-1-servers');
			assert.deepEqual(await tree(), ['everything Stopped', 'filesystem Stopped', 'garden Stopped', 'tracker Stopped']);
			assert.deepEqual(serverProcesses(workbench), []);
		});

		it('shows what a server of the workspace will run, before it runs', async () => {
			await workbench.clickAction(workbench.row('everything'), 'Start Server');
			await step('Allow "everything" to start?');
			await eventually('the facts', async () => {
				const { items } = await workbench.readQuickInput();
				assert.match(items[1] ?? '', /^Program, node → \/.*node$/);
				assert.deepEqual(items.toSpliced(1, 1), [
					'Reason, New server, About this server',
					'Arguments, ${workspaceFolder}/../node_modules/',
					'…, @modelcontextprotocol/server-everything/dist/',
					'…, index.js',
					`Working directory, ${path.join(projectRoot, 'demo')}`,
					'Exposed folders, demo',
					'Configured in, .vscode/mcp.json in folder "demo"',
					'Start, Decision',
					'Deny',
					'Show in Full',
				]);
			});
			await workbench.row('everythingNeeds consent').waitFor();
			await workbench.screenshot('walk-1b-consent');
			assert.deepEqual(serverProcesses(workbench), []);
		});

		it('starts a server and shows what it offers', async () => {
			await workbench.pick('Start');
			await eventually('the groups with their counts', async () => {
				assert.deepEqual(await tree(), [
					'everything Running · 2025-11-25 · stdio',
					'Tools 19',
					'Resources 7',
					'Resource Templates 2',
					'Prompts 4',
					'Exposed Folders 1 of 1',
					'filesystem Stopped',
					'garden Stopped',
					'tracker Stopped',
				]);
			});
			assert.equal(serverProcesses(workbench).length, 1);
		});

		it('opens a text resource in its language', async () => {
			await workbench.toggle(workbench.row('Resources'));
			await workbench.click(workbench.row('architecture.md'));
			await workbench.page.locator('.tab', { hasText: 'architecture.md' }).waitFor();
			await eventually('the text', async () => {
				assert.match(await editorText(workbench), /^# Everything Server – Architecture/);
			});
			await workbench.page.locator('.statusbar-item', { hasText: 'Markdown' }).waitFor();
			await workbench.screenshot('walk-2-resource');
			await workbench.toggle(workbench.row('Resources'));
		});

		it('asks for the arguments of a tool, checks them while they are typed, and shows them before it runs', async () => {
			await workbench.toggle(workbench.row('Tools'));
			await workbench.runTool(workbench.row('Get Sum'));
			await step('get-sum · everything (1/2)');
			await workbench.quickInput().fill('12x');
			await workbench.quickInput().press('Enter');
			await eventually('the complaint', async () => {
				const { message } = await workbench.readQuickInput();
				assert.equal(message, '"12x" isn\'t a number · a — First number (Required. Enter a number.)');
			});
			await workbench.screenshot('walk-3-validation');
			await workbench.answer('12');
			await step('get-sum · everything (2/2)');
			await workbench.answer('30');
			await step('get-sum · everything');
			assert.deepEqual((await workbench.readQuickInput()).items, [
				'a *, 12',
				'b *, 30',
				'Run',
				'Edit as JSON…',
				'Cancel',
			]);
			await workbench.screenshot('walk-4-review');
		});

		it('shows the result beside', async () => {
			await workbench.pick('Run');
			await workbench.page.locator('.tab', { hasText: 'get-sum · everything' }).waitFor();
			await workbench.resultFrame().getByText('The sum of 12 and 30 is 42.').waitFor();
			await workbench.screenshot('walk-5-result');
			await workbench.runCommand('View: Close All Editors');
		});

		it('keeps what was typed when the form disappears', async () => {
			await workbench.runTool(workbench.row('Echo Tool'));
			await step('echo · everything');
			await workbench.quickInput().fill('half a sent');
			await workbench.dismiss();
			await workbench.runTool(workbench.row('Echo Tool'));
			await eventually('what was typed', async () => {
				assert.equal(await workbench.quickInput().inputValue(), 'half a sent');
			});
			await workbench.dismiss();
		});

		it('shows how far a long call is, and cancels it', async () => {
			await workbench.runTool(workbench.row('Trigger Long'));
			await workbench.pick('Run');
			const toast = await workbench.notification(/trigger-long-running-operation: \d s · 1 of 5/);
			await workbench.screenshot('walk-6-progress');
			await workbench.press(toast, 'Cancel');
			await toast.waitFor({ state: 'detached' });
			await workbench
				.resultFrame()
				.locator('.status.cancelled', { hasText: /^Canceled · / })
				.waitFor();
			await workbench.screenshot('walk-6b-cancelled');
			await workbench.runCommand('View: Close All Editors');
			assert.equal((await tree())[0], 'everything Running · 2025-11-25 · stdio');
		});
	});

	describe('a server of the newest revision', () => {
		it('runs beside the older one, and says so', async () => {
			await workbench.clickAction(workbench.row('garden'), 'Start Server');
			await step('Allow "garden" to start?');
			await workbench.pick('Start');
			await workbench.row('gardenRunning · 2026-07-28 · stdio').waitFor();
		});

		// covers: tools.outputSchema
		it('gives a structured result, which is checked against what the tool promises', async () => {
			await workbench.ask('MCP Workbench: Run Tool…');
			await workbench.answer('garden · plant');
			await step('plant · garden (1/2)');
			await workbench.pick('south');
			await step('plant · garden (2/2)');
			await workbench.answer('kale');
			await step('plant · garden');
			await workbench.pick('Run');
			const frame = workbench.resultFrame();
			await frame.getByText('Matches the output schema').waitFor();
			await frame.locator('.tree .row', { hasText: 'plants:3' }).waitFor();
			await workbench.runCommand('View: Close All Editors');
		});

		it('asks for the folders in the middle of a call, and gets them', async () => {
			await workbench.ask('MCP Workbench: Run Tool…');
			await workbench.answer('Inspect Folders');
			await workbench.pick('Run');
			await workbench.resultFrame().getByText('You work in 1 folder(s): demo').waitFor();
			await workbench.screenshot('walk-6b-two-eras');
			await workbench.runCommand('View: Close All Editors');
			await workbench.clickAction(workbench.row('garden'), 'Stop Server');
			await workbench.row('gardenStopped').waitFor();
		});
	});

	describe('when another extension calls a tool', () => {
		const call = async (): Promise<void> => {
			await workbench.runCommand('Fixture: Call Echo');
			await workbench.page.locator('.statusbar-item', { hasText: 'Caller calls' }).waitFor();
			await workbench.notification('An extension or keybinding wants to run echo on everything');
		};
		const press = async (button: string): Promise<void> =>
			workbench.press(workbench.page.locator('.notification-toast'), button);
		const callerWasTold = async (what: string): Promise<void> => {
			await workbench.page.locator('.statusbar-item', { hasText: what }).waitFor();
		};

		it('asks first, and denies', async () => {
			await call();
			await workbench.screenshot('walk-7-notification');
			await press('Deny');
			await callerWasTold('Caller was told: The call was denied.');
		});

		it('shows every fact, as text; Escape decides nothing', async () => {
			await call();
			await press('Review');
			await eventually('the sheet', async () => {
				const { title, items } = await workbench.readQuickInput();
				assert.equal(title, 'Allow "echo" on "everything"?');
				const shown = items.join('\n');
				for (const line of [
					/^"message", "\$\u200B\(zap\)␣, Arguments\n…, \[click\]\(command:fixture\.callEcho\)␣…$/m,
					/^Show in Full, 1 of 1 arguments aren't fully shown \(\d+ B in total\)$/m,
					/^Caller, Extension or keybinding, About this call$/m,
					/^Paths, Possibly outside the workspace: "\$\u200B\(zap\)$/m,
					/^Server claims, Unverified: Read-only, /m,
					/^Reason, No rule allows this call, so you're asked$/m,
					/^Allow Once, Opens the full view first, Decision\nDeny$/m,
				]) {
					assert.match(shown, line);
				}
			});
			assert.equal(await workbench.page.locator('.quick-input-list .codicon-zap').count(), 0, 'no icon is made of it');
			await workbench.screenshot('walk-8-approval');
			await workbench.dismiss();
			await workbench.row('Pending Requests').waitFor();
			await workbench.runCommand('MCP Workbench: Answer Pending Requests…');
			await workbench.pick('Deny');
			await callerWasTold('Caller was told: The call was denied.');
		});

		it('does not allow by Enter alone', async () => {
			await call();
			await press('Review');
			await workbench.readQuickInput();
			await workbench.page.keyboard.press('Enter');
			assert.equal((await workbench.readQuickInput()).title, 'Allow "echo" on "everything"?');
			await workbench.pick('Deny');
			await callerWasTold('Caller was told: The call was denied.');
		});

		it('runs it once it is allowed', async () => {
			await call();
			await press('Review');
			await workbench.pick('Allow Once');
			await eventually('the full view', async () => assert.match(await editorText(workbench), /202e/));
			await workbench.press(await workbench.notification('is waiting for your decision.'), 'Return to Request');
			await workbench.pick('Allow Once');
			await callerWasTold('Caller got: 1 block');
		});

		it('uses the API: reads what it may, and is asked about for a call, by its name', async () => {
			await workbench.runCommand('Fixture: Use the API');
			await callerWasTold('Caller sees: 19 tools and # Everything Server');
			await workbench.notification('An extension that calls itself "fixture.caller" wants to run echo on everything');
			await press('Review');
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

	describe('in the end', () => {
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

		it('logs its life, its stderr and its own messages, and the wire once that is asked for', async () => {
			await workbench.clickAction(workbench.row('everything'), 'Show Log');
			await eventually('the log', async () => {
				const log = serverLog(workbench, 'everything');
				assert.match(log, /\[info\] Running: mcp-servers\/everything 2\.0\.0, protocol revision 2025-11-25\./);
				assert.match(log, /\[info\] \[stderr\] Starting default \(STDIO\) server/);
				assert.match(log, /\[info\] \[server, everything-server\] Roots updated: 1 root/);
			});
			await workbench.page.locator('.output .view-lines, .output-view .view-lines').first().waitFor();
			await workbench.screenshot('walk-9-log');

			// Tests begin at trace, for the check of what is sent (test/support/wireLog.ts).
			await setLogLevel('Info');
			const before = serverLog(workbench, 'everything').length;
			await getRoots();
			assert.doesNotMatch(serverLog(workbench, 'everything').slice(before), /jsonrpc/);
			await setLogLevel('Trace');
			await getRoots();
			await eventually('the wire', async () => {
				const log = serverLog(workbench, 'everything').slice(before);
				assert.match(log, /\[trace\] \[client → server\] \d+ B \{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call"/);
				assert.match(log, /\[trace\] \[server → client\] \d+ B \{.*file:\/\/.*demo/);
			});
		});

		it('stops the server and leaves no process', async () => {
			await workbench.clickAction(workbench.row('everything'), 'Stop Server');
			await eventually('the stopped server', async () => {
				assert.deepEqual(await tree(), [
					'everything Stopped',
					'filesystem Stopped',
					'garden Stopped',
					'tracker Stopped',
				]);
			});
			assert.deepEqual(serverProcesses(workbench), []);
		});
	});
});
