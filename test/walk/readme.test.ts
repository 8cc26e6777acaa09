/** The page that the newest editor shows for the installed extension. */
import * as assert from 'node:assert/strict';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { openReadmePage } from '../e2e/readmePage.js';
import { eventually, pictureOnFailure } from '../e2e/support.js';

describe("the extension's page", () => {
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({ machine: {} });
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	it('shows the pictures of README that are in the repository', async () => {
		const pictures = await openReadmePage(workbench, 'https://example.org/a/b');
		await eventually('the pictures', async () => {
			const widths = (await pictures()).map(it => it.naturalWidth);
			assert.ok(widths.length > 0 && widths.every(it => it >= 1200), `${widths.join(', ')} pixels`);
		});
		await workbench.runCommand('View: Close All Editors');
	});

	it('shows the words of pictures, and no broken picture, if there is no repository', async () => {
		const pictures = await openReadmePage(workbench, undefined);
		const shown = await pictures();
		assert.ok(shown.length > 0 && shown.every(it => it.offsetWidth === 0));
		const words = workbench.resultFrame().locator('p:has(img) em');
		assert.equal(await words.count(), shown.length);
		await words.first().waitFor();
		await workbench.screenshot('readme-without-pictures');
	});
});
