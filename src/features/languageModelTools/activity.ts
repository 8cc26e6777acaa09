/** The sign, in the status bar, that a model uses a server just now. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { Commands } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';

export class ModelActivity extends Owner {
	private readonly item = this.own(vscode.window.createStatusBarItem('models', vscode.StatusBarAlignment.Left));
	/** What is under way, oldest first. */
	private readonly running: { readonly what: string }[] = [];

	constructor() {
		super();
		this.item.name = vscode.l10n.t('Calls of models');
		this.item.command = Commands.toolsForModels;
	}

	/** @param what of which server: "garden: water" */
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
		this.item.tooltip = t('A model uses an MCP server.');
		this.item.accessibilityInformation = { label: t('A model uses an MCP server: {0}', what) };
		this.item.show();
	}
}
