/** Tells a person once which of their settings no longer exist, and what to use instead. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { didUseButton } from '../commands.js';
import { goneSettings, movedOptions, movedSettings, Settings } from '../contributions.js';
import type { EditorState } from '../storage/editorState.js';
import { openMachineSetting, placedValues, userValueOf } from './config.js';

/** @param state of all windows */
export async function tellRemovedSettings(state: EditorState): Promise<void> {
	const { t } = vscode.l10n;
	const told = state.get('removedSettings');
	const known: readonly unknown[] = Array.isArray(told) ? told : [];
	const found = findRemoved().filter(([id]) => !known.includes(id));
	if (found.length === 0) {
		return;
	}
	await state.update('removedSettings', [...known, ...found.map(([id]) => id)]);
	const sentences = found.map(([id, successor]) =>
		successor === undefined ? t('{0} no longer exists.', id) : t('{0} is now {1}.', id, successor),
	);
	const open = t('Open Settings (JSON)');
	if ((await vscode.window.showWarningMessage(sentences.join(' '), open)) === open) {
		didUseButton();
		// Most removed settings were not of scope `machine`, so they are in the local file of a remote window too.
		await (found.every(([id]) => id.startsWith(Settings.serverOptions))
			? openMachineSetting('serverOptions')
			: vscode.commands.executeCommand('workbench.action.openSettingsJson'));
	}
}

/** Each with what replaces it. */
function findRemoved(): readonly (readonly [id: string, successor: string | undefined])[] {
	const options = Object.values(placedValues('serverOptions')).flatMap(it => (isObject(it) ? Object.values(it) : []));
	return [
		...[...goneSettings, ...Object.keys(movedSettings)]
			.filter(it => userValueOf(it) !== undefined)
			.map(it => [it, movedSettings[it]] as const),
		...Object.entries(movedOptions)
			.filter(([key]) => options.some(it => isObject(it) && Object.hasOwn(it, key)))
			.map(([key, now]) => [`${Settings.serverOptions} → "${key}"`, `${Settings.tools} → "${now}"`] as const),
	];
}
