/** Signing in to a protected server: the screens, and the steps in the browser. */
import { projectRoot } from '../host/paths.js';
import type { Workbench } from '../host/workbench.js';
import { Guarded } from '../integration/auth/guarded.js';
import { pictureOnFailure } from './support.js';
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
});
