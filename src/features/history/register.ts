/** The feature "history": records calls and other interactions when they end, in a view with commands. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Calls } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { History, type LineJournal } from '../../core/history/history.js';
import { registerCommands } from '../../editor/commands.js';
import { describeError } from '../../editor/l10n/messages.js';
import { keepsHistory } from '../../editor/workspace/config.js';
import { type HistoryCommandDeps, historyCommands } from './commands.js';
import { HistoryView } from './historyView.js';
import { runningText } from './runningItem.js';

export interface HistoryFeatureDeps extends Omit<HistoryCommandDeps, 'history'> {
	readonly calls: Pick<Calls, 'onDidCall'>;
	readonly interactions: Pick<Interactions, 'onDidEnd'>;
	/** The file of the history; undefined if the workspace has no place for it. */
	readonly journal: LineJournal | undefined;
}

export interface HistoryFeature extends Disposable {
	readonly history: History;
}

export function registerHistory(deps: HistoryFeatureDeps): HistoryFeature {
	const { registry, calls, interactions, journal, running, pending } = deps;
	const redact: typeof registry.redact = (value, server) => registry.redact(value, server);
	const owned = new DisposableStore();
	const history = owned.add(new History({ journal, isKept: keepsHistory, describeError, redact }));
	owned.add(calls.onDidCall(it => history.record({ kind: 'call', ...it })));
	owned.add(interactions.onDidEnd(it => history.record(it)));
	const view = owned.add(
		new HistoryView({ history, running, pending, labelOf: it => registry.labelOf(it), textOf: runningText(redact) }),
	);
	owned.add(registerCommands(historyCommands({ ...deps, history }, view)));
	return { history, dispose: () => owned.dispose() };
}
