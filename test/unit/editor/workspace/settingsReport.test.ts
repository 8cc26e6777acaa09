import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { KeptState } from '../../../../src/editor/storage/keptState.js';
import { SettingsReport } from '../../../../src/editor/workspace/settingsReport.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { makeMemento, settings } from '../../../support/vscodeDouble.js';

describe('removed settings that are set', () => {
	const original = vscode.window.showWarningMessage;

	before(() => mock.timers.enable({ apis: ['setTimeout'] }));
	beforeEach(setManifestDefaults);
	afterEach(() => settings.clear());
	after(() => {
		mock.timers.reset();
		Object.assign(vscode.window, { showWarningMessage: original });
	});

	/** What one window says of them. */
	function told(state: KeptState): { readonly log: readonly string[]; readonly messages: readonly string[] } {
		const [log, messages]: string[][] = [[], []];
		const showWarningMessage = (message: string): Promise<undefined> => {
			messages?.push(message);
			return Promise.resolve(undefined);
		};
		Object.assign(vscode.window, { showWarningMessage });
		const report = new SettingsReport({ warn: line => log?.push(line) }, state);
		mock.timers.tick(1000);
		report.dispose();
		return { log: log ?? [], messages: messages ?? [] };
	}

	it('are named in the log of each window, and in one message', () => {
		const state = new KeptState(makeMemento(), { info: () => undefined });
		assert.deepEqual(told(state), { log: [], messages: [] });
		settings.set('mcpWorkbench.limits.pages', { globalValue: 7 });
		settings.set('mcpWorkbench.limits.redirects', { globalValue: 0 });
		const names = 'mcpWorkbench.limits.redirects, mcpWorkbench.limits.pages';
		const log = [`Removed settings are ignored: ${names}.`];
		assert.deepEqual(told(state), {
			log,
			messages: [`These settings were removed and have no effect: ${names}. You can delete them.`],
		});
		assert.deepEqual(told(state), { log, messages: [] });
	});

	it('of a workspace say nothing: it could never set them', () => {
		settings.set('mcpWorkbench.limits.pages', { workspaceValue: 7 });
		assert.deepEqual(told(new KeptState(makeMemento(), { info: () => undefined })), { log: [], messages: [] });
	});
});
