/** The page that the editor shows for the installed extension. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import type { Workbench } from '../host/workbench.js';
import { packer } from '../support/packer.js';

/** A picture as it is shown. */
interface Picture {
	/** Pixels in a row of the file that was loaded; 0 if none was. */
	readonly naturalWidth: number;
	/** Pixels in a row on the page; 0 if there is nothing to see, not even a sign that a picture is missing. */
	readonly offsetWidth: number;
}

/**
 * Opens the page with README as it is packed, and returns its pictures.
 * @param repository what package.json names; the files of this folder are found there
 */
export async function openReadmePage(
	workbench: Workbench,
	repository: string | undefined,
): Promise<() => Promise<Picture[]>> {
	const { page, session } = workbench;
	const extensions = path.join(session.folder, 'editor', 'extensions');
	const [installed = ''] = fs.readdirSync(extensions).filter(it => it.startsWith('mcp-workbench.'));
	const read = (file: string): Buffer => fs.readFileSync(path.join(projectRoot, file));
	const readme = packer.rewriteLinks('extension/readme.md', read('README.md').toString(), new Set(), repository, read);
	fs.writeFileSync(path.join(extensions, installed, 'readme.md'), readme);
	if (repository !== undefined) {
		const raw = `${repository}/raw/HEAD/`;
		await page.route(`${raw}**`, route =>
			route.fulfill({ path: path.join(projectRoot, route.request().url().slice(raw.length)) }),
		);
	}
	await workbench.openView('Extensions');
	await workbench.click(page.locator('.extension-list-item', { hasText: 'MCP Workbench' }));
	await workbench.resultFrame().getByRole('heading', { name: 'MCP Workbench', exact: true }).waitFor();
	return () =>
		workbench
			.resultFrame()
			.locator('img')
			.evaluateAll(all =>
				(all as unknown as Picture[]).map(({ naturalWidth, offsetWidth }) => ({ naturalWidth, offsetWidth })),
			);
}
