import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { VersionedState } from '../../../../src/editor/storage/versionedState.js';
import { SettingsReport } from '../../../../src/editor/workspace/settingsReport.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { commands, makeMemento, settings, workspace } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, stopTime } from '../../../support/stoppedClock.js';

describe('removed settings that are set', () => {
	const original = vscode.window.showWarningMessage;

	beforeEach(() => {
		stopTime();
		setManifestDefaults();
	});
	afterEach(() => {
		settings.clear();
		mock.reset();
	});
	after(() => Object.assign(vscode.window, { showWarningMessage: original }));

	const newState = (memento = makeMemento()): VersionedState => new VersionedState(memento);

	/**
	 * What one window says of them.
	 * @param answer to the message; never answered if the editor hides it
	 */
	async function told(state: VersionedState, answer?: Promise<string | undefined>, change?: string): Promise<object> {
		const [log, messages]: [string[], string[]] = [[], []];
		let didChange = (_change: object): void => undefined;
		mock.method(workspace, 'onDidChangeConfiguration', (listener: typeof didChange) => {
			didChange = listener;
			return { dispose: () => undefined };
		});
		const showWarningMessage = (message: string, ...buttons: string[]): Promise<string | undefined> => {
			messages.push([message, ...buttons].join(' | '));
			return answer ?? Promise.resolve(undefined);
		};
		Object.assign(vscode.window, { showWarningMessage });
		const report = new SettingsReport({ warn: line => log.push(line) }, state);
		passTime(1000);
		if (change !== undefined) {
			settings.set(change, { globalValue: 7 });
			didChange({ affectsConfiguration: (id: string) => id === change });
			passTime(1000);
		}
		await settled();
		report.dispose();
		return { log, messages };
	}

	const message =
		'MCP Workbench: 2 of your settings no longer exist: limits.redirects, limits.pages. | Open Settings (JSON)';
	const log = ['Removed settings are ignored: mcpWorkbench.limits.redirects, mcpWorkbench.limits.pages.'];
	const setTwo = (): void => {
		settings.set('mcpWorkbench.limits.pages', { globalValue: 7 });
		settings.set('mcpWorkbench.limits.redirects', { globalValue: 0 });
	};

	it('are named in the log of each window, and in a message until one was closed', async () => {
		const state = newState();
		assert.deepEqual(await told(state), { log: [], messages: [] });
		setTwo();
		assert.deepEqual(await told(state, new Promise(() => undefined)), { log, messages: [message] });
		assert.deepEqual(await told(state), { log, messages: [message] });
		assert.deepEqual(await told(state), { log, messages: [] });
	});

	it('are found in the settings by the button', async () => {
		setTwo();
		const execute = mock.method(commands, 'executeCommand', () => Promise.resolve());
		await told(newState(), Promise.resolve('Open Settings (JSON)'));
		assert.deepEqual(
			execute.mock.calls.map(it => it.arguments as unknown[]),
			[['workbench.action.openSettingsJson', { revealSetting: { key: 'mcpWorkbench.limits.redirects' } }]],
		);
	});

	it('are noticed when they are set later', async () => {
		assert.deepEqual(await told(newState(), undefined, 'mcpWorkbench.limits.pages'), {
			log: ['Removed settings are ignored: mcpWorkbench.limits.pages.'],
			messages: ['MCP Workbench: The setting limits.pages no longer exists. | Open Settings (JSON)'],
		});
	});

	it('are only logged where the state cannot be written', async () => {
		setTwo();
		const memento = { ...makeMemento(), update: () => Promise.reject(new Error('full')) };
		assert.deepEqual(await told(newState(memento)), {
			log: [...log, 'The message about removed settings failed: full'],
			messages: [message],
		});
	});

	it('of a workspace say nothing: it could never set them', async () => {
		settings.set('mcpWorkbench.limits.pages', { workspaceValue: 7 });
		assert.deepEqual(await told(newState()), { log: [], messages: [] });
	});
});
