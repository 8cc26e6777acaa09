/** The page that the oldest editor shows for the installed extension. */
import * as assert from 'node:assert/strict';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { openReadmePage } from './readmePage.js';
import { eventually, pictureOnFailure } from './support.js';

describe("the extension's page in the oldest editor", function () {
	this.timeout(180_000);
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({ machine: { editor: 'oldest' } });
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	it('shows the pictures of README that are part of it', async () => {
		const pictures = await openReadmePage(workbench, undefined);
		await eventually('the pictures', async () => {
			const widths = (await pictures()).map(it => it.naturalWidth);
			assert.ok(widths.length > 0 && widths.every(it => it >= 1200), `${widths.join(', ')} pixels`);
		});
		await workbench.screenshot('readme');
	});
});
