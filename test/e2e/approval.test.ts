/** Approval sheets of calls that a policy asks about, and of a tool whose definition has changed. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, OwnWorkspace, pictureOnFailure, titled } from './support.js';

const server = path.join(projectRoot, 'test', 'fixtures', 'servers', 'changing.mjs');

const headings = /, (?:Change|Arguments|About this call|Decision)$/;

describe('approving calls', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('approval', 'garden');
	let workbench: Workbench;

	before(async () => {
		workspace.write('mcp.json', { servers: { garden: { command: 'node', args: [server] } } });
		workspace.write('mcp-policy.json', { rules: [{ decision: 'ask', tool: 'water' }] });
		workbench = await openWorkbench({ workspace: workspace.folder, inPlace: true });
		await workbench.openView('MCP Workbench');
		await workbench.clickAction(workbench.row('garden'), 'Start Server');
		await workbench.row('gardenRunning').waitFor();
		await workbench.toggle(workbench.row('Tools'));
		await workbench.row('water').waitFor();
	});
	after(async () => {
		await workbench.dispose();
		workspace.remove();
	});
	pictureOnFailure(() => workbench);
	afterEach(async function () {
		if (this.currentTest?.state === 'failed') {
			// What it has left waiting ends with the server.
			await workbench.runCommand('View: Close All Editors');
			await workbench.clickAction(workbench.row('garden'), 'Stop Server');
			await workbench.clickAction(workbench.row('garden'), 'Start Server');
			await workbench.row('gardenRunning').waitFor();
		}
	});

	const step = (title: string): Promise<void> => titled(workbench, title);
	/** Without the headings, which a screen reader is told with the first line below each. */
	const facts = async (): Promise<string[]> =>
		(await workbench.readQuickInput()).items.map(it => it.replace(headings, ''));
	const picture = (name: string): Promise<void> =>
		workbench.screenshots(['light', 'dark'], theme => `approval-${theme}-${name}`);
	const back = async (): Promise<void> => {
		await workbench.press(await workbench.notification('is waiting for your decision.'), 'Return to Request');
		await step('Allow "water" on "garden"?');
	};
	const runWater = async (): Promise<void> => {
		await workbench.runTool(workbench.row('water'));
		await workbench.runPage();
		await step('Allow "water" on "garden"?');
	};

	it('shows every fact of a call that a rule asks about; Enter alone allows nothing', async () => {
		await workbench.runTool(workbench.row('water'));
		await workbench.runPage({ bed: `${workspace.folder}/roses and ${'a long way to the end of it '.repeat(20)}` });
		await step('Allow "water" on "garden"?');
		const seen = await facts();
		assert.match(seen[0] ?? '', /^"bed", "/);
		for (const fact of [
			/^Show in Full, 1 of 1 arguments aren't fully shown \(\d+ B in total\)$/,
			/^Caller, You$/,
			/^Paths, /,
			/^Server claims, No hints about what the tool does$/,
			/^Reason, Rule 1 of mcp-policy\.json$/,
			/^Allow Once, Opens the full view first$/,
			/^Deny$/,
		]) {
			assert.ok(
				seen.some(it => fact.test(it)),
				seen.join('\n'),
			);
		}
		await picture('1-sheet');
		await workbench.page.keyboard.press('Enter');
		await step('Allow "water" on "garden"?');
		await workbench.dismiss();
		await workbench.row('Pending Requests').waitFor();
		await workbench.runCommand('MCP Workbench: Answer Pending Requests…');
		await workbench.pick('Deny');
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
		await workbench.resultFrame().getByText('Run the tool to see its result here.').waitFor();
		assert.equal(fs.existsSync(path.join(workspace.folder, '.vscode', 'mcp-lock.json')), false, 'and nothing locked');
	});

	it('opens the rule that asks, and runs the call after approval', async () => {
		await runWater();
		await workbench.pick('Reason');
		await workbench.tab('mcp-policy.json').waitFor();
		await back();
		await workbench.pick('Always Allow…');
		await eventually('the full view', async () => assert.match(await editorText(workbench), /a long way to the end/));
		await picture('3-full');
		await back();
		await workbench.pick('Always Allow…');
		await picture('3-always');
		await workbench.pick('This tool');
		// What the sheet has opened is closed.
		await workbench.click(workbench.tab('water · garden'));
		await workbench.resultFrame().locator('.status', { hasText: 'Done' }).waitFor();
		await workbench.tab('water (request) · garden').waitFor({ state: 'detached' });
		await workbench.runCommand('View: Close All Editors');
	});

	it('marks a tool whose definition has changed, and shows the difference', async () => {
		// Lines move up when nothing waits any more.
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
		await workbench.runTool(workbench.row('change'));
		await workbench.row('waterDefinition changed').waitFor();
		await workbench.runCommand('View: Close All Editors');
		await workbench.clickAction(workbench.row('water'), 'Review Change');
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await workbench.notification('The definition of water on garden has changed: Description');
		await picture('4-change');
		await workbench.click(workbench.page.locator('.notification-toast .codicon-notifications-clear').first());
		await workbench.runCommand('View: Close All Editors');
	});
});
