/** The tab that shows results of prompts: one tab for all, which never takes the focus. Results of tools are on their pages. */
import * as vscode from 'vscode';
import { type Disposable, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { CallAgain, CallOutcome, ShowOutcome } from '../../core/calls/calls.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { resultViewType } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { besideColumn, PagePanel } from '../../editor/pages/pagePanel.js';
import { ResultHost } from '../../editor/pages/resultHost.js';
import { type FromView, readFromView, type ToView } from '../../webviews/page/result/protocol.js';

export class ResultPanel extends Owner {
	private readonly panel = this.own(new MutableDisposable<PagePanel<FromView, ToView>>());
	private readonly result: ResultHost;

	constructor(
		private readonly extensionUri: vscode.Uri,
		documents: Documents,
	) {
		super();
		this.result = new ResultHost(documents, 'alone', it => this.panel.value?.post(it));
	}

	/** Shows an outcome in place of the earlier one. @param serverLabel label of the server */
	show(serverLabel: string, call: CallOutcome, again: CallAgain): void {
		this.result.show(serverLabel, call, again);
		const { title } = this.result;
		if (this.panel.value) {
			this.panel.value.title = title;
			this.panel.value.revealQuietly();
		} else {
			this.panel.value = this.open(title);
		}
	}

	private open(title: string): PagePanel<FromView, ToView> {
		const hasTabs = vscode.window.tabGroups.activeTabGroup.tabs.length > 0;
		const viewColumn = hasTabs ? besideColumn() : vscode.ViewColumn.Active;
		const panel = new PagePanel<FromView, ToView>(
			this.extensionUri,
			'result',
			// Keeps the expanded trees and the scroll position. There is only one tab, so the memory doesn't matter.
			{ viewType: resultViewType, title, place: { viewColumn, preserveFocus: true }, retains: true },
			{ read: readFromView, onReady: () => this.result.send(), onMessage: it => this.result.take(it) },
		);
		panel.onDidClose(() => {
			if (this.panel.value === panel) {
				this.panel.value = undefined;
				this.result.clear();
			}
		});
		return panel;
	}
}

interface ResultsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

interface ResultsFeature extends Disposable {
	readonly show: ShowOutcome;
}

export function registerResults({ registry, documents, context }: ResultsDeps): ResultsFeature {
	const panel = new ResultPanel(context.extensionUri, documents);
	return {
		show: (call, again) => panel.show(registry.label(call.server), call, again),
		dispose: () => panel.dispose(),
	};
}
