// The editor host itself: what it starts it also ends, whatever happens.
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';

const fixture = path.join(projectRoot, 'test', 'fixtures', 'hostextension');

describe('openWorkbench', () => {
	let workbench: Workbench | undefined;
	afterEach(async () => {
		await workbench?.dispose();
	});

	for (const editor of ['newest', 'oldest'] as const) {
		it(`shows a real workbench with toasts (${editor})`, async () => {
			workbench = await openWorkbench({ editor, vsix: [], extensions: [fixture] });
			await workbench.runCommand('Host Fixture: Hello');
			await workbench.notification('Hello from the fixture');
			await workbench.openView('Explorer');
			await workbench.screenshot(`host-${editor}`);
			const t = Date.now();
			console.log(await workbench.rows(), await workbench.notifications());
			await workbench.dispose();
			console.log(Date.now() - t);
			assert.deepEqual(workbench.session.processes(), []);
		});
	}
});
