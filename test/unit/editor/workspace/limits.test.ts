import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { limits } from '../../../../src/editor/workspace/config.js';
import { defaultLimits } from '../../../../src/mcp/index.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { settings as values } from '../../../support/vscodeDouble.js';

const megabyte = 1024 * 1024;

describe('limits', () => {
	before(setManifestDefaults);
	after(() => values.clear());

	it('messageSize is a setting; what makes no sense is the default or the least', async () => {
		const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpWorkbench.limits');
		const preset = defaultLimits.messageBytes;
		assert.equal(
			configuration().inspect('messageSize')?.defaultValue,
			preset / megabyte,
			'the default of the manifest',
		);
		assert.deepEqual(limits(), defaultLimits);
		try {
			for (const [value, expected] of [
				[7, 7 * megabyte],
				[0, megabyte],
				[-3, preset],
				['many', preset],
			] as const) {
				await configuration().update('messageSize', value, vscode.ConfigurationTarget.Global);
				assert.deepEqual(limits(), { ...defaultLimits, messageBytes: expected }, String(value));
			}
		} finally {
			await configuration().update('messageSize', undefined, vscode.ConfigurationTarget.Global);
		}
	});
});
