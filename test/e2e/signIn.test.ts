/** A server that wants to know who we are: what a person sees before anything is opened. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { Guarded } from '../integration/auth/guarded.js';
import { eventually, pictureOnFailure } from './support.js';

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
});
