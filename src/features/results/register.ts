/** Results of calls, in a tab of their own. */
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { ShowOutcome } from '../../core/calls/callOutcome.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import { ResultPanel } from './resultPanel.js';

export interface ResultsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	/** Where our own files are. */
	readonly extensionUri: vscode.Uri;
}

/** Features that call something show here what came of it. */
export interface ResultsFeature extends Disposable {
	readonly show: ShowOutcome;
}

export function registerResults({ registry, documents, extensionUri }: ResultsDeps): ResultsFeature {
	const panel = new ResultPanel(extensionUri, documents);
	return {
		show: (call, again) => panel.show(registry.label(call.server), call, again),
		dispose: () => panel.dispose(),
	};
}
