/** Whether an open document has the settings of the person. While it is half-typed, their servers stay as they were. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUserSettings } from '../../../../src/features/servers/configPlaces.js';

describe("the person's settings", () => {
	const { getWorkspaceFolder } = vscode.workspace;
	before(() => {
		Object.assign(vscode.workspace, {
			getWorkspaceFolder: (uri: vscode.Uri) => (uri.path.startsWith('/work/') ? {} : undefined),
		});
	});
	after(() => {
		Object.assign(vscode.workspace, { getWorkspaceFolder });
	});

	for (const [uri, isTheirs] of [
		['vscode-userdata:/home/me/.config/Code/User/settings.json', true],
		['vscode-userdata:/home/me/.config/Code/User/profiles/-1a2b/settings.json', true],
		['file:///home/me/.config/Code/User/settings.json', true],
		['file:///home/me/.vscode-server/data/Machine/settings.json', true],
		['file:///home/me/django/project/settings.json', false],
		['file:///home/me/.claude/settings.json', false],
		['file:///home/me/garden/.vscode/settings.json', false],
		['file:///work/User/settings.json', false],
		['git:/home/me/.config/Code/User/settings.json', false],
		['untitled:/User/settings.json', false],
	] as const) {
		it(`are ${isTheirs ? '' : 'not '}${uri}`, () => {
			assert.equal(isUserSettings({ uri: vscode.Uri.parse(uri) }), isTheirs);
		});
	}
});
