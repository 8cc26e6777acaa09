/** Tells a person once which of their settings no longer exist, and what to use instead. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { didUseButton } from '../commands.js';
import { goneSettings, movedOptions, movedSettings, Settings } from '../contributions.js';
import type { VersionedState } from '../storage/versionedState.js';
import { placedValues, userValueOf } from './config.js';

/** @param state of all windows */
export async function tellRemovedSettings(state: VersionedState): Promise<void> {
	const { t } = vscode.l10n;
	const told = state.get('removedSettings');
	const known: readonly unknown[] = Array.isArray(told) ? told : [];
	const found = findRemoved().filter(([name]) => !known.includes(name));
	if (found.length === 0) {
		return;
	}
	const names = found.map(([name, successor]) =>
		successor === undefined ? name : t('{0} (now {1})', name, successor),
	);
	const message = t('MCP Workbench: These settings no longer exist: {0}.', names.join(', '));
	const open = t('Open Settings (JSON)');
	// The promise resolves when the person closes the message, not when the editor hides it.
	const chosen = await vscode.window.showWarningMessage(message, open);
	if (chosen === open) {
		didUseButton();
		await vscode.commands.executeCommand('workbench.action.openSettingsJson');
	}
	await state.update('removedSettings', [...known, ...found.map(([name]) => name)]);
}

function findRemoved(): readonly (readonly [name: string, successor: string | undefined])[] {
	const options = Object.values(placedValues('serverOptions')).flatMap(it => (isObject(it) ? Object.values(it) : []));
	return [
		...[...goneSettings, ...Object.keys(movedSettings)]
			.filter(it => userValueOf(it) !== undefined)
			.map(it => [it, movedSettings[it]] as const),
		...movedOptions
			.filter(key => options.some(it => isObject(it) && Object.hasOwn(it, key)))
			.map(key => [`${Settings.serverOptions} → ${key}`, Settings.tools] as const),
	];
}
