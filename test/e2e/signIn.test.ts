/** A server that wants to know who we are: what a person sees, and the way through a browser. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Guarded } from '../integration/auth/guarded.js';
import { editorText, eventually, pictureOnFailure } from './support.js';

describe('signing in', function () {
	this.timeout(180_000);
	let tracker: Guarded;
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		tracker = await Guarded.start(projectRoot);
		const workspace = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-sign-in-')), 'w');
		fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
		const servers = { tracker: { type: 'http', url: tracker.url } };
		fs.writeFileSync(path.join(workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
		bench = await openWorkbench({ workspace, inPlace: true });
		await bench.openView('MCP Workbench');
	});
	after(async () => {
		await bench.dispose();
		await tracker.stop();
	});

	const step = (title: string): Promise<void> =>
		eventually(title, async () => assert.equal((await bench.readQuickInput()).title, title));

	it('shows who asks for what, and its line stays with a key where nobody signs in', async () => {
		await bench.clickAction(bench.row('tracker'), 'Start Server');
		await step('Sign in to "tracker"?');
		await bench.screenshots(['light', 'dark'], theme => `sign-in-1-sheet-${theme}`);
		await bench.pick('Not Now');
		await bench.row('trackerneeds sign-in').waitFor();
		await bench.screenshots(['light', 'dark'], theme => `sign-in-2-needed-${theme}`);
	});

	it('leads to a page in the browser, and back into the editor', async () => {
		await bench.clickAction(bench.row('tracker'), 'Sign In');
		await step('Sign in to "tracker"?');
		const opened = bench.page.context().waitForEvent('page');
		await bench.pick('Sign In');
		const page = await opened;
		// The server that tests start has no such proxy itself.
		await page.waitForURL(/\/proxy\//, { waitUntil: 'commit' });
		await page.goto(page.url().replace(/^.*\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/'));
		await page.getByLabel('Your name').fill('Ada');
		await page.getByRole('button', { name: 'Allow' }).click();
		await bench.row('trackerrunning').waitFor();
		await bench.screenshot('sign-in-3-running');
		await page.close();
	});

	it('goes on without any question when the token has ended', async () => {
		await tracker.wish('lines');
		await tracker.wish('endTokens');
		await bench.clickAction(bench.row('tracker'), 'Stop Server');
		await bench.row('trackerstopped').waitFor();
		await bench.clickAction(bench.row('tracker'), 'Start Server');
		await bench.row('trackerrunning').waitFor();
		assert.deepEqual(await tracker.wish('lines'), ['grant refresh_token']);
	});

	it('tells every step', async () => {
		await bench.chooseFromMenu(bench.row('tracker'), 'Account…');
		await bench.pick('Show Sign-in Report');
		await eventually('the report', async () => {
			assert.match(await editorText(bench), /Refreshed without asking you/);
		});
		await bench.screenshots(['light', 'dark'], theme => `sign-in-4-report-${theme}`);
	});
});
