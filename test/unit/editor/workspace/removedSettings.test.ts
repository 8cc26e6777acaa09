import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tellRemovedSettings } from '../../../../src/editor/workspace/removedSettings.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { settings } from '../../../support/vscodeDouble.js';

describe('settings that no longer exist', () => {
	const { showWarningMessage } = vscode.window;
	afterEach(() => {
		Object.assign(vscode.window, { showWarningMessage });
		settings.clear();
	});

	it('are named once, with what to use instead', async () => {
		const kept = new Map<string, unknown>();
		const memento = {
			get: (key: string) => kept.get(key),
			update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
		};
		const state = new EditorState(memento as unknown as vscode.Memento);
		const told: string[] = [];
		let end: Promise<void> = Promise.resolve();
		Object.assign(vscode.window, { showWarningMessage: (message: string) => end.then(() => void told.push(message)) });
		await tellRemovedSettings(state);
		assert.deepEqual(told, []);
		settings.set('mcpWorkbench.usePathOfShell', { globalValue: true });
		settings.set('mcpWorkbench.demoServer', { globalValue: true });
		await tellRemovedSettings(state);
		settings.set('mcpWorkbench.serverOptions', { globalValue: { a: { disabledTools: ['b'], era: 'legacy' } } });
		let close = (): void => undefined;
		end = new Promise(resolve => (close = resolve));
		const first = tellRemovedSettings(state);
		// Of another window, while the message is open.
		await tellRemovedSettings(state);
		close();
		await first;
		assert.deepEqual(told, [
			'mcpWorkbench.demoServer no longer exists. mcpWorkbench.usePathOfShell is now mcpWorkbench.serverOptions → "*" → "usePathOfShell".',
			'mcpWorkbench.serverOptions → "disabledTools" is now mcpWorkbench.tools → "disabled".',
		]);
	});
});
