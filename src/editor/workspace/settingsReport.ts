/** Says in the log, once for each window, which values of our settings aren't used as they were written. */
import * as vscode from 'vscode';
import type { Logger } from '../../base/log.js';
import { debounce } from '../../base/async.js';
import { Owner } from '../../base/lifecycle.js';
import { problemsOf, type SettingKey, type SettingProblem, settingRules } from '../../core/config/settings.js';
import { placedValues } from './config.js';
import { Settings } from '../contributions.js';

const keys = Object.keys(settingRules) as readonly SettingKey[];

/** Milliseconds that the report is delayed, so that activation doesn't wait for it. */
const reportMs = 500;

export class SettingsReport extends Owner {
	private readonly told = new Set<string>();
	private readonly reporting = this.own(debounce(reportMs, () => this.report()));

	constructor(private readonly log: Pick<Logger, 'warn'>) {
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
