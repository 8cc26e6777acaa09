/** The feature "history": records calls and other interactions when they end, in a view with commands. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Calls } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { History, type LineJournal } from '../../core/history/history.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { registerCommands } from '../../editor/commands.js';
import { describeError } from '../../editor/l10n/messages.js';
import { keepsHistory } from '../../editor/workspace/config.js';
import { type HistoryCommandDeps, historyCommands } from './commands.js';
import { HistoryView } from './historyView.js';
import { runningText } from './runningItem.js';

export interface HistoryFeatureDeps extends HistoryCommandDeps {
	readonly calls: Pick<Calls, 'onDidCall'>;
	readonly interactions: Pick<Interactions, 'onDidEnd'>;
}

/** @param journal where the history is stored; undefined if the workspace has no storage */
export function createHistory(registry: ServerRegistry, journal: LineJournal | undefined): History {
	const redact: typeof registry.redact = (value, server) => registry.redact(value, server);
	return new History({ journal, isKept: keepsHistory, describeError, redact });
}

export function registerHistory(deps: HistoryFeatureDeps): Disposable {
	const { registry, history, calls, interactions, running, pending } = deps;
	const redact: typeof registry.redact = (value, server) => registry.redact(value, server);
	const owned = new DisposableStore();
	owned.add(calls.onDidCall(it => history.record({ kind: 'call', ...it })));
	owned.add(interactions.onDidEnd(it => history.record(it)));
	const view = owned.add(
		new HistoryView({ history, running, pending, labelOf: it => registry.labelOf(it), textOf: runningText(redact) }),
	);
	owned.add(registerCommands(historyCommands(deps, view)));
	return owned;
}
