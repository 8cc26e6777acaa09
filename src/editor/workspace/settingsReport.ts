/**
 * Logs once for each window which values of our settings are ignored or adjusted. For settings that no longer exist, a
 * message is shown too, until the person has closed it once.
 */
import * as vscode from 'vscode';
import type { Logger } from '../../base/log.js';
import { debounce } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import { problemsOf, type SettingKey, type SettingProblem, settingRules } from '../../core/config/settings.js';
import { didUseButton } from '../commands.js';
import { isStillSet, placedValues } from './config.js';
import { removedSettings, Settings } from '../contributions.js';
import type { VersionedState } from '../storage/versionedState.js';

const keys = Object.keys(settingRules) as readonly SettingKey[];

/** Milliseconds that the report is delayed, so that activation doesn't wait for it. */
const reportMs = 500;

export class SettingsReport extends Owner {
	private readonly told = new Set<string>();
	private readonly reporting = this.own(debounce(reportMs, () => this.report()));

	/** @param state of all windows */
	constructor(
		private readonly log: Pick<Logger, 'warn'>,
		private readonly state: VersionedState,
	) {
		super();
		this.reporting.schedule();
		this.own(
			vscode.workspace.onDidChangeConfiguration(change => {
				if ([...Object.values(Settings), ...removedSettings].some(it => change.affectsConfiguration(it))) {
					this.reporting.schedule();
				}
			}),
		);
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.reporting.schedule()));
	}

	private report(): void {
		const folders = vscode.workspace.workspaceFolders ?? [];
		for (const key of keys) {
			// `undefined` reads User Settings and the workspace.
			for (const folder of [undefined, ...folders.map(it => it.uri.toString())]) {
				for (const problem of problemsOf(key, placedValues(key, folder))) {
					this.tell(problem);
				}
			}
		}
		this.tellRemoved(removedSettings.filter(isStillSet)).catch((error: unknown) => {
			this.log.warn(`The message about removed settings failed: ${toMessage(error)}`);
		});
	}

	private async tellRemoved(set: readonly string[]): Promise<void> {
		const { t } = vscode.l10n;
		if (set.every(it => this.told.has(it))) {
			return;
		}
		set.forEach(it => this.told.add(it));
		this.log.warn(`Removed settings are ignored: ${set.join(', ')}.`);
		if (this.state.get('removedSettings') !== undefined) {
			return;
		}
		const names = set.map(it => it.replace('mcpWorkbench.', '')).join(', ');
		const message =
			set.length === 1
				? t('MCP Workbench: The setting {0} no longer exists.', names)
				: t('MCP Workbench: {0} of your settings no longer exist: {1}.', set.length, names);
		const open = t('Open Settings (JSON)');
		// The promise resolves when the person closes the message, not when the editor hides it.
		const chosen = await vscode.window.showWarningMessage(message, open);
		if (chosen === open) {
			didUseButton();
			await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: set[0] } });
		}
		await this.state.update('removedSettings', true);
	}

	private tell({ key, place, kind }: SettingProblem): void {
		const setting = `${Settings[key]} (${place})`;
		if (this.told.has(`${setting} ${kind}`)) {
			return;
		}
		this.told.add(`${setting} ${kind}`);
		switch (kind) {
			case 'ignored':
				this.log.warn(`${setting} is ignored: only User Settings can set it.`);
				break;
			case 'invalid':
				this.log.warn(`${setting} is ignored: the value isn't valid.`);
				break;
			case 'outOfBounds':
				this.log.warn(`${setting} is out of range: the nearest valid value is used.`);
				break;
		}
	}
}
