/** What is said of a tool that the person disables. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { enableTool, tellDisabled } from '../../../../src/features/tools/enableTool.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { serverOptions } from '../../../../src/editor/workspace/serverOptions.js';
import { settings, Uri, window, workspace } from '../../../support/vscodeDouble.js';

describe('a tool that is disabled', () => {
	const source = { kind: 'vscodeFolder', uri: '', folderUri: 'file:///first', folderName: 'first' } as const;
	const definition = { name: 'garden', source };
	const server = {
		definition,
		get options(): unknown {
			return serverOptions(definition);
		},
	} as unknown as Server;
	let told: string[];
	let choice: string | undefined;

	beforeEach(() => {
		[told, choice] = [[], undefined];
		mock.method(window, 'showInformationMessage', (...said: string[]) => {
			told.push(said.join(' | '));
			return Promise.resolve(choice);
		});
	});
	afterEach(() => {
		mock.reset();
		settings.clear();
		workspace.workspaceFile = undefined;
	});

	it('says in which file, and can be enabled again', async () => {
		await tellDisabled('weed', await enableTool(server, 'weed', false));
		assert.deepEqual(server.options.disabledTools, ['weed']);
		choice = 'Undo';
		await tellDisabled('mow', await enableTool(server, 'mow', false));
		assert.deepEqual(server.options.disabledTools, ['weed']);
		await enableTool(server, 'weed', true);
		assert.deepEqual(server.options.disabledTools, []);
		const sentence = 'is disabled in .vscode/settings.json. | Undo';
		assert.deepEqual(told, [`weed ${sentence}`, `mow ${sentence}`]);
	});

	it('says so of a workspace file, of its folder, and of User Settings', async () => {
		workspace.workspaceFile = Uri.parse('file:///w/all.code-workspace');
		const disable = async (it: Server): Promise<void> => tellDisabled('weed', await enableTool(it, 'weed', false));
		await disable(server);
		settings.set('mcpWorkbench.tools', { workspaceFolderValue: { garden: { disabled: ['mow'] } } });
		await disable(server);
		settings.clear();
		const mine = { ...source, kind: 'userSettings', folderUri: undefined, folderName: undefined };
		await disable({ definition: { ...definition, source: mine } } as unknown as Server);
		assert.deepEqual(
			told.map(it => it.replace('weed is disabled in ', '')),
			['all.code-workspace. | Undo', '.vscode/settings.json in folder "first". | Undo', 'User Settings. | Undo'],
		);
	});
});
