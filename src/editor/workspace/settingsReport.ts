/**
 * Says in the log, once for each window, which values of our settings aren't used as they were written. Removed settings
 * that are set are also said in a message, once for all windows.
 */
import * as vscode from 'vscode';
import type { Logger } from '../../base/log.js';
import { debounce } from '../../base/async.js';
import { Owner } from '../../base/lifecycle.js';
import { problemsOf, type SettingKey, type SettingProblem, settingRules } from '../../core/config/settings.js';
import { isStillSet, placedValues } from './config.js';
import { removedSettings, Settings } from '../contributions.js';
import type { KeptState } from '../storage/keptState.js';

const keys = Object.keys(settingRules) as readonly SettingKey[];

/** Milliseconds that the report is delayed, so that activation doesn't wait for it. */
const reportMs = 500;

export class SettingsReport extends Owner {
	private readonly told = new Set<string>();
	private hasToldRemoved = false;
	private readonly reporting = this.own(debounce(reportMs, () => this.report()));

	/** @param state of all windows */
	constructor(
		private readonly log: Pick<Logger, 'warn'>,
		private readonly state: KeptState,
	) {
		super();
		this.reporting.schedule();
		this.own(
			vscode.workspace.onDidChangeConfiguration(change => {
				if (Object.values(Settings).some(it => change.affectsConfiguration(it))) {
					this.reporting.schedule();
				}
			}),
		);
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.reporting.schedule()));
	}

	private report(): void {
		const folders = vscode.workspace.workspaceFolders ?? [];
		for (const key of keys) {
			// Without a folder, too: then the values of the person and the workspace are read.
			for (const folder of [undefined, ...folders.map(it => it.uri.toString())]) {
				for (const problem of problemsOf(key, placedValues(key, folder))) {
					this.tell(problem);
				}
			}
		}
		this.tellRemoved(removedSettings.filter(isStillSet));
	}

	private tellRemoved(set: readonly string[]): void {
		if (set.length === 0 || this.hasToldRemoved) {
			return;
		}
		this.hasToldRemoved = true;
		const names = set.join(', ');
		this.log.warn(`Removed settings are ignored: ${names}.`);
		if (this.state.get('removedSettings') === undefined) {
			void this.state.update('removedSettings', true);
			const message = vscode.l10n.t('These settings were removed and have no effect: {0}. You can delete them.', names);
			void vscode.window.showWarningMessage(message);
		}
	}

	private tell({ key, place, kind }: SettingProblem): void {
		const setting = `${Settings[key]} (${place})`;
		if (this.told.has(`${setting} ${kind}`)) {
			return;
		}
		this.told.add(`${setting} ${kind}`);
		switch (kind) {
			case 'ignored':
				this.log.warn(`${setting} is ignored: only the person's own settings can set it.`);
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
