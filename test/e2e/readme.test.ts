/** Pages that the editor shows for the installed extension: README in the oldest editor, and the documentation. */
import * as assert from 'node:assert/strict';
import type { MachineOptions } from '../host/machine.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { openReadmePage } from './readmePage.js';
import { eventually, pictureOnFailure } from './support.js';

describe('pages of the installed extension', function () {
	this.timeout(180_000);
	let workbench: Workbench | undefined;
	pictureOnFailure(() => workbench);
	afterEach(() => workbench?.dispose());

	const open = async (machine: MachineOptions): Promise<Workbench> => (workbench = await openWorkbench({ machine }));

	it('in the oldest editor, shows the pictures that are part of README', async () => {
		const pictures = await openReadmePage(await open({ editor: 'oldest' }), undefined);
		await eventually('the pictures', async () => {
			const widths = (await pictures()).map(it => it.naturalWidth);
			assert.ok(widths.length > 0 && widths.every(it => it >= 1200), `${widths.join(', ')} pixels`);
		});
		await workbench?.screenshot('readme-oldest');
	});

	it('finds a page of the documentation by a question, and shows its pictures', async () => {
		const bench = await open({ builtIns: 'all' });
		await bench.ask('MCP Workbench: Open Documentation…');
		await bench.quickInput().fill('how do I stop being asked about every call?');
		await eventually('the page that answers the question', async () => {
			assert.match((await bench.readQuickInput()).items[0] ?? '', /^Approvals/);
		});
		await bench.screenshot('documentation-search');
		await bench.pick('Approvals');
		const pictures = bench.resultFrame().locator('img');
		await eventually('the picture', async () => {
			const widths = await pictures.evaluateAll(all =>
				all.map(it => (it as unknown as { readonly naturalWidth: number }).naturalWidth),
			);
			assert.ok(widths.length > 0 && widths.every(it => it >= 600), `${widths.join(', ')} pixels`);
		});
		await bench.screenshot('documentation');
	});
});
