/** Elicitations: the message, the tree, the Status Bar, and answers by a form or a page. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { settledQuickInput } from '../host/gestures.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure, titled } from './support.js';

const modules = path.join(projectRoot, 'node_modules', '@modelcontextprotocol');

describe('a server that asks', function () {
	this.timeout(180_000);
	const workspace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-asks-')), 'workspace');
	let workbench: Workbench;

	before(async () => {
		fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
		const everything = path.join(modules, 'server-everything', 'dist', 'index.js');
		fs.writeFileSync(
			path.join(workspace, '.vscode', 'mcp.json'),
			JSON.stringify({ servers: { everything: { command: 'node', args: [everything] } } }),
		);
		workbench = await openWorkbench({ workspace, inPlace: true });
		await workbench.openView('MCP Workbench');
		await workbench.clickAction(workbench.row('everything'), 'Start Server');
		await workbench.row('everythingRunning').waitFor();
		// It tells of some of them a moment after it has started.
		await workbench.row('Tools19').waitFor();
		await workbench.toggle(workbench.row('Tools'));
		await workbench.row('Trigger Elicitation Request').waitFor();
	});
	after(async () => {
		await workbench.dispose();
		fs.rmSync(path.dirname(workspace), { recursive: true });
	});
	pictureOnFailure(() => workbench);

	const picture = async (name: string): Promise<void> => {
		await workbench.screenshots(['light', 'dark'], theme => `elicitation-${name}-${theme}`);
	};
	const step = (title: string): Promise<void> => titled(workbench, title);

	it('is told by a message, and keeps what was typed until it is answered', async () => {
		await workbench.runTool(workbench.row('Trigger Elicitation Request'));
		const toast = await workbench.notification(
			'everything asks you: "Please provide inputs for the following fields:"',
		);
		await workbench.row('Pending Requests').waitFor();
		await picture('1-message');
		await toast.locator('.monaco-button', { hasText: 'Answer' }).click();
		await step('Answer · everything');
		const { message } = await workbench.readQuickInput();
		assert.match(message, /^everything asks: "Please provide inputs for the following fields:" · /);
		await workbench.quickInput().fill('Ada Love');
		await picture('2-step');
		await workbench.page.keyboard.press('Escape');
		await workbench.quickInput().waitFor({ state: 'hidden' });
		// The one button to press is that of the question.
		await workbench
			.resultFrame()
			.locator('.progress', { hasText: /Server is waiting for you · \d+ s/ })
			.waitFor();
		assert.deepEqual(await workbench.notifications(), []);
		await workbench.click(workbench.page.locator('[id="mcp-workbench.mcp-workbench.servers"]', { hasText: '1 1' }));
		await step('Answer · everything');
		assert.equal(await workbench.quickInput().inputValue(), 'Ada Love');
		await workbench.answer('Ada Lovelace');
		const review = (): Promise<void> =>
			eventually('the review', async () => {
				const { title, items } = await workbench.readQuickInput();
				assert.deepEqual(
					[title, ...items.slice(0, 4).map(it => it.replace(/[:,].*/s, ''))],
					['Answer · everything', 'everything asks', 'Submit', 'Decline', 'Cancel Request'],
				);
			});
		await review();
		await settledQuickInput(workbench.page);
		// A part of "Decline", but typed as a value.
		await workbench.quickInput().fill('ecl');
		await eventually('the only line', async () => {
			const { items } = await workbench.readQuickInput();
			assert.match(items.join('\n'), /^.*Typing only filters this list\. To change a value, select it\.$/);
		});
		await picture('3-typed');
		await workbench.accept();
		await review();
		await picture('3-review');
		await workbench.pick('Submit');
		await workbench.resultFrame().getByText('Ada Lovelace').first().waitFor();
		await workbench.row('Pending Requests').waitFor({ state: 'detached' });
		await picture('4-answered');
	});

	it('asks for a page, which is shown before it is opened, at its address to the letter', async () => {
		const query = '?next=http%3A%2F%2Fe.example%2F%3Fa%3D1%26b%3D%252F&state=s%2B';
		const context = workbench.page.context();
		await context.route('https://*/sign-in*', route => route.fulfill({ body: 'Here you are.' }));
		await workbench.runTool(workbench.row('Trigger URL Elicitation'));
		await workbench.runPage({ url: `https://xn--pple-43d.com/sign-in${query}` });
		await workbench.notification('everything asks you:');
		await workbench.toggle(workbench.row('Pending Requests'));
		await picture('5-waiting');
		await workbench.click(workbench.view().locator('.monaco-list-row', { hasText: 'Wants to open' }));
		await step('"everything" asks you to open a page');
		await picture('6-page');
		const opened = context.waitForEvent('page');
		// The editor asks as well.
		await workbench.pickToSee('Open in Browser', workbench.page.locator('.monaco-dialog-box'));
		await workbench.press(await workbench.dialog(), 'Open');
		const page = await opened;
		await page.getByText('Here you are.').waitFor();
		assert.equal(new URL(page.url()).search, query);
		await page.close();
		// This server never says that the page has been finished: it waits for nobody once the call has ended.
		await workbench.row('Pending Requests').waitFor({ state: 'hidden' });
	});
});
