/** The history: its view, and the commands of what is in it. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommands } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { type HistoryCommandDeps, historyCommands } from './commands.js';
import { HistoryView } from './historyView.js';
import { runningText } from './runningItem.js';

const commandIds = [
	Commands.openHistoryEntry,
	Commands.copyEntry,
	Commands.showInHistory,
	Commands.runAgain,
	Commands.editAndRun,
	Commands.copyCall,
	Commands.addRule,
	Commands.compareResults,
	Commands.cancelCall,
	Commands.showOlderCalls,
	Commands.filterHistory,
	Commands.clearHistoryFilter,
	Commands.clearHistory,
] as const;

export type HistoryCommand = (typeof commandIds)[number];

export function registerHistory(deps: HistoryCommandDeps): Disposable {
	const { registry, history, running, pending } = deps;
	const owned = new DisposableStore();
	const view = owned.add(
		new HistoryView({
			history,
			running,
			pending,
			textOf: runningText((value, server) => registry.redact(value, server)),
		}),
	);
	owned.add(registerCommands(commandIds, () => historyCommands(deps, view)));
	return owned;
}
