/** A person runs tools where a policy wants them to look first, and one of the tools becomes another. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, OwnWorkspace, pictureOnFailure, titled } from './support.js';

const server = path.join(projectRoot, 'test', 'fixtures', 'servers', 'changing.mjs');

const today = new Date().toLocaleDateString('en', { dateStyle: 'medium' });

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
		await workbench.row('gardenrunning').waitFor();
		await workbench.toggle(workbench.row('Tools'));
		await workbench.row('water').waitFor();
	});
	after(async () => {
		await workbench.dispose();
		workspace.remove();
	});
	pictureOnFailure(() => workbench);

	const step = (title: string): Promise<void> => titled(workbench, title);
	const facts = async (): Promise<string[]> => (await workbench.readQuickInput()).items;
	const picture = (name: string): Promise<void> =>
		workbench.screenshots(['light', 'dark'], theme => `approval-${theme}-${name}`);
	const runWater = async (): Promise<void> => {
		await workbench.clickAction(workbench.row('water'), 'Run Tool');
		await workbench.pick('Run');
		await step('Allow "water" on garden?');
	};

	it('shows every fact of a call that a rule asks about; Enter alone allows nothing', async () => {
		await workbench.clickAction(workbench.row('water'), 'Run Tool');
		await step('water · garden (1/1)');
		await workbench.answer(`${workspace.folder}/roses and ${'a long way to the end of it '.repeat(20)}`);
		await step('water · garden');
		await workbench.pick('Run');
		await step('Allow "water" on garden?');
		const seen = await facts();
		assert.match(seen[0] ?? '', /^bed, "/);
		assert.ok(
			seen.some(it => it.endsWith('in all, shown in full only')),
			seen.join('\n'),
		);
		for (const fact of [
			'asked by, you',
			'reaches, garden',
			'server says, nothing of what it may do',
			'why asked, rule 1 of mcp-policy.json',
		]) {
			assert.ok(seen.includes(fact), seen.join('\n'));
		}
		await picture('1-sheet');
		await workbench.page.keyboard.press('Enter');
		await step('Allow "water" on garden?');
		await workbench.dismiss();
		assert.deepEqual(await workbench.page.locator('.tab').allTextContents(), [], 'nothing was called');
		assert.equal(fs.existsSync(path.join(workspace.folder, '.vscode', 'mcp-lock.json')), false, 'and nothing pinned');
	});

	it('leads to the rule, explains, and runs it', async () => {
		await runWater();
		await workbench.pickToSee('why asked', workbench.tab('mcp-policy.json'));
		await step('Allow "water" on garden?');
		await workbench.answer('Explain Decision');
		await eventually('the explanation', async () => assert.match(await editorText(workbench), /→ asked: rule 1 of/));
		await picture('2-explained');
		await workbench.runCommand('View: Close All Editors');
		await runWater();
		await workbench.pick('Always Allow…');
		await picture('3-always');
		await workbench.pick('This Tool');
		await workbench.page.locator('.tab', { hasText: 'water · garden' }).waitFor();
		await workbench.runCommand('View: Close All Editors');
	});

	it('marks a tool that has become another, and shows what differs', async () => {
		await workbench.clickAction(workbench.row('change'), 'Run Tool');
		await workbench.pick('Run');
		await workbench.row('waterdefinition changed').waitFor();
		await workbench.runCommand('View: Close All Editors');
		await workbench.clickAction(workbench.row('water'), 'Review Change');
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await workbench.notification(`The definition of water on garden has changed: description (since ${today})`);
		await picture('4-change');
		await workbench.click(workbench.page.locator('.notification-toast .codicon-notifications-clear').first());
		await workbench.runCommand('View: Close All Editors');
	});

	it('asks about it again, and allows nothing before the difference was seen', async () => {
		await workbench.ask('MCP Workbench: Run Tool…');
		await workbench.answer('water');
		await workbench.pick('Run');
		await step('Allow "water" on garden?');
		const seen = await facts();
		assert.equal(seen[0], `definition changed, description (since ${today})`);
		assert.ok(seen.includes('Allow Once, once its change was shown'), seen.join('\n'));
		await picture('5-changed');
		await workbench.pick('Allow Once');
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await eventually('what may be allowed now', async () => assert.ok((await facts()).includes('Allow Once')));
		await picture('6-seen');
		await workbench.pick('Allow Once');
		await workbench.page.locator('.tab', { hasText: 'water · garden' }).waitFor();
		// The lock file still has what was always allowed.
		await workbench.row('waterdefinition changed').waitFor();
		await workbench.clickAction(workbench.row('waterdefinition changed'), 'Review Change');
		await workbench.page.locator('.notification-toast').getByRole('button', { name: 'Accept Change' }).click();
		await eventually('a tool like any other', async () =>
			assert.ok((await workbench.rows()).every(it => !it.text.includes('definition changed'))),
		);
	});
});
