/** The item in the Status Bar that is shown while a model uses a server. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { Commands } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';

export class ModelActivity extends Owner {
	private readonly item = this.own(vscode.window.createStatusBarItem('models', vscode.StatusBarAlignment.Left));
	/** The running actions, oldest first. Objects, because two actions can have the same text. */
	private readonly running: { readonly what: string }[] = [];

	constructor() {
		super();
		this.item.name = vscode.l10n.t('Calls by models');
		this.item.command = Commands.chooseTools;
	}

	/**
	 * Shows the item while `work` runs.
	 * @param what server and action: "garden: water"
	 */
	async during<T>(what: string, work: () => Promise<T>): Promise<T> {
		const call = { what };
		this.running.push(call);
		this.show();
		try {
			return await work();
		} finally {
			this.running.splice(this.running.indexOf(call), 1);
			this.show();
		}
	}

	private show(): void {
		const [first] = this.running;
		if (!first || this.owned.isDisposed) {
			this.item.hide();
			return;
		}
		const more = this.running.length - 1;
		const what = quickPickText(first.what, 60);
		const { t } = vscode.l10n;
		this.item.text = `$(sync~spin) ${more > 0 ? `${what} +${describeNumber(more)}` : what}`;
		this.item.tooltip = t('A model is using an MCP server.');
		this.item.accessibilityInformation = { label: t('A model is using an MCP server: {0}', what) };
		this.item.show();
	}
}
