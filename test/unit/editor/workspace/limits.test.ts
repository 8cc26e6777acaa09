import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { limits } from '../../../../src/editor/workspace/config.js';
import { defaultLimits, type Limits } from '../../../../src/mcp/index.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { settings as values } from '../../../support/vscodeDouble.js';

const megabyte = 1024 * 1024;

describe('limits', () => {
	before(setManifestDefaults);
	after(() => values.clear());

	/** The setting of each, and what its unit is. */
	const settings: Readonly<Record<keyof Limits, readonly [name: string, unit?: number]>> = {
		messageBytes: ['messageSize', megabyte],
		decodedBytes: ['decompressedSize', megabyte],
		redirects: ['redirects'],
		pages: ['pages'],
		items: ['entries'],
		requestsInFlight: ['requestsInFlight'],
		answersOwed: ['answersOwed'],
		notificationsPerSecond: ['notificationsPerSecond'],
		stderrLines: ['stderrLines'],
	};

	for (const [limit, [name, unit = 1]] of Object.entries(settings)) {
		it(`${name} is a setting; what makes no sense is the default or the least`, async () => {
			const read = (): number => limits()[limit as keyof Limits];
			const preset = defaultLimits[limit as keyof Limits];
			const configuration = (): vscode.WorkspaceConfiguration =>
				vscode.workspace.getConfiguration('mcpWorkbench.limits');
			assert.equal(configuration().inspect(name)?.defaultValue, preset / unit, 'the default of the manifest');
			assert.equal(read(), preset);
			try {
				const least = ['redirects', 'notificationsPerSecond'].includes(name) ? 0 : 1;
				for (const [value, expected] of [
					[7, 7 * unit],
					[0, least * unit],
					[-3, preset],
					['many', preset],
				] as const) {
					await configuration().update(name, value, vscode.ConfigurationTarget.Global);
					assert.equal(read(), expected, String(value));
				}
			} finally {
				await configuration().update(name, undefined, vscode.ConfigurationTarget.Global);
			}
		});
	}
});
