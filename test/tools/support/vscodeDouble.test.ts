import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settings, Uri, workspace } from '../../support/vscodeDouble.js';
import { setManifestDefaults } from '../../support/manifestDefaults.js';
import { checkEditor } from '../../support/vscodeDoubleChecks.js';

describe('the double of the editor', () => {
	before(setManifestDefaults);
	checkEditor(vscode);
	after(() => settings.clear());

	it('is what files of the host import', () => {
		assert.equal<unknown>(vscode.Uri, Uri);
	});

	it('combines settings as the editor does', () => {
		settings.set('a.b', { defaultValue: 1, globalValue: 2 });
		assert.deepEqual(
			[workspace.getConfiguration('a').get('b'), workspace.getConfiguration().inspect('a.b')],
			[2, { key: 'a.b', defaultValue: 1, globalValue: 2 }],
		);
		settings.clear();
		assert.equal(workspace.getConfiguration('a').get('b', 3), 3);
	});
});
