import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, extensionId } from '../support.js';

describe('a workspace with nothing but .mcp.json', () => {
	it('wakes the extension, which lists its server and starts nothing', async () => {
		const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
		assert.ok(extension);
		await eventually('activation', () => (extension.isActive ? true : undefined));
		// A slow disk does not hold activation up.
		const servers = await eventually('its server', () => {
			const found = extension.exports.servers();
			return found.length > 0 ? found : undefined;
		});
		assert.deepEqual(
			servers.map(({ name, state }) => `${name}: ${state}`),
			['project: stopped'],
		);
	});
});
