/** The feature "results": the tab that shows outcomes of calls. */
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { ShowOutcome } from '../../core/calls/callOutcome.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import { ResultPanel } from './resultPanel.js';

export interface ResultsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export interface ResultsFeature extends Disposable {
	readonly show: ShowOutcome;
}

export function registerResults({ registry, documents, context }: ResultsDeps): ResultsFeature {
	const panel = new ResultPanel(context.extensionUri, documents);
	return {
		show: (call, again) => panel.show(registry.label(call.server), call, again),
		dispose: () => panel.dispose(),
	};
}
