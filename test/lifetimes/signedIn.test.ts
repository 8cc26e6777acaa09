/**
 * Sign-ins outlive the window. In code-server's own entry, as on a desktop, secrets are kept: in the browser's
 * storage for the editor, sealed with two halves of a key, one of which is a file of the server's user data.
 */
import * as assert from 'node:assert/strict';
import { projectRoot } from '../host/paths.js';
import type { Workbench } from '../host/workbench.js';
import { Guarded } from '../integration/auth/guarded.js';
import { eventually, pictureOnFailure } from '../e2e/support.js';
import { askedToSignIn, openTracker, signInByBrowser } from '../e2e/tracker.js';

describe('staying signed in', function () {
	this.timeout(180_000);
	// Each step stands on the one before.
	this.bail(true);
	let tracker: Guarded;
	let bench: Workbench;
	pictureOnFailure(() => bench);

	before(async () => {
		tracker = await Guarded.start(projectRoot);
		bench = await openTracker(tracker, { keepsSecrets: true });
	});
	after(async () => {
		await bench.dispose();
		await tracker.stop();
	});

	/** What the editor keeps secrets as: only whether it has changed is to be seen. */
	const sealed = (): Promise<string | null> => bench.page.evaluate<string | null>(`localStorage['secrets.provider']`);

	async function start(): Promise<void> {
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('tracker'), 'Start Server');
	}

	async function runsAndIsKnown(): Promise<void> {
		await bench.row('trackerRunning').waitFor();
		await bench.ask('MCP Workbench: Run Tool…');
		await bench.pick('who-am-i');
		await bench.resultFrame().getByText('You are Ada, and may use notes:read').first().waitFor();
		await bench.runCommand('View: Close All Editors');
	}

	it('signs in once, by the browser', async () => {
		const before = await sealed();
		await start();
		await signInByBrowser(bench);
		await eventually('the tokens to be kept', async () => assert.notEqual(await sealed(), before));
		assert.equal(await tracker.wish('requests'), 1);
	});

	it('is signed in after a reload of the window', async () => {
		await bench.page.reload();
		await bench.whenReady();
		await start();
		await runsAndIsKnown();
		assert.equal(await tracker.wish('requests'), 1, 'nobody was sent to a page again');
	});

	it('is signed in after a restart of the editor, though the token has ended', async () => {
		await tracker.wish('lines');
		await tracker.wish('endTokens');
		await bench.machine.restartServer();
		await bench.page.reload();
		await bench.whenReady();
		await start();
		await runsAndIsKnown();
		assert.equal(await tracker.wish('requests'), 1, 'nobody was sent to a page again');
		assert.deepEqual(await tracker.wish('lines'), ['grant refresh_token']);
	});

	it('has forgotten it all after signing out', async () => {
		const before = await sealed();
		await bench.chooseFromMenu(bench.row('tracker'), 'Server Options…');
		await bench.pick('Account…');
		await bench.pick('Sign Out');
		await bench.notification('Signed out of tracker. The tokens were deleted.');
		await eventually('the tokens to be forgotten', async () => assert.notEqual(await sealed(), before));
		await bench.page.reload();
		await bench.whenReady();
		await start();
		await askedToSignIn(bench);
		await bench.pick('Not Now');
		await bench.row('trackerNeeds sign-in').waitFor();
		assert.deepEqual(await tracker.wish('lines'), ['refresh token destroyed']);
		assert.equal(await tracker.wish('requests'), 1);
	});
});
