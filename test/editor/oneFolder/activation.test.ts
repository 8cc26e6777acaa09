// Covers M1: the extension activates where a workspace configures servers, and starts none of them.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, extensionId, records } from '../../integration/support.js';

describe('activation in a workspace with servers', () => {
	it('happens when the workspace opens', async () => {
		const extension = vscode.extensions.getExtension(extensionId);
		await eventually('the activation', () => extension?.isActive === true || undefined);
	});

	it('lists the servers and starts none', async () => {
		const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId) ?? assert.fail('not installed');
		// The list is complete once the configuration has been read.
		const servers = await eventually('the servers', () => {
			const listed = extension.exports.servers();
			return listed.length > 0 ? listed : undefined;
		});
		assert.deepEqual(
			servers.map(({ name, state }) => `${name}: ${state}`),
			[
				'recorder: stopped',
				'keyed: stopped',
				'asking: stopped',
				'rounds: stopped',
				'garden: stopped',
				'shed: stopped',
				'busy: stopped',
				'library: stopped',
				'everything: stopped',
				'missing: stopped',
				'dies: stopped',
				'silent: stopped',
				'unknown: stopped',
			],
		);
		assert.deepEqual(records(), []);
	});
});
