/** Says in the log, once for each window, which values of our settings aren't used as they were written. */
import * as vscode from 'vscode';
import type { Logger } from '../base/log.js';
import { Owner } from '../base/lifecycle.js';
import { problemsOf, type SettingKey, type SettingProblem, settingRules } from '../model/settings.js';
import { placedValues } from './config.js';
import { Settings } from './contributions.js';

const placeNames = { user: 'your settings', workspace: 'the workspace', folder: 'a workspace folder' } as const;

const keys = Object.keys(settingRules) as readonly SettingKey[];

export class SettingsReport extends Owner {
	private readonly told = new Set<string>();

	constructor(private readonly log: Pick<Logger, 'warn'>) {
		super();
		this.report();
		this.own(
			vscode.workspace.onDidChangeConfiguration(change => {
				if (Object.values(Settings).some(it => change.affectsConfiguration(it))) {
					this.report();
				}
			}),
		);
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.report()));
	}

	private report(): void {
		const folders = vscode.workspace.workspaceFolders ?? [];
		for (const key of keys) {
			// Without a folder, too: then the values of the person and the workspace are read.
			for (const folder of [undefined, ...folders.map(it => it.uri.toString())]) {
				for (const problem of problemsOf(key, placedValues(key, folder))) {
					this.tell(describe(problem));
				}
			}
		}
	}

	private tell(line: string): void {
		if (!this.told.has(line)) {
			this.told.add(line);
			this.log.warn(line);
		}
	}
}

function describe({ key, place, kind }: SettingProblem): string {
	const setting = `${Settings[key]} in ${placeNames[place]}`;
	switch (kind) {
		case 'ignored':
			return `${setting} is ignored: only your own settings can set it.`;
		case 'invalid':
			return `${setting} is ignored: the value isn't valid.`;
		case 'outOfBounds':
			return `${setting} is out of range: the nearest valid value is used.`;
	}
}
