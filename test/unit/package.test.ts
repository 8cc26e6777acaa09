/** What is shipped: exactly what runs, and what the editor shows about it. */
import * as assert from 'node:assert/strict';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../host/paths.js';

describe('the package', () => {
	it('holds only what runs', async function () {
		// Loading the packager alone takes seconds.
		this.timeout(180_000);
		const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
		assert.deepEqual(files.toSorted(), [
			'CHANGELOG.md',
			'LICENSE',
			'README.md',
			'dist/api.d.ts',
			'dist/authorization.js',
			'dist/extension.js',
			'dist/result.js',
			'dist/validator.js',
			'l10n/bundle.l10n.zh-cn.json',
			'media/activityBar.svg',
			'media/icon.png',
			'media/result.css',
			'media/schemas/mcpPolicy.schema.json',
			'media/schemas/mcpServers.schema.json',
			'package.json',
			'package.nls.json',
			'package.nls.zh-cn.json',
		]);
	});
});
