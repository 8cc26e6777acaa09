/** A server that wants to know who we are: what a person sees, and the way through a browser. */
import * as assert from 'node:assert/strict';
import { projectRoot } from '../host/paths.js';
import type { Workbench } from '../host/workbench.js';
import { Guarded } from '../integration/auth/guarded.js';
import { editorText, eventually, pictureOnFailure } from './support.js';
import { askedToSignIn, openTracker, signInByBrowser } from './tracker.js';

describe('signing in', function () {
	this.timeout(180_000);
	let tracker: Guarded;
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		tracker = await Guarded.start(projectRoot);
		bench = await openTracker(tracker);
	});
	after(async () => {
		await bench.dispose();
		await tracker.stop();
	});

	it('shows who asks for what, and its line stays with a key where nobody signs in', async () => {
		await bench.clickAction(bench.row('tracker'), 'Start Server');
		await askedToSignIn(bench);
		await bench.screenshots(['light', 'dark'], theme => `sign-in-1-sheet-${theme}`);
		await bench.pick('Not Now');
		await bench.row('trackerNeeds sign-in').waitFor();
		await bench.screenshots(['light', 'dark'], theme => `sign-in-2-needed-${theme}`);
	});

	it('leads to a page in the browser, and back into the editor', async () => {
		await bench.clickAction(bench.row('tracker'), 'Sign In');
		await signInByBrowser(bench, 'sign-in-3-running');
	});

	it('goes on without any question when the token has ended', async () => {
		await tracker.wish('lines');
		await tracker.wish('endTokens');
		await bench.clickAction(bench.row('tracker'), 'Stop Server');
		await bench.row('trackerStopped').waitFor();
		await bench.clickAction(bench.row('tracker'), 'Start Server');
		await bench.row('trackerRunning').waitFor();
		assert.deepEqual(await tracker.wish('lines'), ['grant refresh_token']);
	});

	it('its line says when the sign-in has ended for good, and a call goes on after the next one', async () => {
		await tracker.wish('endAll');
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.pick('who-am-i');
		await bench.pick('Run');
		const toast = await bench.notification('tracker needs you to sign in: Your sign-in has expired');
		await bench.row('trackerNeeds sign-in').waitFor();
		await bench.screenshots(['light', 'dark'], theme => `sign-in-5-ended-${theme}`);
		await bench.press(toast, 'Review');
		await signInByBrowser(bench);
		await bench.resultFrame().getByText('You are Ada').first().waitFor();
		await bench.runCommand('View: Close All Editors');
	});

	it('tells every step', async () => {
		await bench.chooseFromMenu(bench.row('tracker'), 'Manage Account…');
		await bench.pick('Show Sign-in Report');
		const reads = (what: RegExp): Promise<void> =>
			eventually(`"${what.source}" in the report`, async () => {
				assert.match(await editorText(bench), what);
			});
		await reads(/returned  outcome: code/);
		await bench.screenshots(['light', 'dark'], theme => `sign-in-4-report-${theme}`);
		// Its lines are broken where the window ends: not all of them are seen at once.
		await bench.page.locator('.editor-instance .view-line').first().click();
		await bench.page.keyboard.press('Control+F');
		await bench.page.keyboard.insertText('by: refresh');
		await reads(/granted  by: refresh/);
	});
});
