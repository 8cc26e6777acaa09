import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, extensionId } from '../support.js';

describe('a workspace with nothing but .mcp.json', () => {
	it('wakes the extension, which lists its server and starts nothing', async () => {
		const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
		assert.ok(extension);
		await eventually('activation', () => (extension.isActive ? true : undefined));
		const states = extension.exports.servers().map(({ name, state }) => `${name}: ${state}`);
		assert.deepEqual(states, ['project: stopped']);
	});
});
